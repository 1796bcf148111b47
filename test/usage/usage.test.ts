import { parse } from 'csv-parse/sync'
import parsePrometheus from 'parse-prometheus-text-format'
import { describe, expect, it, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'
import { ending, words } from '../support/text.ts'
import { feature, type FeatureWorld, now, type Projects } from '../flags/service.ts'

const hour = '2026-11-20T16:00:00.000Z'
const record = (appName: string, environment: string, yes: number, no: number, variants = {}) => ({
  appName,
  environment,
  timestamp: hour,
  yes,
  no,
  variants,
})
const flags: Record<string, object[]> = {
  a: [
    record('web', 'production', 90, 10, { red: 60, blue: 30 }),
    record('ios', 'production', 5, 95),
    record('web', 'staging', 1, 0),
  ],
  b: [record('web', 'production', 7, 0, { blue: 7 })],
  c: [],
  d: [record('job', 'development', 0, 3)],
}

/** Runs `feature usage` on a service with the two operations of the specification. */
async function usage(
  argv: readonly string[],
  world: World = {},
  documents: Record<string, object> = {},
) {
  const server = await serve((response, { url }) => {
    const name = decodeURIComponent(url.split('/').at(-1) ?? '')
    const lastHourUsage = flags[name]
    if (documents[name]) return json(response, 200, documents[name])
    if (!lastHourUsage)
      return json(response, 404, { name: 'NotFoundError', message: 'no such flag' })
    return json(response, 200, { featureName: name, lastHourUsage, seenApplications: ['web'] })
  })
  const outcome = await flagadm(['feature', 'usage', ...argv], {
    clock: patientClock(now).clock,
    ...world,
    env: { ...environment(server.url), ...world.env },
  })
  const asked = server.received.map(({ url }) => url.split('/').at(-1))
  return { ...outcome, stdout: outcome.stdout.replaceAll(server.url, 'http://service'), asked }
}

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The rows as JSON Lines, in short: names and counts. */
async function rows(argv: readonly string[]) {
  const { stdout } = await usage([...argv, '-o', 'jsonl'])
  const found = linesOf(stdout).filter(({ incomplete }) => incomplete === undefined)
  return found.map(({ flag, application, environment, enabled, disabled }) => {
    const names = [flag, application, environment].filter((name) => name !== null)
    return `${names.join('/')} ${enabled}+${disabled}`
  })
}

describe('the current hour', () => {
  it('is a table with a row for each application and environment, and a total', async () => {
    const { code, stdout, stderr } = await usage(['a'])
    expect(stdout).toBe(`Usage of a on http://service, in the clock hour from 2026-11-20 16:00 UTC

Application  Environment  Enabled  Disabled  Total   Share  Variants
───────────────────────────────────────────────────────────────────────────
ios          production         5        95    100    5.0%
web          production        90        10    100   90.0%  blue 30, red 60
web          staging            1         0      1  100.0%
───────────────────────────────────────────────────────────────────────────
Total                          96       105    201   47.8%
`)
    expect([code, stderr]).toEqual([0, ''])
  })

  it('of several flags has a column of flags, with zeros for an unused one', async () => {
    const { code, stdout, stderr } = await usage(['b', 'c', 'e'])
    expect(stdout).toBe(`Usage on http://service, in the clock hour from 2026-11-20 16:00 UTC

Flag  Application  Environment  Enabled  Disabled  Total   Share  Variants
──────────────────────────────────────────────────────────────────────────
b     web          production         7         0      7  100.0%  blue 7
c     —            —                  0         0      0       —

Applications seen in the last 24 hours, without a row: c: web
Incomplete: 1 of 3 flags could not be read (e)
Incomplete: names without usage may be misspelt: the service does not list its flags (c)
`)
    expect(code).toBe(6)
    expect(stderr).toMatch(/^error: e: 404 NotFoundError: no such flag\n/)
  })

  it('has a line with the applications that the service has seen, but that have no row', async () => {
    const document = {
      lastHourUsage: [{ environment: 'production', timestamp: hour, yes: 3, no: 1 }],
      seenApplications: ['web', 'ios'],
    }
    const { stdout } = await usage(['x'], {}, { x: document })
    expect(stdout).toContain('\nproduction         3         1      4  75.0%\n')
    expect(stdout).toContain('\nApplications seen in the last 24 hours, without a row: ios, web\n')
  })

  it('cuts variants, in the order of their names, and counts the others', async () => {
    const lastHourUsage = [record('web', 'production', 9, 0, { e: 1, d: 2, b: 4000, a: 5, c: 3 })]
    const { stdout } = await usage(['x'], {}, { x: { lastHourUsage } })
    expect(stdout).toContain('  a 5, b 4,000, c 3 and 2 more\n')
  })

  it('is the document of the service in JSON', async () => {
    const text = '{"lastHourUsage":[],  "count":12345678901234567890,"__proto__":1}'
    const server = await serve((response, { url }) =>
      url.endsWith('/projects')
        ? json(response, 404, { message: 'not found' })
        : json(response, 200, text),
    )
    const env = environment(server.url)
    const one = await flagadm(['feature', 'usage', 'a', '--json'], { env })
    expect(one.stdout).toBe(`${text}\n`)
    const two = await flagadm(['feature', 'usage', 'a', 'b', '--json'], { env })
    expect(two.stdout).toBe(`${text}\n${text}\n`)
  })

  it('is refused if it is about another flag', async () => {
    expect(ending(await usage(['x'], {}, { x: { featureName: 'y', lastHourUsage: [] } }))).toBe(
      "8 error: x: the service returned the usage of the flag 'y'\n",
    )
  })
})

describe('rows', () => {
  test.each([
    ['a b --app web', ['a/web/production 90+10', 'a/web/staging 1+0', 'b/web/production 7+0']],
    ['a --application i* --app io*', ['a/ios/production 5+95']],
    ['a --app web --environment *ing', ['a/web/staging 1+0']],
    ['a c --group-by variant', ['a 30+0', 'a 60+0', 'c 0+0']],
    ['b c a --group-by flag', ['b 7+0', 'c 0+0', 'a 96+105']],
    ['a b c d --unused', ['c 0+0']],
    ['b c d --used', ['b/web/production 7+0', 'd/job/development 0+3']],
    ['a b d --group-by application', ['ios 5+95', 'job 0+3', 'web 98+10']],
    ['a b d --group-by app', ['ios 5+95', 'job 0+3', 'web 98+10']],
    ['a b d --group-by environment', ['development 0+3', 'production 102+105', 'staging 1+0']],
    ['a b --group-by variant --sort enabled', ['a 60+0', 'a 30+0', 'b 7+0']],
    ['a --sort disabled', ['a/ios/production 5+95', 'a/web/production 90+10', 'a/web/staging 1+0']],
    ['a --sort total --limit 1', ['a/ios/production 5+95']],
    ['a --sort share --reverse --limit 2', ['a/ios/production 5+95', 'a/web/production 90+10']],
  ])('of %j are filtered, grouped, sorted and limited', async (argv, expected) => {
    expect(await rows(words(argv))).toEqual(expected)
  })

  it('add up records of the same application, environment and hour, with the latest time', async () => {
    const lastHourUsage = [
      { ...record('web', 'production', 1, 0, { red: 1 }), timestamp: '2026-11-20T16:05:00.000Z' },
      record('web', 'production', 3, 4, { red: 2, blue: 1 }),
      record('web', 'production', 5, 0),
    ]
    const { stdout } = await usage(['x', '-o', 'jsonl'], {}, { x: { lastHourUsage } })
    expect(JSON.parse(stdout)).toEqual({
      flag: 'x',
      application: 'web',
      environment: 'production',
      timestamp: '2026-11-20T16:05:00.000Z',
      enabled: 9,
      disabled: 4,
      variants: { blue: 1, red: 3 },
    })
  })

  it('of variants have shares of all variants, also with --limit', async () => {
    const { stdout } = await usage(['a', '--group-by', 'variant', '--limit', '1', '--reverse'])
    expect(stdout).toContain(`
Variant          Selected  Share
────────────────────────────────
red                    60  66.7%
────────────────────────────────
Total of 2 rows        90

2 rows, 1 shown
`)
  })

  it('are not printed if filters match nothing that is known', async () => {
    const outcome = await usage(['a', '--app', 'none', '-e', 'prod'])
    expect(ending(outcome)).toBe(
      "6 error: unknown application 'none' (known: ios, web); unknown environment 'prod' (known: production, staging)\nhint: did you mean 'production'?\n",
    )
    expect(outcome.stdout).toBe('')
  })

  it('are zeros with a warning if nothing is known that filters could match', async () => {
    const { code, stdout, stderr } = await usage(['c', '-e', 'prod'])
    expect([code, stderr]).toEqual([0, "warning: unknown environment 'prod' (none known)\n"])
    expect(stdout).toContain('\nc            0         0      0\n')
  })

  it('are zeros with a warning if flags could not be read that may match filters', async () => {
    const { code, stdout, stderr } = await usage(['a', 'e', '-e', 'prod'])
    expect(stderr).toMatch(/^warning: unknown environment 'prod' \(known: production, staging\)\n/)
    expect([code, stdout.includes('\na           0         0      0\n')]).toEqual([6, true])
  })

  it('do not hide that a record lacks the name that filters ask for', async () => {
    const lastHourUsage = [record('web', 'production', 1, 0), { ...record('web', '', 2, 0) }]
    const { stdout } = await usage(['x', '-e', 'production'], {}, { x: { lastHourUsage } })
    expect(stdout).toContain(
      '\nIncomplete: there is usage without the application or environment that the filters ask for\n',
    )
  })

  it('of groups without a name keep their sum in the total', async () => {
    const lastHourUsage = [{ appName: 'web', timestamp: hour, yes: 3, no: 1 }]
    const argv = ['x', '--group-by', 'environment']
    const { stdout } = await usage(argv, {}, { x: { lastHourUsage } })
    expect(stdout).toContain(`
Environment  Enabled  Disabled  Total  Share
────────────────────────────────────────────
—                  3         1      4  75.0%
────────────────────────────────────────────
Total              3         1      4  75.0%
`)
  })

  test.each([
    [['a', '--unused'], 'No unused flags.'],
    [['c', '--used'], 'No flags in use.'],
    [['c', '--group-by', 'environment'], 'No usage.'],
  ])('are replaced by a sentence if %j finds none', async (argv, sentence) => {
    expect((await usage(argv)).stdout).toContain(`\n${sentence}\n`)
  })
})

describe('formats', () => {
  it('CSV has Windows line ends, and no formula that a spreadsheet would run', async () => {
    const lastHourUsage = [record('=1+1', 'production', 1, 0, { red: 1 })]
    const { stdout } = await usage(['x', '-o', 'csv'], {}, { x: { lastHourUsage } })
    expect(stdout).toMatch(/^flag,application,environment,timestamp,enabled,disabled,variants\r\n/)
    expect(parse(stdout, { columns: true })).toEqual([
      {
        flag: 'x',
        application: "'=1+1",
        environment: 'production',
        timestamp: hour,
        enabled: '1',
        disabled: '0',
        variants: '{"red":1}',
      },
    ])
  })

  it('Markdown has the total', async () => {
    const { stdout } = await usage(['b', 'd', '-o', 'markdown'])
    expect(stdout).toContain(`
| \`b\` | \`web\` | \`production\` | 7 | 0 | 7 | 100.0% | \`blue 7\` |
`)
    expect(stdout).toContain('| **Total** |  |  | **7** | **3** | **10** | **70.0%** |  |')
  })

  it('OpenMetrics has gauges, and adds up samples with the same labels', async () => {
    const lastHourUsage = [
      record('a\u001b', 'production', 1, 0),
      record('a\\x1b', 'production', 2, 0, { red: 2 }),
    ]
    const { stdout } = await usage(['x', 'e', '-o', 'openmetrics'], {}, { x: { lastHourUsage } })
    const families = parsePrometheus(stdout.replace('# EOF\n', ''))
    expect(families).toMatchObject([
      {
        name: 'feature_flag_last_hour_evaluations',
        metrics: [{ value: '3' }, { value: '0' }],
      },
      {
        name: 'feature_flag_last_hour_variant_evaluations',
        metrics: [{ value: '2' }],
      },
      { name: 'feature_flag_usage_since_timestamp_seconds', metrics: [{}] },
      {
        name: 'feature_flag_usage_unread',
        metrics: [
          { value: '0', labels: { flag: 'x', kind: 'flag' } },
          { value: '0', labels: { flag: 'x', kind: 'application' } },
          { value: '1', labels: { kind: 'flag', span: 'hour' } },
          { value: '0', labels: { kind: 'application', span: 'hour' } },
        ],
      },
    ])
    expect(stdout).toMatch(/\n# EOF\n$/)
  })

  test.each([
    ['--label x', "--label: invalid label 'x'"],
    ['--label __a=b', "--label: invalid label '__a=b'"],
    ['--label flag=b', '--label: every series has at most one flag'],
    ['--label a=b --label a=c', '--label: every series has at most one a'],
  ])('OpenMetrics has no %s', async (option, problem) => {
    const { code, stderr } = await usage(['a', '-o', 'openmetrics', ...words(option)])
    expect([code, stderr.split('\n')[0]]).toEqual([2, `error: ${problem}`])
  })

  it('labels are for OpenMetrics', async () => {
    const { code, stderr } = await usage(['a', '--label', 'a=b'])
    expect([code, stderr]).toEqual([
      2,
      'error: --label requires -o openmetrics\nhint: add -o openmetrics\n',
    ])
  })

  test.each([['--app=web'], ['--group-by=flag'], ['--sort=total'], ['--used']])(
    'JSON cannot be combined with %s',
    async (option) => {
      const { code, stderr } = await usage(['a', '--json', option])
      expect({ code, message: JSON.parse(stderr).error.message }).toEqual({
        code: 2,
        message: "json is the service's own document",
      })
    },
  )
})

describe('names', () => {
  it('come from a list, each once, in the order given', async () => {
    const { stdout, asked } = await usage(['b', '--names-from', 'names', '-o', 'jsonl'], {
      files: { 'work/names': '\ufeff# flags\r\na\r\n\r\n  b  \r\n' },
    })
    expect(asked.slice(0, 2).sort()).toEqual(['a', 'b'])
    expect(stdout).toMatch(/^\{"flag":"b"/)
  })

  test.each([
    [
      '',
      'error: no names or projects given\nhint: name a flag, use --project <id>, or:\n  flagadm feature usage --all-projects\n',
    ],
    [
      'checkout-*',
      "error: 'checkout-*' contains '*', which requires a project\nhint: use --project <id> or --all-projects\n",
    ],
    ['a --by day', 'error: --by requires --since\nhint: add --since 48h\n'],
    ['a --interval 5', 'error: --interval requires --watch\nhint: add --watch\n'],
    [
      'a --watch --since 2h',
      'error: --watch cannot be used with --since\nhint: leave out one of them\n',
    ],
    ['a --watch -o csv', 'error: --watch has no csv output\nhint: use -o jsonl\n'],
    ['--names-from -', 'error: no flag names in standard input\nhint: write one name per line\n'],
  ])('%j are refused', async (argv, message) => {
    const { code, stderr } = await usage(words(argv))
    expect([code, stderr]).toEqual([2, message])
  })

  test.each([
    [{ a: 403, b: 403 }, 5],
    [{ a: 403, b: 404 }, 10],
    [{ a: 401, b: 200 }, 4],
    [{ a: 200, b: 401 }, 10],
  ])('that fail with %j exit with %i', async (statuses: Record<string, number>, expected) => {
    const server = await serve((response, { url }) =>
      json(response, statuses[url.slice(-1)] ?? 404, { message: 'no', lastHourUsage: [] }),
    )
    const argv = ['feature', 'usage', 'a', 'b', '--json', '--concurrency', '1']
    expect((await flagadm(argv, { env: environment(server.url) })).code).toBe(expected)
  })
})

it('prints at most ten failures, then how many more', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `x${index}`)
  const { code, stderr } = await usage(names)
  const failures = names
    .slice(0, 10)
    .map((name) => `error: ${name}: 404 NotFoundError: no such flag`)
  expect([code, stderr.split('\n').filter((line) => !line.startsWith('hint:'))]).toEqual([
    6,
    [...failures, 'error: 12 of 12 flags could not be read (2 more than above)', ''],
  ])
})

const projects: Projects = {
  shop: {
    basket: {
      usage: [
        { hoursAgo: 2, yes: 5, no: 3 },
        { hoursAgo: 30, yes: 1, no: 0, appName: 'ios' },
      ],
      production: { seen: 0.1 },
    },
    banner: {},
    gone: { archived: true },
  },
  mail: { digest: { usage: [{ hoursAgo: 47, yes: 0, no: 4, environment: 'staging' }] } },
}

const hourly = (argv: readonly string[], seed: Projects = projects, world: FeatureWorld = {}) =>
  feature(['usage', ...argv], seed, world)

describe('hourly usage', () => {
  it('is a table with the last use as an age, or with --verbose as a time', async () => {
    const { stdout, stderr } = await hourly(['basket', '--since', '48h'])
    expect(stdout).toBe(`Usage of basket on http://service, since 2026-11-18 17:00 UTC (47h 10m)

Application  Environment  Enabled  Disabled  Total   Share  Last used
─────────────────────────────────────────────────────────────────────
ios          production         1         0      1  100.0%  30 h ago
web          production         5         3      8   62.5%  2 h ago
─────────────────────────────────────────────────────────────────────
Total                           6         3      9   66.7%
`)
    expect(stderr).toBe('')
    const verbose = await hourly(['basket', '--since', '48h', '--verbose'])
    expect(verbose.stdout).toContain('  62.5%  2026-11-20 14:00–14:59 UTC\n')
  })

  it('has a row for each hour or day', async () => {
    const { stdout } = await hourly(['basket', '--since', '48h', '--by', 'day', '-o', 'csv'])
    const days: Record<string, string>[] = parse(stdout, { columns: true })
    expect(days).toMatchObject([
      {
        timestamp: '2026-11-19T00:00:00.000Z',
        application: 'ios',
        enabled: '1',
        lastUsed: '2026-11-19T10:00:00.000Z',
        from: '2026-11-18T17:00:00.000Z',
        to: '2026-11-20T16:10:00.000Z',
      },
      {
        timestamp: '2026-11-20T00:00:00.000Z',
        application: 'web',
        enabled: '5',
      },
    ])
    const table = await hourly(['basket', '--since', '48h', '--by', 'hour'])
    expect(table.stdout).toContain('\nios          production   2026-11-19 10:00        1')
  })

  it('of the flags of a project reports those that do not exist', async () => {
    const argv = ['basket', 'baskt', '--project', 'shop', '--since', '48h']
    const { code, stdout, stderr } = await hourly(argv, projects, { unknown: { baskt: ['web'] } })
    expect(stdout).toContain('\nIncomplete: 1 of 2 flags could not be read (baskt)\n')
    expect(code).toBe(6)
    expect(stderr).toBe(
      `error: baskt: not a flag of project shop; SDKs ask for it (web); did you mean basket?
error: 1 of 2 flags could not be read
`,
    )
  })

  describe('with a project and a flag that could not be read', () => {
    const run = (format: string) =>
      hourly(['--all-projects', '--since', '2h', '--retries', '0', '-o', format], {
        forbidden: {},
        shop: { a: {}, b: { status: 500 } },
      })

    it('comes with errors', async () => {
      expect((await run('csv')).stderr).toBe(`error: project forbidden: 403: no
hint: use a key that has this permission
error: b: 500: database is down
hint: try again later
error: 1 of 2 projects and 1 of 2 flags could not be read
`)
    })

    it('comes with errors in JSON', async () => {
      expect(linesOf((await run('json')).stderr)).toMatchObject([
        { error: { projectId: 'forbidden', status: 403 } },
        { error: { featureName: 'b', status: 500 } },
        { error: { message: '1 of 2 projects and 1 of 2 flags could not be read' } },
      ])
    })
  })

  it('of an archived flag is an error', async () => {
    const { code, stderr } = await hourly(['gone', '--project', 'shop', '--since', '24h'])
    expect([code, stderr]).toEqual([6, 'error: gone: archived in project shop\n'])
  })

  it('of projects has their names, and a total of all', async () => {
    const argv = ['--all-projects', '--since', '48h', '--group-by', 'flag']
    const { stdout } = await hourly(argv)
    expect(stdout).toContain('\nFlag    Project  Enabled')
    expect(stdout).toContain('\ndigest  mail           0         4')
    expect(stdout).toMatch(/\nTotal +6 +7 +13 +46\.2%\n/)
    const csv = await hourly(['--project', 'mail', '--since', '48h', '-o', 'csv'])
    expect(csv.stdout).toContain(
      '\r\ndigest,mail,web,staging,,0,4,{},2026-11-18T17:00:00.000Z,2026-11-18T17:',
    )
  })

  it('in JSON is the document of the service, with the name of the flag if there are several', async () => {
    const one = await hourly(['basket', '--since', '1h', '--json'])
    expect(Object.keys(JSON.parse(one.stdout))).toEqual(['data'])
    for (const name of [[], ['ba*']]) {
      const { stdout } = await hourly([...name, '--project', 'shop', '--since', '2h', '--json'])
      const [banner, basket, ...more] = linesOf(stdout)
      expect(banner).toMatchObject({ project: 'shop', flag: 'banner' })
      expect(banner.usage.data).toEqual([])
      expect(basket).toMatchObject({ project: 'shop', flag: 'basket' })
      expect(basket.usage.data).toHaveLength(6)
      expect(more).toEqual([])
    }
  })

  it('reports if the service covers less than the span', async () => {
    for (const since of ['72 h', '3 d']) {
      const argv = ['basket', '--since', since.replace(' ', '')]
      const { stdout } = await hourly(argv, projects, { hours: 24 })
      expect(stdout).toContain('since 2026-11-19 17:00 UTC (23h 10m of 3 days)')
      expect(stdout).toContain(
        `\nIncomplete: the service covers only 23h 10m of the ${since} requested (since 2026-11-19 17:00 UTC)\n`,
      )
    }
  })

  it('reports usage that is in none of the hours', async () => {
    const seen = { shop: { flag: { production: { seen: 0.1 } } } }
    expect((await hourly(['flag', '--project', 'shop', '--since', '24h'], seen)).stdout).toContain(
      '\nIncomplete: the service saw the flag in production at 2026-11-20 13:46 UTC, but has no usage of it there since 2026-11-19 16:00 UTC\n',
    )
    const usage = [{ hoursAgo: 60, yes: 1, no: 0 }]
    const zeros = { shop: { a: { usage }, b: { usage }, c: {} } }
    const text =
      'Incomplete: the service has usage by web in production that is missing from the hourly figures since 2026-11-19 16:00 UTC: the clock of an application may be ahead (a, b)\n'
    const argv = ['a', 'b', 'c', '--since', '24h']
    expect((await hourly(argv, zeros)).stdout).toContain(`\n${text}`)
    for (const format of ['csv', 'json', 'openmetrics']) {
      expect((await hourly([...argv, '-o', format], zeros)).stderr).toContain(text.trimEnd())
    }
  })

  it('reports that the service lists at most 100 applications', async () => {
    const usage = Array.from({ length: 100 }, (_, index) => {
      return { hoursAgo: 1, yes: 1, no: 0, appName: `app-${index}` }
    })
    const seed = { shop: { flag: { usage } } }
    const text = 'the service reports only 100 applications of a flag, and there may be more'
    const run = (format: string) => hourly(['flag', '--since', '2h', '-o', format], seed)
    for (const format of ['table', 'markdown', 'jsonl']) {
      expect((await run(format)).stdout).toContain(text)
    }
    for (const format of ['csv', 'json']) expect((await run(format)).stderr).toContain(text)
    expect((await run('openmetrics')).stdout).toContain(',kind="application"} 1\n')
  })

  it('covers the same hours for all flags, even if a new hour begins meanwhile', async () => {
    const clock = patientClock(Date.UTC(2026, 10, 20, 16, 59, 57))
    const start = Date.UTC(2026, 10, 18, 17)
    let reads = 0
    const server = await serve((response, { url }) => {
      if (url === '/health') return json(response, 200, { health: 'GOOD' })
      if (!url.includes('/client-metrics/')) return json(response, 404, { message: 'not found' })
      // The first flag is read before the hour, and once more after it.
      const isFirst = url.includes('/a/') && ++reads === 1
      const first = start + (isFirst ? 0 : 3_600_000)
      if (isFirst) clock.step(30_000)
      const data = Array.from({ length: 48 }, (_, index) => ({
        appName: 'web',
        environment: 'production',
        yes: 1,
        no: 0,
        timestamp: new Date(first + index * 3_600_000).toISOString(),
      }))
      return json(response, 200, { data })
    })
    const argv = ['a', 'b', '--since', '48h', '-o', 'jsonl', '--concurrency', '1']
    const { stdout } = await flagadm(['feature', 'usage', ...argv], {
      env: environment(server.url),
      clock: clock.clock,
    })
    expect(linesOf(stdout)).toMatchObject([
      { flag: 'a', from: '2026-11-18T18:00:00.000Z', enabled: 48 },
      { flag: 'b', from: '2026-11-18T18:00:00.000Z', enabled: 48 },
    ])
    expect(reads).toBe(2)
  })
})

describe('--watch', () => {
  const watched = async (argv: readonly string[], columns?: number) => {
    const server = await readings([200, 200])
    const { clock } = patientClock(now)
    const { stdout } = await flagadm(
      ['feature', 'usage', 'a', '--watch', '--retries', '0', ...argv],
      {
        env: environment(server.url),
        clock,
        ...(columns !== undefined && { columns }),
      },
    )
    return stdout.replaceAll(server.url, 'http://service')
  }

  it('prints JSON Lines on a terminal if they are asked for', async () => {
    const lines = linesOf(await watched(['-o', 'jsonl'], 80))
    expect(lines.map(({ enabled }) => enabled)).toEqual([1, 2, undefined])
  })

  it('prints tables below each other in a pipe if they are asked for', async () => {
    const tables = (await watched(['-o', 'table'])).split('\n\nUsage of a on http://service')
    expect(tables).toHaveLength(3)
    expect(tables[1]).toContain('\nweb          production         2         0      2  100.0%\n')
  })

  const readings = (statuses: readonly number[]) =>
    serve((response, _request, count) => {
      const status = statuses[count - 1] ?? 403
      const lastHourUsage = [record('web', 'production', count, 0)]
      json(response, status, status === 200 ? { lastHourUsage } : { message: 'no' })
    })

  it('appends rows with the time of each reading, until the key is refused', async () => {
    const server = await readings([200, 200])
    const { clock, waits } = patientClock(now)
    const env = environment(server.url)
    const argv = 'feature usage a --watch --retries 0 --app web'.split(' ')
    const { code, stdout, stderr } = await flagadm(argv, { env, clock })
    const [first, second, last, ...more] = linesOf(stdout)
    expect(first).toMatchObject({ readAt: '2026-11-20T16:10:00.000Z', enabled: 1 })
    expect(second).toMatchObject({ readAt: '2026-11-20T16:10:10.000Z', enabled: 2 })
    expect(last).toEqual({
      incomplete: [{ message: '1 of 1 flag could not be read', names: ['a'] }],
    })
    expect(more).toEqual([])
    expect({ code, waits }).toEqual({ code: 5, waits: [10_000, 10_000] })
    expect(stderr).toMatch(/^error: a: 403: no\n/)
  })

  it('ends at once if filters match nothing that is known, or no name is a flag', async () => {
    const server = await readings([200])
    const world = { env: environment(server.url), clock: patientClock(now).clock }
    const argv = ['feature', 'usage', 'a', '--watch', '--app', 'x']
    expect(ending(await flagadm(argv, world))).toBe(
      "6 error: unknown application 'x' (known: web)\n",
    )
    const missing = await hourly(['baskt', '--watch'])
    expect(ending(missing)).toBe(
      '6 error: baskt: not a flag of any project that the service lists; did you mean basket?\n',
    )
  })

  it('draws the table again on a terminal, and goes on after a failure', async () => {
    const server = await readings([200, 500, 200])
    const { clock, waits } = patientClock(now)
    const argv = ['--watch', '--interval', '2m', '--retries', '0', '--no-color']
    const env = environment(server.url)
    const { stdout, stderr } = await flagadm(['feature', 'usage', 'a', ...argv], {
      env,
      clock,
      columns: 80,
    })
    const frames = stdout.split('\u001b[H\u001b[2J\u001b[3J').slice(1)
    expect(frames).toHaveLength(4)
    expect(frames[0]).toMatch(/^Usage of a on http:\S+, in the clock hour from 2026-11-20 16:00\s/)
    expect(frames[0]?.endsWith('\nread at 16:10:00 UTC, every 120 s; Ctrl-C ends\n')).toBe(true)
    expect(frames[1]).toContain('Incomplete: 1 of 1 flag could not be read (a)')
    expect(waits).toEqual([120_000, 120_000, 120_000])
    expect(stderr).toMatch(/^error: a: 500: no\n/)
  })

  it('reports at each reading why a single flag cannot be read', async () => {
    const server = await serve((response, _request, count) => {
      if (count <= 2) response.destroy()
      else json(response, 403, { message: 'no' })
    })
    const { code, stdout, stderr } = await flagadm(
      ['feature', 'usage', 'a', '--watch', '--retries', '0'],
      { env: environment(server.url), clock: patientClock(now).clock },
    )
    expect(linesOf(stdout)).toHaveLength(3)
    const broken = `error: a: ${server.url}: the connection was closed before the response was complete`
    expect(stderr.split('\n').filter((line) => line.startsWith('error:'))).toEqual([
      broken,
      broken,
      'error: a: 403: no',
    ])
    expect(code).toBe(5)
  })
})
