import { expect, it } from 'vitest'
import { environment, flagadm } from './support/flagadm.ts'
import { json, serve } from './support/server.ts'

// More items than a function call can have arguments.
const MANY = 140_000

const many = <Item>(item: (index: number) => Item) =>
  Array.from({ length: MANY }, (_, index) => item(index))

/** A service whose project `shop` has many flags, with usage in one environment. */
async function service() {
  const record = { appName: 'web', environment: 'production', yes: 1, no: 0 }
  const { url } = await serve((response, { url }) => {
    if (url.endsWith('/overview')) {
      return json(response, 200, { mode: 'open', featureNaming: { pattern: '[a-z]+' } })
    }
    if (url.endsWith('/features')) {
      return json(response, 200, { features: many((index) => ({ name: `flag-${index}` })) })
    }
    if (url === '/health') return json(response, 200, { health: 'GOOD' })
    if (url.endsWith('/ui-config')) return json(response, 200, { environment: 'Enterprise' })
    if (url.endsWith('/unknown-flags')) return json(response, 404, {})
    if (url.includes('/search/features')) return json(response, 200, { features: [] })
    return json(response, 200, { data: many((index) => ({ ...record, appName: `app-${index}` })) })
  })
  return environment(url)
}

it('adds up many rows', async () => {
  const argv = ['feature', 'usage', 'a', '--since', '1h', '--group-by', 'environment']
  const { code, stdout } = await flagadm([...argv, '-o', 'jsonl', '--timeout', '1m'], {
    env: await service(),
  })
  const [row = '', incomplete] = stdout.split('\n')
  expect([code, JSON.parse(row).enabled]).toEqual([0, MANY])
  expect(incomplete).toContain('incomplete')
})

it('adds up many rows with a variant each', async () => {
  const { url } = await serve((response, { url }) => {
    if (url === '/health') return json(response, 200, { health: 'GOOD' })
    const data = many((index) => ({
      appName: 'web',
      environment: 'production',
      yes: 1,
      no: 0,
      variants: { [`variant-${index}`]: 1 },
    }))
    json(response, 200, { data })
  })
  const argv = ['feature', 'usage', 'a', '--since', '1h', '-o', 'jsonl', '-q', '--timeout', '1m']
  const { stdout } = await flagadm(argv, { env: environment(url) })
  const [row = ''] = stdout.split('\n')
  // With quadratic work, it would not end.
  expect(Object.keys(JSON.parse(row).variants)).toHaveLength(MANY)
})

it('finds the first composed text for each of many names', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `shop-basket-${index}`)
  const literals = Array.from(
    { length: 25_000 },
    (_, index) => `"shop-\${x}" "shop-${index}-" "shop-b\${y}"\n`,
  )
  const argv = [
    'feature',
    'references',
    '--scan',
    'src',
    '--names-from',
    'names.txt',
    '-o',
    'jsonl',
  ]
  const { stdout } = await flagadm(argv, {
    files: {
      'work/names.txt': names.join('\n'),
      'work/src/a.ts': literals.join(''),
    },
  })
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ name, line, column, kind }) => ({ name, line, column, kind }))).toEqual(
    names.toSorted().map((name) => ({ name, line: 1, column: 2, kind: 'composed' })),
  )
})

it('reports ten of many names that no flag has, and how many more there are', async () => {
  const argv = ['feature', 'usage', '--project', 'shop', '--names-from', 'names.txt', '-o', 'csv']
  const files = { 'work/names.txt': many((index) => `Flag-${index}`).join('\n') }
  const { code, stderr } = await flagadm(argv, { env: await service(), files })
  const first = Array.from({ length: 10 }, (_, index) => {
    return `error: Flag-${index}: not a flag of project shop; did you mean flag-${index}?`
  })
  const all = 'error: 140000 of 140000 flags could not be read (139990 more than above)'
  expect([code, stderr.trimEnd().split('\n')]).toEqual([6, [...first, all]])
})
