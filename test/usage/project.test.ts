import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World, withoutCaption } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const record = { environment: 'production', timestamp: '2026-11-20T16:00:00.000Z', yes: 3, no: 1 }

/** The flags of each project, or the status that reading them returns. */
type Projects = Record<string, readonly string[] | number>

const shop: Projects = { shop: ['shop-basket', 'shop-api'], mail: ['newsletter'] }

interface ServiceOptions {
  projects?: Projects
  /** Whether the service lists names that no flag has. */
  listsUnknown?: boolean
}

const unknownFlags = [
  {
    name: 'shop-baskets',
    reports: [
      { appName: 'web', environments: [{ environment: 'production' }] },
      { appName: 'ios', environments: [{ environment: 'production' }] },
    ],
  },
]

/** A service with projects. Only the flag `shop-basket` is used, and names that no flag has. */
function service({ projects = shop, listsUnknown = true }: ServiceOptions) {
  return serve((response, { url }) => {
    const [, id = '', what] = /^\/api\/admin\/projects\/([^/]+)\/(\w+)$/.exec(url) ?? []
    const flags = projects[id]
    if (url === '/api/admin/projects') {
      return json(response, 200, { projects: Object.keys(projects).map((id) => ({ id })) })
    }
    if (url === '/api/admin/metrics/unknown-flags') {
      return json(response, listsUnknown ? 200 : 404, listsUnknown ? { unknownFlags } : {})
    }
    if (what !== undefined) {
      if (typeof flags === 'number') return json(response, flags, { message: 'no' })
      if (what === 'features') {
        return json(response, 200, { features: (flags ?? []).map((name) => ({ name })) })
      }
      const overview = { environments: [{ environment: 'production' }] }
      return json(response, flags ? 200 : 404, flags ? overview : { message: 'No project found' })
    }
    const lastHourUsage = url.endsWith('/shop-basket') ? [record] : []
    return json(response, 200, { lastHourUsage, seenApplications: [] })
  })
}

async function usage(argv: readonly string[], options: ServiceOptions = {}, world: World = {}) {
  const server = await service(options)
  const outcome = await flagadm(['feature', 'usage', '--retries', '0', ...argv], {
    clock: patientClock(Date.UTC(2026, 10, 20, 16, 10)).clock,
    ...world,
    env: environment(server.url),
  })
  const asked = server.received.map(({ url }) => url.replace('/api/admin/', ''))
  return { ...withoutCaption(outcome), asked }
}

const projectOf = (flag: string) =>
  Object.entries(shop).find(([, flags]) => Array.isArray(flags) && flags.includes(flag))?.[0] ??
  null
const rowOf = (flag: string) =>
  `{"project":${JSON.stringify(projectOf(flag))},"flag":"${flag}","application":null,"environment":null,"timestamp":null,"enabled":0,"disabled":0,"variants":{}}\n`
const basket =
  '{"project":"shop","flag":"shop-basket","application":null,"environment":"production","timestamp":"2026-11-20T16:00:00.000Z","enabled":3,"disabled":1,"variants":{}}\n'

