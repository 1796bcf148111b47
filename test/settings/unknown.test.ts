import { describe, expect, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

const settings = ['project', 'settings']
const projects = ['checkout', 'mobile'].map((id) => ({ id, mode: 'open' as const }))
const files = {
  'work/one.yaml': 'projects: {chekout: {mode: protected}}',
  'work/two.yaml': 'projects: {chekout: {mode: protected}, mobil: {mode: protected}}',
  'work/some.yaml': 'projects: {chekout: {mode: protected}, mobile: {mode: protected}}',
}
const unknown = "error: unknown project 'chekout'\nhint: did you mean 'checkout'?\n"

describe('a project that the service does not have', () => {
  test.each([
    [['set', 'chekout', '--mode', 'open']],
    [['set', 'chekout', '--mode', 'open', '--dry-run']],
    [['set', 'chekout', '--mode', 'open', '--no-read', '--quiet']],
    [['get', 'chekout']],
    [['get', 'chekout', '-o', 'table']],
    [['export', 'chekout', '--dir', 'flags']],
    [['plan', '-f', 'one.yaml']],
    [['apply', '-f', 'one.yaml']],
    [['apply', '-f', 'one.yaml', '--yes']],
  ])('is reported by %j with a similar one', async (argv) => {
    const sandbox = await sandboxOf(projects)
    const { code, stderr } = await flagadm([...settings, ...argv], { ...sandbox, files })
    expect([code, stderr]).toEqual([6, unknown])
    expect(sandbox.writes().filter((line) => !line.endsWith(' 404'))).toEqual([])
    if (!argv.includes('--no-read')) expect(sandbox.writes()).toEqual([])
  })

  test('is shown in a plan', async () => {
    const sandbox = await sandboxOf(projects)
    const argv = [...settings, 'plan', '-f', 'some.yaml']
    expect(anonymous(sandbox, await flagadm(argv, { ...sandbox, files }))).toMatchObject({
      code: 10,
      stdout: `Plan for S

mobile: would change
  mode         open → protected
chekout: missing: unknown project 'chekout'; did you mean 'checkout'?

2 projects: 1 would change, 0 unchanged, 1 missing
`,
      stderr: 'error: 2 projects: 1 missing\n',
    })
  })

  test.each([
    [['get', 'chekout', 'mobil'], "unknown project 'chekout'"],
    [['plan', '-f', 'two.yaml'], '2 projects: 2 missing'],
    [['apply', '-f', 'two.yaml'], '2 of 2 projects failed'],
  ])('is the reason for the exit code if there is no other: %j', async (argv, error) => {
    const sandbox = await sandboxOf(projects)
    const { code, stderr } = await flagadm([...settings, ...argv], { ...sandbox, files })
    expect([code, stderr]).toEqual([6, expect.stringContaining(`error: ${error}\n`)])
    const lists = sandbox.requests().filter((line) => line === 'GET /api/admin/projects 200')
    expect(lists).toHaveLength(1)
  })

  test('is reported with the known ones if none is similar', async () => {
    const sandbox = await sandboxOf(projects)
    const { code, stderr } = await flagadm([...settings, 'get', 'payments'], sandbox)
    expect([code, stderr]).toEqual([
      6,
      "error: unknown project 'payments'\nhint: the service lists: checkout, mobile\n",
    ])
  })
})

/** Sends settings to a service whose reads have these results; returns the requests as well. */
async function setOn(
  { overview, list, config }: Record<'overview' | 'list' | 'config', [number, object]>,
  argv: readonly string[] = [],
  write = 200,
) {
  const server = await serve((response, { method, url }) => {
    if (method === 'PUT' && write === 200) return response.writeHead(200).end()
    if (method === 'PUT') return json(response, write, { message: 'not available' })
    if (url.endsWith('/overview')) return json(response, ...overview)
    return json(response, ...(url.endsWith('/ui-config') ? config : list))
  })
  const command = [...settings, 'set', 'checkout', '--mode', 'open', '--retries', '0', ...argv]
  const outcome = await flagadm(command, { env: environment(server.url) })
  const puts = server.received.filter(({ method }) => method === 'PUT')
  return { ...anonymous(server, outcome), puts: puts.length, received: server.received }
}

const missing: [number, object] = [404, { message: 'no such path' }]
const listing = (...ids: string[]): [number, object] => [
  200,
  { projects: ids.map((id) => ({ id, name: id })) },
]
const found: [number, object] = [200, { mode: 'open', environments: [] }]

describe('settings are sent', () => {
  test.each([
    ['has no list of projects', missing],
    ['refuses to list projects', [403, { message: 'no' }]],
    ['fails to list projects', [500, { message: 'no' }]],
    ['returns something else', [200, { page: 1 }]],
    ['lists the project', listing('checkout')],
  ] as const)('without overview if the service %s', async (_what, [status, body]) => {
    const list: [number, object] = [status, body]
    const { code, puts } = await setOn({ overview: missing, list, config: missing })
    expect([code, puts]).toEqual([0, 1])
  })

  test('to a project with an overview that the service does not list', async () => {
    const { code, puts } = await setOn(
      { overview: found, list: listing('default'), config: missing },
      ['--force'],
    )
    expect([code, puts]).toEqual([0, 1])
  })
})

describe('a write that ends with 404', () => {
  test.each([
    [[200, { environment: 'Open Source' }], 'this edition (Open Source)'],
    [missing, 'this service'],
  ] as const)('blames the service if the project exists: %j', async ([status, body], subject) => {
    const config: [number, object] = [status, body]
    const services = { overview: found, list: listing('default'), config }
    for (const argv of [['--force'], ['--no-read']]) {
      const { code, stderr } = await setOn(services, argv, 404)
      expect([code, stderr.split('\n').slice(-3)]).toEqual([
        6,
        [
          'error: project checkout: 404: not available',
          `hint: ${subject} has no operation that changes settings of projects`,
          '',
        ],
      ])
    }
  })

  test('does not blame the edition if the project may not exist', async () => {
    const config: [number, object] = [200, { environment: 'Open Source' }]
    const { code, stderr } = await setOn({ overview: missing, list: missing, config }, [], 404)
    expect([code, stderr.split('\n').slice(-3)]).toEqual([
      6,
      [
        'error: project checkout: 404: not available',
        'hint: check the name (flagadm project list, flagadm feature list --all-projects) and the address',
        '',
      ],
    ])
  })
})

test('a dry run without a key reads nothing', async () => {
  const server = await serve((response) => json(response, 404, {}))
  const argv = [...settings, 'set', 'chekout', '--mode', 'open', '--dry-run']
  const { code } = await flagadm(argv, { env: { FLAGADM_BASE_URL: server.url } })
  expect([code, server.received]).toEqual([0, []])
})
