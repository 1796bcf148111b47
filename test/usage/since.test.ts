import { parse } from 'csv-parse/sync'
import parsePrometheus from 'parse-prometheus-text-format'
import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World, withoutCaption } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const HOUR = 3_600_000
/** The time of the service: 2026-11-21 16:10. */
const now = Date.UTC(2026, 10, 21, 16, 10)

interface Report {
  app?: string
  environment?: string
  hoursAgo: number
  yes?: number
  no?: number
  variants?: Record<string, number>
}

/** The start of the hour this many hours ago. */
const hourAt = (hoursAgo: number) =>
  new Date(Math.floor(now / HOUR) * HOUR - hoursAgo * HOUR).toISOString()

/** The records of a service: every combination of hour, environment and application, filled with zeros. */
function recordsOf(flag: string, reports: readonly Report[], hours: number) {
  const within = reports.filter(({ hoursAgo }) => hoursAgo < hours)
  const environments = [...new Set(within.map(({ environment = 'production' }) => environment))]
  const applications = [...new Set(within.map(({ app = 'web' }) => app))]
  const buckets = Array.from({ length: hours }, (_, index) => hours - 1 - index)
  return buckets.flatMap((hoursAgo) =>
    environments.flatMap((environment) =>
      applications.map((appName) => {
        const {
          yes = 0,
          no = 0,
          variants,
        } = within.find(
          (report) =>
            report.hoursAgo === hoursAgo &&
            (report.environment ?? 'production') === environment &&
            (report.app ?? 'web') === appName,
        ) ?? {}
        const counts = { yes, no, ...(variants && { variants }) }
        return { featureName: flag, appName, environment, timestamp: hourAt(hoursAgo), ...counts }
      }),
    ),
  )
}

const flags: Record<string, Report[]> = {
  basket: [
    { hoursAgo: 3, yes: 30, no: 10, variants: { red: 20, blue: 10 } },
    { hoursAgo: 5, yes: 5, variants: { red: 5 } },
    { app: 'ios', hoursAgo: 20, yes: 7 },
    { app: 'ios', environment: 'staging', hoursAgo: 47, no: 2 },
  ],
  old: [{ hoursAgo: 47, yes: 1 }],
  idle: [],
}

interface ServiceOptions {
  reports?: Record<string, Report[]>
  /** How many hours the service covers, if it does not cover what is requested. */
  covers?: number
  unknown?: string[]
  /** When the flags of the project `shop` were last seen in each environment. */
  seen?: Record<string, Record<string, string | null>>
  /** The environments in which the flags of that project are on; if undefined, the service does not list that. */
  on?: string[]
}

/** A service whose hourly usage follows these reports. It silently returns 24 hours for more than 48. */
function service({ reports = flags, covers, unknown = [], seen, on }: ServiceOptions) {
  return serve((response, { url }) => {
    const [, name = '', asked = ''] =
      /^\/api\/admin\/client-metrics\/features\/([^/]+)\/raw\?hoursBack=(\w+)$/.exec(url) ?? []
    if (url === '/api/admin/metrics/unknown-flags') {
      const unknownFlags = unknown.map((name) => ({ name, reports: [{ appName: 'web' }] }))
      return json(response, 200, { unknownFlags })
    }
    if (seen && url === '/api/admin/projects/shop/overview') return json(response, 200, {})
    if (seen && url === '/api/admin/projects/shop/features') {
      const features = Object.entries(seen).map(([flag, times]) => {
        const environments = Object.entries(times).map(([name, lastSeenAt]) => {
          return { name, lastSeenAt, ...(on && { enabled: on.includes(name) }) }
        })
        return { name: flag, environments }
      })
      return json(response, 200, { features })
    }
    if (name === '') return json(response, 404, { name: 'NotFoundError', message: 'no such path' })
    const hours = covers ?? (Number(asked) <= 48 ? Number(asked) : 24)
    const data = recordsOf(name, reports[name] ?? [], hours)
    return json(response, 200, { version: 1, maturity: 'stable', data })
  })
}

async function usage(argv: readonly string[], options: ServiceOptions = {}, world: World = {}) {
  const server = await service(options)
  const outcome = await flagadm(['feature', 'usage', '--retries', '0', ...argv], {
    clock: patientClock(now).clock,
    ...world,
    env: environment(server.url),
  })
  const asked = server.received.map(({ url }) => url.replace('/api/admin/', ''))
  return { ...withoutCaption(outcome), asked }
}