describe('--project', () => {
  test('reads the usage of all flags of the project, by name', async () => {
    const { code, stdout, stderr, asked } = await usage(['--project', 'shop', '-o', 'jsonl'])
    expect([code, stderr, stdout]).toEqual([0, '', rowOf('shop-api') + basket])
    expect(asked).toEqual([
      'projects/shop/features',
      'client-metrics/features/shop-api',
      'client-metrics/features/shop-basket',
    ])
  })

  test('works with filters', async () => {
    const { stdout } = await usage(['--project', 'shop', '--unused', '-o', 'jsonl'])
    expect(stdout).toBe(rowOf('shop-api'))
  })

  test('prints JSON Lines even for a single flag', async () => {
    const { stdout } = await usage(['--project', 'mail', '--json'])
    expect(stdout).toBe('{"lastHourUsage":[],"seenApplications":[]}\n')
  })

  test('is refused for an unknown project, for which the service lists no flags', async () => {
    const { code, stdout, stderr } = await usage(['--project', 'shp'])
    expect([code, stdout, stderr]).toEqual([
      6,
      '',
      "error: unknown project 'shp'\nhint: did you mean shop?\n",
    ])
  })

  test('of a project without flags is a note', async () => {
    const projects = { empty: [] }
    const { code, stdout, stderr } = await usage(['--project', 'empty'], { projects })
    expect([code, stdout, stderr]).toEqual([0, '', 'note: project empty has no flags\n'])
  })

  test('adds no flags to given names', async () => {
    const { stdout, asked } = await usage(['shop-api', '--project', 'shop', '-o', 'jsonl'])
    expect(stdout).toBe(rowOf('shop-api'))
    expect(asked).toContain('client-metrics/features/shop-api')
    expect(asked).not.toContain('client-metrics/features/shop-basket')
  })

  test('adds no flags to an empty list of names', async () => {
    const argv = ['--names-from', '-', '--project', 'shop']
    const { code, stderr, asked } = await usage(argv, {}, { stdin: '\n' })
    expect([code, asked]).toEqual([2, []])
    expect(stderr).toBe('error: no flag names in standard input\nhint: write one name per line\n')
  })

  test('reports a name that is not a flag of the project and that SDKs ask for', async () => {
    const argv = ['shop-baskets', 'shop-api', '--project', 'shop', '-o', 'jsonl']
    const { code, stdout, stderr, asked } = await usage(argv)
    expect([code, stdout, stderr]).toEqual([
      10,
      `${rowOf('shop-api')}{"incomplete":{"notFlags":["shop-baskets"]}}\n`,
      "error: shop-baskets: not a flag of project shop; SDKs asked for 'shop-baskets' (web, ios): a typo?\n" +
        'hint: did you mean shop-basket?\n' +
        'error: 1 of 2 flags could not be read\n',
    ])
    expect(asked).not.toContain('client-metrics/features/shop-baskets')
  })

  test('reports a name that is a flag of another project only', async () => {
    const { code, stderr } = await usage(['newsletter', '--project', 'shop'])
    expect([code, stderr]).toEqual([
      6,
      'error: newsletter: not a flag of project shop\n' +
        'hint: check the name; flagadm feature list --project shop lists the flags\n',
    ])
  })

  test('suggests a name at each reading', async () => {
    const argv = ['shop-baskets', '--project', 'shop', '--watch', '--count', '2', '--interval', '1']
    const { code, stderr } = await usage(argv)
    expect(code).toBe(6)
    expect(stderr.match(/hint: did you mean shop-basket\?\n/g)).toHaveLength(2)
  })

  test('needs no list of unknown names', async () => {
    const options = { listsUnknown: false }
    const { code, stderr } = await usage(['shop-baskets', '--project', 'shop'], options)
    expect([code, stderr]).toEqual([
      6,
      'error: shop-baskets: not a flag of project shop\nhint: did you mean shop-basket?\n',
    ])
  })
})

describe('a gate with --project', () => {
  test('accepts that no application has reported a flag that exists', async () => {
    const argv = ['shop-api', '--expect', 'unused', '--for', '0']
    expect((await usage(argv)).code).toBe(9)
    const { code, stdout } = await usage([...argv, '--project', 'shop', '-q'])
    expect([code, stdout]).toEqual([
      0,
      '✓ shop-api is unused: no evaluations in one reading of the current clock hour (since 16:00 UTC, 10 min)\n',
    ])
  })

  test('checks all flags of the project', async () => {
    const { code, stdout } = await usage([
      '--project',
      'shop',
      '--expect',
      'unused',
      '--for',
      '0',
      '-q',
    ])
    expect(code).toBe(9)
    expect(stdout).toMatch(
      /^✓ shop-api is unused: .*\n✗ shop-basket is in use \(expected unused\): .*\n$/,
    )
  })

  test('never passes for a name that is not a flag', async () => {
    const gate = ['--project', 'shop', '--expect', 'unused', '--for', '0', '--allow-unseen', '-q']
    const one = await usage(['shop-baskets', ...gate])
    expect([one.code, one.stdout]).toEqual([6, ''])
    const { code, stdout } = await usage(['shop-baskets', 'shop-api', ...gate])
    expect([code, stdout]).toEqual([
      10,
      "? shop-baskets is not a flag of project shop; SDKs asked for 'shop-baskets' (web, ios): a typo?\n" +
        '✓ shop-api is unused: no evaluations in one reading of the current clock hour (since 16:00 UTC, 10 min)\n',
    ])
  })

  test.each([
    ['json', '"verdict":"inconclusive","reason":"not a flag of project shop","notFlag":true'],
    ['markdown', '| `shop-nothing` | ? not a flag | `not a flag of project shop` | 0 | 0 |'],
    ['github', '::error title=usage-not-a-flag::shop-nothing: not a flag of project shop\n'],
    [
      'junit',
      '<failure message="shop-nothing: not a flag of project shop" type="usage-not-a-flag">',
    ],
  ])('reports such a name in %s as something else than unused', async (format, expected) => {
    const names = ['shop-nothing', 'shop-api']
    const { stdout } = await usage([
      ...names,
      '--project',
      'shop',
      '--expect',
      'unused',
      '--for',
      '0',
      '-q',
      '-o',
      format,
    ])
    expect(stdout).toContain(expected)
  })
})

