import { describe, expect, it } from 'vitest'
import { environment, flagadm } from './support/flagadm.ts'
import { json, serve } from './support/server.ts'

// More items than a function call can have arguments.
const MANY = 140_000

const many = <Item>(item: (index: number) => Item) =>
  Array.from({ length: MANY }, (_, index) => item(index))

it('finds the flags of an object with many members', async () => {
  const text = `const Flags = {${"a:'b',\n".repeat(MANY)}}\nisEnabled(Flags.a)`
  const argv = ['feature', 'references', '--scan', '.', '-o', 'names']
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
    if (url.includes('/search/features')) return json(response, 200, { features: [] })
    return json(response, 200, { data: many((index) => ({ ...record, appName: `app-${index}` })) })
  })
}

describe('a project with many flags', () => {
  it('is checked against its rule', async () => {
    const { url } = await service()
    const argv = ['naming', 'check', '--project', 'shop', '-o', 'names']
    const { code, stdout, stderr } = await flagadm(argv, { env: environment(url) })
    expect([code, stderr]).toEqual([9, 'error: 140000 of 140000 names break the rule\n'])
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
  const [row = '', incomplete] = stdout.split('\n')
  expect([code, JSON.parse(row).enabled, incomplete]).toEqual([
    0,
    MANY,
    expect.stringContaining('incomplete'),
  ])
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
        /^error: 10 flags \(Flag-0, .*\nerror: 139990 flags \(Flag-10, .* and 139980 more\): not a flag of project shop, unless it is archived\n/,
      ),
    ])
  })

  it('do not delay an interrupt', async () => {
    const interruption = new AbortController()
    const { signal } = interruption
    const { url } = await service(() => setTimeout(() => interruption.abort(), 50))
    const { code, stdout } = await flagadm(usage, { env: environment(url), files, signal })
    expect([code, stdout]).toEqual([130, ''])
  })
})