describe('--since', () => {
  test('shows the evaluations of each application and environment over the span', async () => {
    const { code, stdout, stderr, asked } = await usage(['basket', '--since', '48h'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`basket (since 2026-11-19 17:00 UTC, 47 h 10 min of 48 h)

Application  Environment  Enabled  Disabled  Total              Share  Variants                                                    Trend  Last used
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
ios          production         7         0      7  ██████████ 100.0%                   ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁  2026-11-20 20:00Z
web          production        35        10     45  ████████░░  77.8%  red 25, blue 10  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▂▁█▁▁▁  2026-11-21 13:00Z
ios          staging            0         2      2  ░░░░░░░░░░   0.0%                   █▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁  2026-11-19 17:00Z
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
Total                          42        12     54  ████████░░  77.8%                   ▂▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▁▁▁▁▁▁▂▁█▁▁▁
`)
    expect(asked).toEqual(['client-metrics/features/basket/raw?hoursBack=48'])
  })

  test('has a shorter trend on a terminal of 80 columns', async () => {
    const { stdout } = await usage(['basket', '--since', '48h', '--no-color'], {}, { columns: 80 })
    expect(stdout).toBe(`basket (since 2026-11-19 17:00 UTC, 47 h 10 min of 48 h)

App    Env         Enabled  Disabled  Total   Share         Trend  Last used
───────────────────────────────────────────────────────────────────────────────
ios    production        7         0      7  100.0%  ▁▁▁▁▁▁█▁▁▁▁▁  11-20 20:00Z
web    production       35        10     45   77.8%  ▁▁▁▁▁▁▁▁▁▁▂█  11-21 13:00Z
  └ red 25, blue 10
ios    staging           0         2      2    0.0%  █▁▁▁▁▁▁▁▁▁▁▁  11-19 17:00Z
───────────────────────────────────────────────────────────────────────────────
Total                   42        12     54   77.8%  ▂▁▁▁▁▁▃▁▁▁▂█
`)
  })

  test.each([
    ['10s', 2],
    ['59m', 2],
    ['1h', 2],
    ['61m', 3],
    ['1.5h', 3],
    ['24h', 25],
    ['47h', 48],
    ['2d', 48],
    ['3d', 48],
  ])('%s asks for %i hours', async (since, hours) => {
    const { asked } = await usage(['basket', '--since', since, '-o', 'csv'])
    expect(asked.slice(0, 1)).toEqual([`client-metrics/features/basket/raw?hoursBack=${hours}`])
  })

  test('counts hours with usage only, although the service fills the others with zeros', async () => {
    const { stdout } = await usage(['basket', 'old', 'idle', '--since', '24h', '-o', 'jsonl'])
    const rows = stdout.trimEnd().split('\n')
    expect(rows).toEqual([
      '{"flag":"basket","application":"ios","environment":"production","timestamp":null,"enabled":7,"disabled":0,"variants":{},"bucket":null,"lastUsed":"2026-11-20T20:00:00.000Z","from":"2026-11-20T16:00:00.000Z","to":"2026-11-21T16:10:00.000Z"}',
      '{"flag":"basket","application":"web","environment":"production","timestamp":null,"enabled":35,"disabled":10,"variants":{"red":25,"blue":10},"bucket":null,"lastUsed":"2026-11-21T13:00:00.000Z","from":"2026-11-20T16:00:00.000Z","to":"2026-11-21T16:10:00.000Z"}',
      '{"flag":"old","application":null,"environment":null,"timestamp":null,"enabled":0,"disabled":0,"variants":{},"bucket":null,"lastUsed":null,"from":"2026-11-20T16:00:00.000Z","to":"2026-11-21T16:10:00.000Z"}',
      '{"flag":"idle","application":null,"environment":null,"timestamp":null,"enabled":0,"disabled":0,"variants":{},"bucket":null,"lastUsed":null,"from":"2026-11-20T16:00:00.000Z","to":"2026-11-21T16:10:00.000Z"}',
    ])
  })

  test('keeps the columns of csv, with new ones after them', async () => {
    const { stdout } = await usage(['basket', '--app', 'web', '--since', '48h', '-o', 'csv'])
    expect(stdout).toBe(
      'flag,application,environment,timestamp,enabled,disabled,variants,bucket,lastUsed,from,to\r\n' +
        'basket,web,production,,35,10,"{""red"":25,""blue"":10}",' +
        ',2026-11-21T13:00:00.000Z,2026-11-19T17:00:00.000Z,2026-11-21T16:10:00.000Z\r\n',
    )
  })

  test('prints the document of the service as json', async () => {
    const { stdout } = await usage(['old', '--since', '1h', '--json'])
    expect(stdout).toBe('{"version":1,"maturity":"stable","data":[]}\n')
  })

  test('shows when rows were last used in markdown', async () => {
    const { stdout } = await usage(['basket', 'idle', '--since', '24h', '-o', 'markdown', '-q'])
    expect(stdout).toBe(`Usage since 2026-11-20 16:00 UTC, 24 h 10 min

| Flag | Application | Environment | Enabled | Disabled | Total | Share | Variants | Last used |
| --- | --- | --- | ---: | ---: | ---: | ---: | --- | --- |
| \`basket\` | \`ios\` | \`production\` | 7 | 0 | 7 | 100.0% |  | 2026-11-20 20:00Z |
| \`basket\` | \`web\` | \`production\` | 35 | 10 | 45 | 77.8% | \`red\` 25, \`blue\` 10 | 2026-11-21 13:00Z |
| \`idle\` |  |  | 0 | 0 | 0 | — |  | — |
| **Total** |  |  | 42 | 10 | 52 | 80.8% |  |  |

2 flags: 1 in use, 1 unused

No application reported \`idle\`: it may not exist (--project checks that)
`)
  })

  test.each([
    [['idle'], 'it may'],
    [['idle', 'lost'], 'they may'],
  ])('ends a table with flags that may not exist, instead of a note: %j', async (names, they) => {
    const { stdout, stderr } = await usage([...names, '--since', '24h'])
    expect(stderr).toBe('')
    expect(stdout.split('\n').at(-2)).toBe(
      `No application reported ${names.join(', ')}: ${they} not exist (--project checks that)`,
    )
  })

  test('works with filters and groups', async () => {
    const rows = async (...argv: string[]) => {
      const { stdout } = await usage([...argv, '--since', '48h', '-o', 'csv', '-q'])
      return parse(stdout, { columns: true })
    }
    expect(await rows('basket', 'old', 'idle', '--unused')).toMatchObject([{ flag: 'idle' }])
    expect(await rows('basket', 'old', '--group-by', 'environment')).toMatchObject([
      { environment: 'production', enabled: '43', lastUsed: '2026-11-21T13:00:00.000Z' },
      { environment: 'staging', disabled: '2', lastUsed: '2026-11-19T17:00:00.000Z' },
    ])
    expect(await rows('basket', '--group-by', 'variant')).toMatchObject([
      { variants: '{"blue":10}' },
      { variants: '{"red":25}' },
    ])
  })

  test('shows when each variant was last selected', async () => {
    const reports = {
      basket: [
        { hoursAgo: 3, yes: 20, variants: { red: 20 } },
        { hoursAgo: 5, yes: 5, variants: { blue: 5 } },
        { app: 'ios', hoursAgo: 4, yes: 5, variants: { blue: 1 } },
        { hoursAgo: 20, yes: 1, variants: { red: 1 } },
      ],
    }
    const variants = async (...argv: string[]) => {
      const options = ['--since', '24h', '--group-by', 'variant', '-o', 'csv', ...argv]
      const { stdout } = await usage(['basket', ...options], { reports })
      const rows: Record<string, string>[] = parse(stdout, { columns: true })
      return rows.map(({ variants, bucket, lastUsed }) => [variants, bucket, lastUsed].join(' '))
    }
    expect(await variants()).toEqual([
      '{"blue":6}  2026-11-21T12:00:00.000Z',
      '{"red":21}  2026-11-21T13:00:00.000Z',
    ])
    expect(await variants('--by', 'day')).toEqual([
      '{"blue":6} 2026-11-21T00:00:00.000Z 2026-11-21T12:00:00.000Z',
      '{"red":1} 2026-11-20T00:00:00.000Z 2026-11-20T20:00:00.000Z',
      '{"red":20} 2026-11-21T00:00:00.000Z 2026-11-21T13:00:00.000Z',
    ])
  })

  test('notes flags without reports, which may not exist', async () => {
    const { code, stderr } = await usage(['basket', 'idle', '--since', '24h', '-o', 'csv'])
    expect([code, stderr]).toEqual([
      0,
      'note: no application reported idle since 2026-11-20 16:00 UTC; --project checks that a flag exists\n',
    ])
  })

  test('reports a name that SDKs ask for and no flag has', async () => {
    const options = { unknown: ['bascet'] }
    const { code, stdout, stderr } = await usage(['bascet', '--since', '24h'], options)
    expect([code, stdout, stderr]).toEqual([
      6,
      '',
      "error: bascet: not a flag; SDKs asked for 'bascet' (web): a typo?\n" +
        'hint: check the name; flagadm feature list --all-projects lists the flags\n',
    ])
  })

  test('is refused by a service without hourly usage', async () => {
    const server = await serve((response) =>
      json(response, 404, { name: 'NotFoundError', message: 'no such path' }),
    )
    const argv = ['feature', 'usage', 'f', '--since', '24h', '--expect', 'unused']
    const { code, stderr } = await flagadm(argv, { env: environment(server.url) })
    expect([code, stderr]).toEqual([
      6,
      'error: f: 404 NotFoundError: no such path\n' +
        'hint: this service has no hourly usage: leave out --since; a check over a longer time needs --for\n',
    ])
  })

  test.each(['--watch', '--for', '--interval', '--fail-fast'])(
    'cannot be combined with %s',
    async (option) => {
      const value = option === '--for' || option === '--interval' ? ['10s'] : []
      const argv = ['f', '--since', '24h', ...(option === '--watch' ? [] : ['--expect', 'used'])]
      const { code, stderr } = await usage([...argv, option, ...value])
      expect(code).toBe(2)
      expect(stderr).toContain(`--since cannot be used with ${option}`)
    },
  )
})

describe('a span that the service does not keep', () => {
  const shortfall =
    'the service covers only 47 h 10 min of the 72 h requested (since 2026-11-19 17:00 UTC)'

  test('is read as far as the service keeps it', async () => {
    const { code, stdout, stderr } = await usage(['basket', '--since', '72h'])
    expect([code, stderr]).toEqual([0, `warning: ${shortfall}\n`])
    expect(stdout).toMatch(/^basket \(since 2026-11-19 17:00 UTC, 47 h 10 min of 72 h\)/)
  })

  test('makes a gate without usage inconclusive', async () => {
    const reports = { late: [{ hoursAgo: 2, yes: 1 }], idle: [] }
    const gate = ['--since', '72h', '--expect', 'unused', '--allow-unseen']
    const { code, stdout } = await usage(['late', 'idle', ...gate], { reports })
    expect([code, stdout]).toEqual([
      9,
      '✗ late is in use (expected unused): 1 evaluation since 2026-11-19 17:00 UTC, 47 h 10 min of 72 h; last used in the hour from 2026-11-21 14:00 UTC by web in production\n' +
        `? idle is inconclusive (expected unused): no usage was seen, but ${shortfall}\n`,
    ])
    const used = await usage(['late', '--since', '72h', '--expect', 'used'], { reports })
    expect(used.code).toBe(0)
  })

  test('may be shorter than the span that others keep', async () => {
    const argv = ['basket', '--since', '48h', '--app', 'ios', '--allow-unknown-filter']
    const { code, stdout } = await usage([...argv, '--expect', 'unused'], { covers: 12 })
    expect([code, stdout]).toEqual([
      9,
      expect.stringContaining('covers only 11 h 10 min of the 48 h'),
    ])
  })
})

describe('--by', () => {
  const rowsBy = async (...argv: string[]) => {
    const { stdout } = await usage([...argv, '-o', 'csv'])
    const rows: Record<string, string>[] = parse(stdout, { columns: true })
    return rows
  }

  test('hour has a row for each hour of each application and environment in use', async () => {
    const rows = await rowsBy('basket', '--since', '48h', '--by', 'hour')
    expect(rows).toHaveLength(3 * 48)
    const used = rows.filter(({ enabled, disabled }) => enabled !== '0' || disabled !== '0')
    const parts = used.map(({ application, bucket, lastUsed, enabled, disabled }) => {
      expect(lastUsed).toBe(bucket)
      return [application, bucket, enabled, disabled].join(' ')
    })
    expect(parts).toEqual([
      'ios 2026-11-20T20:00:00.000Z 7 0',
      'web 2026-11-21T11:00:00.000Z 5 0',
      'web 2026-11-21T13:00:00.000Z 30 10',
      'ios 2026-11-19T17:00:00.000Z 0 2',
    ])
    expect(rows.slice(0, 2)).toMatchObject([
      { application: 'ios', bucket: '2026-11-19T17:00:00.000Z', enabled: '0', lastUsed: '' },
      { application: 'ios', bucket: '2026-11-19T18:00:00.000Z' },
    ])
  })

  test.each([
    [
      ['--by', 'hour'],
      ['2026-11-21T15:00:00.000Z', '2026-11-21T16:00:00.000Z'],
    ],
    [['--by', 'day'], ['']],
    [[], ['']],
    [['--group-by', 'environment'], ['']],
  ])('%j decides whether the figures of a row are of one hour', async (argv, timestamps) => {
    const reports = { late: [{ hoursAgo: 1, yes: 1 }] }
    const { stdout } = await usage(['late', '--since', '1h', ...argv, '-o', 'csv'], { reports })
    const rows: Record<string, string>[] = parse(stdout, { columns: true })
    expect(rows.map(({ timestamp }) => timestamp)).toEqual(timestamps)
  })

  test('day adds up the hours of a day', async () => {
    const rows = await rowsBy('basket', '--app', 'web', '--since', '48h', '--by', 'day')
    expect(rows.map(({ bucket, enabled, lastUsed }) => [bucket, enabled, lastUsed])).toEqual([
      ['2026-11-19T00:00:00.000Z', '0', ''],
      ['2026-11-20T00:00:00.000Z', '0', ''],
      ['2026-11-21T00:00:00.000Z', '35', '2026-11-21T13:00:00.000Z'],
    ])
  })

  test('day and --group-by add up separately for each day', async () => {
    const rows = await rowsBy(
      'basket',
      'old',
      '--since',
      '48h',
      '--by',
      'day',
      '--group-by',
      'environment',
    )
    expect(rows.map(({ environment, bucket, enabled }) => [environment, bucket, enabled])).toEqual([
      ['production', '2026-11-19T00:00:00.000Z', '1'],
      ['production', '2026-11-20T00:00:00.000Z', '7'],
      ['production', '2026-11-21T00:00:00.000Z', '35'],
      ['staging', '2026-11-19T00:00:00.000Z', '0'],
      ['staging', '2026-11-20T00:00:00.000Z', '0'],
      ['staging', '2026-11-21T00:00:00.000Z', '0'],
    ])
  })

  test('hour is a column of the table', async () => {
    const { stdout } = await usage(['basket', '--app', 'web', '--since', '4h', '--by', 'hour'])
    expect(stdout).toBe(`basket (since 2026-11-21 12:00 UTC, 4 h 10 min)

Application  Environment  Hour               Enabled  Disabled  Total              Share  Variants
─────────────────────────────────────────────────────────────────────────────────────────────────────────
web          production   2026-11-21 12:00Z        0         0      0                  —
web          production   2026-11-21 13:00Z       30        10     40  ████████░░  75.0%  red 20, blue 10
web          production   2026-11-21 14:00Z        0         0      0                  —
web          production   2026-11-21 15:00Z        0         0      0                  —
web          production   2026-11-21 16:00Z        0         0      0                  —
─────────────────────────────────────────────────────────────────────────────────────────────────────────
Total                                             30        10     40  ████████░░  75.0%
`)
  })

  test('day is a column of markdown', async () => {
    const argv = ['basket', '--app', 'web', '--since', '4h', '--by', 'day', '-o', 'markdown']
    const { stdout } = await usage(argv)
    expect(stdout).toContain(
      '| `basket` | `web` | `production` | 2026-11-21 | 30 | 10 | 40 | 75.0% | `red` 20, `blue` 10 |\n' +
        '| **Total** |  |  |  | 30 | 10 | 40 | 75.0% |  |\n',
    )
  })

  test('hour is a label of openmetrics, and no sample has a timestamp', async () => {
    const argv = ['basket', 'idle', '--app', 'web', '--since', '4h', '-o', 'openmetrics', '-q']
    const whole = await usage(argv)
    expect(whole.stdout).toBe(`# TYPE feature_flag_evaluations gauge
# HELP feature_flag_evaluations Evaluations of a feature flag since 2026-11-21 12:00 UTC, 4 h 10 min.
feature_flag_evaluations{flag="basket",application="web",environment="production",result="enabled"} 30
feature_flag_evaluations{flag="basket",application="web",environment="production",result="disabled"} 10
feature_flag_evaluations{flag="idle",result="enabled"} 0
feature_flag_evaluations{flag="idle",result="disabled"} 0
# TYPE feature_flag_variant_evaluations gauge
# HELP feature_flag_variant_evaluations Selections of a variant since 2026-11-21 12:00 UTC, 4 h 10 min.
feature_flag_variant_evaluations{flag="basket",application="web",environment="production",variant="red"} 20
feature_flag_variant_evaluations{flag="basket",application="web",environment="production",variant="blue"} 10
# TYPE feature_flag_usage_unread gauge
# HELP feature_flag_usage_unread Flags and projects that could not be read.
feature_flag_usage_unread{kind="flag"} 0
feature_flag_usage_unread{kind="project"} 0
# EOF
`)
    const { stdout } = await usage([...argv, '--by', 'hour'])
    const [evaluations] = parsePrometheus(stdout)
    expect(evaluations?.metrics[2]).toEqual({
      value: '30',
      labels: {
        flag: 'basket',
        application: 'web',
        environment: 'production',
        hour: '2026-11-21T13:00:00.000Z',
        result: 'enabled',
      },
    })
    expect(evaluations?.metrics).toHaveLength(2 * 5 + 2)
  })

  test('requires --since', async () => {
    const { code, stderr } = await usage(['basket', '--by', 'hour'])
    expect([code, stderr]).toEqual([
      2,
      'error: --by requires --since\nhint: add --since or leave out --by\n',
    ])
  })

  test('cannot be combined with json', async () => {
    const { code, stderr } = await usage(['basket', '--since', '2h', '--by', 'hour', '--json'])
    expect(code).toBe(2)
    expect(stderr).toContain('json output cannot be combined with --by')
  })
})

describe('a gate with --since', () => {
  const gate = (argv: readonly string[], options?: ServiceOptions) =>
    usage([...argv, '--since', '48h'], options)

  test('sees usage of earlier hours, and reads only once', async () => {
    const { code, stdout, asked } = await gate(['basket', '--expect', 'unused'])
    expect([code, stdout]).toEqual([
      9,
      '✗ basket is in use (expected unused): 54 evaluations since 2026-11-19 17:00 UTC, 47 h 10 min of 48 h; last used in the hour from 2026-11-21 13:00 UTC by web in production\n',
    ])
    expect(asked).toEqual(['client-metrics/features/basket/raw?hoursBack=48'])
  })

  test('passes if the filters keep no usage', async () => {
    const argv = ['basket', '--expect', 'unused', '--environment', 'production', '--app', 'ios']
    const { code } = await usage([...argv, '--since', '24h'])
    expect(code).toBe(9)
    const later = await usage([
      'basket',
      '--expect',
      'unused',
      '--environment',
      'production',
      '--since',
      '2h',
      '--allow-unseen',
      '--allow-unknown-filter',
    ])
    expect([later.code, later.stdout, later.stderr]).toEqual([
      0,
      '✓ basket is unused: no evaluations since 2026-11-21 14:00 UTC, 2 h 10 min; no application has reported this flag, and it may not exist\n',
      '',
    ])
  })

  test('is inconclusive for a flag that no application has reported, because it may not exist', async () => {
    const { code, stdout } = await gate(['idle', '--expect', 'unused'])
    expect([code, stdout]).toEqual([
      9,
      '? idle is inconclusive (expected unused): no application has reported this flag since 2026-11-19 17:00 UTC; --project checks that it exists\n',
    ])
    expect((await gate(['idle', '--expect', 'unused', '--allow-unseen'])).code).toBe(0)
  })

  test('never passes for a name that SDKs ask for and no flag has', async () => {
    const argv = ['bascet', '--expect', 'unused', '--allow-unseen']
    const { code, stderr } = await gate(argv, { unknown: ['bascet'] })
    expect(code).toBe(6)
    expect(stderr).toMatch(
      /^error: bascet: not a flag; SDKs asked for 'bascet' \(web\): a typo\?\n/,
    )
  })

  test('lists the evidence as json', async () => {
    const { stdout } = await gate(['basket', '--expect', 'unused', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      expect: 'unused',
      spanSeconds: 169_800,
      requestedSeconds: 172_800,
      verdict: 'failed',
      flags: [
        {
          flag: 'basket',
          enabled: 42,
          disabled: 12,
          history: {
            lastUsed: '2026-11-21T13:00:00.000Z',
            applications: ['web'],
            environments: ['production'],
            uses: [
              {
                application: 'ios',
                environment: 'production',
                lastUsed: '2026-11-20T20:00:00.000Z',
              },
              {
                application: 'web',
                environment: 'production',
                lastUsed: '2026-11-21T13:00:00.000Z',
              },
              {
                application: 'ios',
                environment: 'staging',
                lastUsed: '2026-11-19T17:00:00.000Z',
              },
            ],
          },
        },
      ],
    })
  })

  describe('is inconclusive if the service has usage later than now', () => {
    const ahead = (what: string) =>
      `the service has usage ${what} that is missing from the hourly figures since 2026-11-19 17:00 UTC: the clock of an application may be ahead`
    const later: Record<string, Report[]> = {
      kiosk: [{ app: 'kiosk', hoursAgo: -3, yes: 5 }],
      mixed: [
        { app: 'web', environment: 'staging', hoursAgo: 2, yes: 1 },
        { app: 'kiosk', hoursAgo: -3, yes: 5 },
      ],
    }

    test.each([
      ['kiosk', [], 'by kiosk in production'],
      ['mixed', ['--environment', 'production'], 'by kiosk in production'],
      ['mixed', ['--app', 'kiosk', '--environment', 'staging'], 'by kiosk'],
      ['mixed', ['--app', 'ios', '--allow-unknown-filter'], 'in production'],
    ])('%s %j', async (flag, argv, what) => {
      const options = [flag, '--expect', 'unused', '--allow-unseen', ...argv]
      const { code, stdout } = await gate(options, { reports: later })
      expect([code, stdout]).toEqual([
        9,
        `? ${flag} is inconclusive (expected unused): ${ahead(what)}\n`,
      ])
    })

    test('and a report has a warning', async () => {
      const argv = ['kiosk', 'mixed', 'basket', '--since', '48h', '--unused']
      const { code, stderr } = await usage(argv, { reports: { ...flags, ...later } })
      expect([code, stderr]).toEqual([0, `warning: 2 flags (kiosk, mixed): ${ahead('of them')}\n`])
    })
  })

  describe('with --project compares the usage with when the service last saw the flag', () => {
    const seen = {
      lost: { production: '2026-11-20T08:15:00Z', staging: null },
      basket: { production: '2026-11-21T13:20:00Z', development: '2026-11-21T16:09:00Z' },
      old: { production: '2026-11-19T16:59:00Z' },
      odd: { production: 'yesterday' },
    }
    const lacks = (environment: string, time: string) =>
      `the service saw the flag in ${environment} at 2026-11-${time} UTC, but has no usage of it there since 2026-11-19 17:00 UTC`

    test.each([
      [['lost'], `${lacks('production', '20 08:15')}; last seen 2026-11-20 in production`],
      [
        ['basket', '--environment', 'development'],
        `${lacks('development', '21 16:09')}; last seen 2026-11-21 in development`,
      ],
    ])('and is inconclusive for %j', async (argv, reason) => {
      const options = ['--project', 'shop', '--allow-unknown-filter', '--expect', 'unused']
      const { code, stdout } = await gate([...argv, ...options], { seen })
      expect([code, stdout]).toEqual([
        9,
        `? ${argv[0]} is inconclusive (expected unused): ${reason}\n`,
      ])
    })

    test.each([
      [['lost', '--environment', 'staging']],
      [['basket', '--app', 'android']],
      [['old']],
      [['odd']],
    ])('and passes for %j', async (argv) => {
      const options = ['--project', 'shop', '--allow-unknown-filter', '--expect', 'unused']
      const basket = { production: seen.basket.production }
      const { code, stdout } = await gate([...argv, ...options], {
        reports: { basket: flags.basket ?? [] },
        seen: { ...seen, basket },
      })
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^✓ \w+ is unused: /)])
    })

    test('and a report has a warning', async () => {
      const argv = ['--project', 'shop', '--since', '48h', '--unused']
      const { code, stderr } = await usage(argv, { seen })
      expect([code, stderr]).toEqual([
        0,
        'warning: 2 flags (basket, lost): the service saw each of them in an environment where it has no usage of it since 2026-11-19 17:00 UTC\n',
      ])
    })

    test('and a report with --verbose has a warning for each flag', async () => {
      const argv = ['--project', 'shop', '--since', '48h', '--unused', '--verbose']
      const { stderr } = await usage(argv, { seen })
      expect(stderr.split('\n').filter((line) => line.startsWith('warning'))).toEqual([
        `warning: basket: ${lacks('development', '21 16:09')}`,
        `warning: lost: ${lacks('production', '20 08:15')}`,
      ])
    })
  })

  describe('with --project reports when and where the service last saw the flag, and where it is on', () => {
    const seen = {
      banner: {
        development: null,
        production: '2026-11-17T09:12:00Z',
        staging: '2026-11-16T00:00:00Z',
      },
      basket: { production: '2026-11-21T13:20:00Z', staging: '2026-11-19T17:30:00Z' },
      draft: { development: null, production: null, staging: null },
    }
    const unusedText = 'is unused: no evaluations since 2026-11-19 17:00 UTC, 47 h 10 min of 48 h'

    test.each([
      [
        'banner',
        [],
        ['production'],
        `✓ banner ${unusedText}; last seen 2026-11-17 in production; on in production\n`,
      ],
      [
        'banner',
        [],
        [],
        `✓ banner ${unusedText}; last seen 2026-11-17 in production; off in development, production, staging\n`,
      ],
      [
        'banner',
        ['--environment', 'staging'],
        ['production'],
        `✓ banner ${unusedText}; last seen 2026-11-16 in staging; off in staging\n`,
      ],
      ['banner', [], undefined, `✓ banner ${unusedText}; last seen 2026-11-17 in production\n`],
      [
        'draft',
        [],
        ['development', 'staging'],
        `✓ draft ${unusedText}; on in development, staging\n`,
      ],
      [
        'basket',
        [],
        ['production'],
        '✗ basket is in use (expected unused): 54 evaluations since 2026-11-19 17:00 UTC, 47 h 10 min of 48 h; last used in the hour from 2026-11-21 13:00 UTC by web in production; last seen 2026-11-21 in production; on in production\n',
      ],
    ])('%s %j, on in %j', async (flag, argv, on, text) => {
      const options = ['--project', 'shop', '--allow-unknown-filter', '--expect', 'unused']
      const { stdout } = await gate([flag, ...argv, ...options], { seen, ...(on && { on }) })
      expect(stdout).toBe(text)
    })

    test('in every format', async () => {
      const argv = ['banner', '--project', 'shop', '--expect', 'unused', '-o']
      for (const format of ['json', 'markdown', 'github', 'junit']) {
        const { stdout } = await gate([...argv, format], { seen, on: ['production'] })
        expect(stdout).toContain('; last seen 2026-11-17 in production; on in production')
      }
    })
  })

  test('shows the span in markdown', async () => {
    const { stdout } = await gate(['old', '--expect', 'used', '-o', 'markdown'])
    expect(stdout).toContain(`| Flag | Expected used | Reason | Enabled | Disabled |
| --- | --- | --- | ---: | ---: |
| \`old\` | ✓ passed | \`1 evaluation since 2026-11-19 17:00 UTC, 47 h 10 min of 48 h; last used in the hour from 2026-11-19 17:00 UTC by web in production\` | 1 | 0 |
`)
  })

  test('is inconclusive for an application beyond the 100 that the service reports', async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({
      app: `a${index}`,
      hoursAgo: 1,
      yes: 1,
    }))
    const argv = ['f', '--expect', 'unused', '--app', 'web', '--allow-unknown-filter']
    const { code, stdout } = await gate(argv, { reports: { f: many } })
    expect(code).toBe(9)
    expect(stdout).toContain(
      'the service reports only 100 applications of this flag, and there may be more',
    )
    expect((await gate(argv, { reports: { f: many.slice(1) } })).code).toBe(0)
    const { stderr } = await usage(['f', '--since', '48h'], { reports: { f: many } })
    expect(stderr).toBe(
      'warning: f: the service reports only 100 applications of this flag, and there may be more\n',
    )
    const both = await usage(['f', 'g', '--since', '48h'], { reports: { f: many, g: many } })
    expect(both.stderr).toBe(
      'warning: 2 flags (f, g): the service reports only 100 applications of each, and there may be more\n',
    )
  })

  test('is inconclusive for an environment that only an application beyond the 100 uses', async () => {
    const listed = Array.from({ length: 100 }, (_, index) => ({ app: `a${index}`, yes: 1 }))
    const server = await serve((response) => {
      const records = listed.flatMap(({ app, yes }) => [
        { appName: app, environment: 'production', timestamp: hourAt(0), yes, no: 0 },
        { appName: app, environment: 'staging', timestamp: hourAt(0), yes: 0, no: 0 },
      ])
      return json(response, 200, { data: records })
    })
    const argv = ['f', '--expect', 'unused', '--since', '1h', '--environment', 'staging']
    const { code, stdout } = await flagadm(['feature', 'usage', ...argv], {
      clock: patientClock(now).clock,
      env: environment(server.url),
    })
    expect(code).toBe(9)
    expect(stdout).toContain(
      '? f is inconclusive (expected unused): the service reports only 100 applications of this flag, and there may be more',
    )
  })
})