test('--watch with --project reads the flags of the project', async () => {
  const { code, stdout } = await usage(['--project', 'mail', '--watch', '--count', '1'])
  expect(code).toBe(0)
  expect(stdout).toContain('"flag":"newsletter"')
})

describe('--all-projects', () => {
  const incomplete = '{"incomplete":{"projects":["hidden"]}}\n'

  test('reads the flags of all projects that the service lists', async () => {
    const { code, stdout, stderr } = await usage(['--all-projects', '-o', 'jsonl'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(rowOf('newsletter') + rowOf('shop-api') + basket)
  })

  test('reports a project that cannot be read', async () => {
    const projects = { ...shop, hidden: 403 }
    const { code, stdout, stderr } = await usage(['--all-projects', '-o', 'jsonl'], { projects })
    expect([code, stdout]).toEqual([
      10,
      rowOf('newsletter') + rowOf('shop-api') + basket + incomplete,
    ])
    expect(stderr).toMatch(/^error: project hidden: 403: no\n/)
    expect(stderr).toMatch(/\nerror: 1 of 3 projects could not be read\n$/)
  })

  test('does not report a name as missing that may be in such a project', async () => {
    const projects = { ...shop, hidden: 403 }
    const argv = ['secret', '--all-projects', '-o', 'jsonl']
    const { stdout } = await usage(argv, { projects })
    expect(stdout).toBe(rowOf('secret') + incomplete)
    const complete = await usage(argv)
    expect([complete.code, complete.stderr]).toEqual([
      6,
      'error: secret: not a flag of any project that the service lists\n' +
        'hint: check the name; flagadm feature list --all-projects lists the flags\n',
    ])
  })

  test('cannot be combined with --project', async () => {
    const { code, stderr } = await usage(['--all-projects', '--project', 'shop'])
    expect(code).toBe(2)
    expect(stderr).toContain('--project cannot be used with --all-projects')
  })
})

describe('the number of concurrent requests', () => {
  const flags = Array.from({ length: 12 }, (_, index) => `f${index}`)

  /** The most requests that a service receives at once if it answers only when this many are open. */
  async function mostAtOnce(expected: number, argv: readonly string[], fields: object = {}) {
    const open: (() => void)[] = []
    let most = 0
    const server = await serve((response) => {
      open.push(() => json(response, 200, { lastHourUsage: [] }))
      most = Math.max(most, open.length)
      if (open.length >= expected)
        setImmediate(() => {
          for (const answer of open.splice(0)) answer()
        })
    })
    const profile = { baseUrl: server.url, apiKey: '*:*.some-key', ...fields }
    const configuration = JSON.stringify({ profiles: { p: profile } })
    const files = { 'home/.config/flagadm/config.json': configuration }
    const { code } = await flagadm(['feature', 'usage', ...flags, ...argv, '-o', 'csv'], { files })
    expect(code).toBe(0)
    return most
  }

  test('is 4, or what the profile or the option specifies', async () => {
    expect(await mostAtOnce(4, [])).toBe(4)
    expect(await mostAtOnce(2, [], { concurrency: 2 })).toBe(2)
    expect(await mostAtOnce(1, ['--concurrency', '1'], { concurrency: 2 })).toBe(1)
  })

  test.each([0, 101, 1.5])('is refused in a profile if it is %d', async (concurrency) => {
    const profile = { baseUrl: 'https://a.test', apiKey: 'k', concurrency }
    const files = { 'home/.config/flagadm/config.json': JSON.stringify(profile) }
    const { code, stderr } = await flagadm(['feature', 'usage', 'f'], { files })
    expect(code).toBe(3)
    expect(stderr).toContain('concurrency: expected a whole number from 1 to 100')
  })
})
