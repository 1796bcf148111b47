import { describe, expect, it } from 'vitest'
import { environment, flagadm } from './support/flagadm.ts'
import { json, serve } from './support/server.ts'

// More items than a function call can have arguments.
const MANY = 140_000

const many = <Item>(item: (index: number) => Item) =>
  Array.from({ length: MANY }, (_, index) => item(index))

it('finds the flags of an object with many members', async () => {
  const text = `const Flags = {${"a:'b',".repeat(MANY)}}\nisEnabled(Flags.a)`
  const argv = ['feature', 'references', '--scan', '.', '--definitions', 'Flags', '-o', 'names']
  const { code, stdout } = await flagadm(argv, { files: { 'work/a.ts': text } })
  expect([code, stdout]).toEqual([0, 'b\n'])
})

/** A service whose project `shop` has many flags, with usage in one environment. */
function service(onMissing?: () => void) {
  const record = { appName: 'web', environment: 'production', yes: 1, no: 0 }
  return serve((response, { url }) => {
    if (url.endsWith('/overview')) {
      return json(response, 200, { mode: 'open', featureNaming: { pattern: '[a-z]+' } })
    }
    if (url.endsWith('/features')) {
      return json(response, 200, { features: many((index) => ({ name: `flag-${index}` })) })
    }
    if (url.endsWith('/unknown-flags')) {
      onMissing?.()
      return json(response, 404, {})
    }
    return json(response, 200, { data: many((index) => ({ ...record, appName: `app-${index}` })) })
  })
}

describe('a project with many flags', () => {
  it('is listed with those that break its rule', async () => {
    const { url } = await service()
    const argv = ['feature', 'list', '--project', 'shop', '--breaks-rule', '-o', 'names']
    const { code, stdout, stderr } = await flagadm(argv, { env: environment(url) })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').length).toBe(MANY + 1)
  })
})

it('adds up many rows', async () => {
  const { url } = await service()
  const argv = [
    'feature',
    'usage',
    'a',
    '--since',
    '1h',
    '--group-by',
    'environment',
    '-o',
    'jsonl',
  ]
  const { code, stdout } = await flagadm(argv, { env: environment(url) })
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ enabled: MANY })])
})

describe('many names that no flag has', () => {
  const usage = ['feature', 'usage', '--project', 'shop', '--names-from', 'names.txt', '-o', 'csv']
  const files = { 'work/names.txt': many((index) => `Flag-${index}`).join('\n') }

  it('are reported together, without a guess for each', async () => {
    const { url } = await service()
    const { code, stderr } = await flagadm(usage, { env: environment(url), files })
    expect([code, stderr]).toEqual([
      6,
      expect.stringMatching(
        /^error: 140000 flags not found: Flag-0, .*\nhint: flagadm feature list/,
      ),
    ])
  })

  it('do not delay an interrupt', async () => {
    const interruption = new AbortController()
    const { signal } = interruption
    const { url } = await service(() => setTimeout(() => interruption.abort(), 50))
    const { code, stderr } = await flagadm(usage, { env: environment(url), files, signal })
    expect([code, stderr]).toEqual([130, 'error: interrupted after 0 of 140000 flags\n'])
  })
})
