import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environment, flagadm, type World, withoutCaption } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const timestamp = '2026-11-20T16:00:00.000Z'
const record = { appName: 'web', environment: 'production', timestamp, yes: 3, no: 1 }

/** Runs `feature usage` against a service with records of flags; all other flags have none. */
async function usage(
  records: Record<string, object[]>,
  argv: readonly string[],
  world: World = {},
) {
  const { url } = await serve((response, request) => {
    const flag = decodeURIComponent(request.url.split('/').at(-1) ?? '')
    json(response, 200, { lastHourUsage: records[flag] ?? [] })
  })
  const options = world.columns === undefined ? [] : ['--no-color']
  const argvAll = ['feature', 'usage', ...argv, ...options]
  return withoutCaption(await flagadm(argvAll, { ...world, env: environment(url) }))
}

describe('a flag without usage', () => {
  const records = { a: [record] }
  const empty = {
    application: null,
    environment: null,
    timestamp: null,
    enabled: 0,
    disabled: 0,
    variants: {},
  }

  test('has a row with zeros in a table', async () => {
    const { stdout } = await usage(records, ['a', 'b', '--layout', 'table'])
    expect(stdout).toBe(`Usage since 16:00 UTC

Flag   Application  Environment  Enabled  Disabled  Total              Share  Reported
───────────────────────────────────────────────────────────────────────────────────────────────
a      web          production         3         1      4  ████████░░  75.0%  2026-11-20 16:00Z
b      —            —                  0         0      0                  —  —
───────────────────────────────────────────────────────────────────────────────────────────────
Total                                  3         1      4  ████████░░  75.0%

2 flags: 1 in use, 1 unused
`)
  })

  test('has a sentence in its section', async () => {
    const { stdout } = await usage(records, ['b', 'a'])
    expect(stdout).toMatch(/^b\n\nNo usage in the current clock hour\.\n\na \(since 16:00 UTC\)\n/)
  })

  test('has a row with zeros in csv', async () => {
    const { stdout } = await usage(records, ['a', 'b', '-o', 'csv'])
    expect(stdout.split('\r\n').slice(1)).toEqual([
      `a,web,production,${timestamp},3,1,{}`,
      'b,,,,0,0,{}',
      '',
    ])
  })

  test('has a row with zeros in jsonl', async () => {
    const { stdout } = await usage(records, ['b', '-o', 'jsonl'])
    expect(stdout).toBe(`${JSON.stringify({ flag: 'b', ...empty })}\n`)
  })

  test('has a row with zeros in markdown', async () => {
    const { stdout } = await usage(records, ['a', 'b', '-o', 'markdown'])
    expect(stdout).toContain('\n| `b` |  |  | 0 | 0 | 0 | — |  |\n')
  })

  test('has samples of 0 without the other labels in openmetrics', async () => {
    const { stdout } = await usage(records, ['b', '-o', 'openmetrics'])
    expect(stdout).toBe(`# TYPE feature_flag_last_hour_evaluations gauge
# HELP feature_flag_last_hour_evaluations Evaluations of a feature flag in the current clock hour.
feature_flag_last_hour_evaluations{flag="b",result="enabled"} 0
feature_flag_last_hour_evaluations{flag="b",result="disabled"} 0
# TYPE feature_flag_last_hour_variant_evaluations gauge
# HELP feature_flag_last_hour_variant_evaluations Selections of a variant in the current clock hour.
# TYPE feature_flag_usage_unread gauge
# HELP feature_flag_usage_unread Flags and projects that could not be read.
feature_flag_usage_unread{kind="flag"} 0
feature_flag_usage_unread{kind="project"} 0
# EOF
`)
  })

  test('has a row with zeros in every reading of --watch', async () => {
    const { stdout } = await usage(records, ['a', 'b', '--watch', '--count', '1'])
    const [, row = ''] = stdout.split('\n')
    expect(JSON.parse(row)).toEqual({ readAt: expect.any(String), flag: 'b', ...empty })
  })

  test('has a row with zeros when the filters match none of its records', async () => {
    const { stdout } = await usage(records, ['a', '--app', 'ios', '-o', 'csv', '-q'])
    expect(stdout.split('\r\n')[1]).toBe('a,,,,0,0,{}')
  })

  test('is not counted in groups of all flags', async () => {
    const { stdout } = await usage(records, ['a', 'b', '--group-by', 'application', '-o', 'csv'])
    expect(stdout.split('\r\n').slice(1)).toEqual([`,web,,${timestamp},3,1,{}`, ''])
  })
})

describe('--used and --unused', () => {
  test('select sections', async () => {
    const { stdout } = await usage({ a: [record] }, ['a', 'b', '--unused'])
    expect(stdout).toBe('b\n\nNo usage in the current clock hour.\n\n2 flags: 1 in use, 1 unused\n')
  })

  test.each([
    [['a', '--unused'], 'No flag is unused.\n'],
    [['b', '--used'], 'No flag is in use.\n'],
    [
      ['b', '--used', '--layout', 'table'],
      `Usage in the current clock hour\n\nNo flag is in use.\n`,
    ],
    [['b', '--used', '-o', 'markdown'], `Usage in the current clock hour\n\nNo flag is in use.\n`],
  ])('report that they select no flag: %j', async (argv, text) => {
    const { code, stdout } = await usage({ a: [record] }, argv)
    expect([code, stdout]).toEqual([0, text])
  })
})

describe('--layout', () => {
  const records = { a: [record], b: [record] }

  test('sections has a section for each of many flags', async () => {
    const argv = ['a', 'b', 'c', 'd', '--layout', 'sections']
    const { stdout } = await usage(records, argv)
    expect(stdout.match(/^[abcd](?= \(since|$)/gm)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('sections groups within each section', async () => {
    const argv = ['a', 'b', '--layout', 'sections', '--group-by', 'application']
    const { stdout } = await usage(records, argv)
    expect(stdout.match(/^(Application|web) .*$/gm)).toHaveLength(4)
  })

  test('sections with --group-by flag has the sum of each flag', async () => {
    const argv = ['a', 'b', '--layout', 'sections', '--group-by', 'flag']
    const { stdout } = await usage(records, argv)
    expect(stdout.match(/^[ab] +3 +1 +4 /gm)).toHaveLength(2)
  })

  test('is described in the help with its rule', async () => {
    const { stdout } = await flagadm(['feature', 'usage', '--help'])
    expect(stdout).toContain('--layout <layout>')
    expect(stdout).toContain(
      'Layout: a section for each of up to three flags; one table with a row for each\n' +
        'flag, application and environment for more flags or with --group-by. --layout\n' +
        'forces either.',
    )
  })
})

describe('-o json', () => {
  test.each([
    ['--app', 'web'],
    ['--environment', 'production'],
    ['--group-by', 'flag'],
    ['--sort', 'name'],
    ['--reverse'],
    ['--limit', '1'],
    ['--used'],
    ['--unused'],
  ])('cannot be combined with %s', async (...option) => {
    const outcomes = [
      await usage({}, ['a', '-o', 'json', ...option]),
      await usage({}, ['a', '--json', ...option]),
    ]
    for (const { code, stdout, stderr } of outcomes) {
      expect([code, stdout]).toEqual([2, ''])
      expect(JSON.parse(stderr).error).toMatchObject({
        message: `json output cannot be combined with ${option[0]}`,
        hint: "json is the service's own document; use -o jsonl",
      })
    }
  })

  test('with --expect accepts filters', async () => {
    const argv = ['a', '-o', 'json', '--expect', 'used', '--app', 'web']
    const { code, stdout } = await usage({ a: [record] }, argv)
    expect([code, JSON.parse(stdout).verdict]).toEqual([0, 'passed'])
  })
})

describe('--sort share', () => {
  test('is exact, with rows without a share last', async () => {
    const rows = [
      { ...record, appName: 'none', yes: 0, no: 0 },
      { ...record, appName: 'less', yes: 99_991, no: 9 },
      { ...record, appName: 'more', yes: 99_992, no: 8 },
    ]
    const { stdout } = await usage({ a: rows }, ['a', '--sort', 'share', '-o', 'csv'])
    expect(stdout.match(/none|less|more/g)).toEqual(['more', 'less', 'none'])
  })
})

describe('--output-file', () => {
  test.each(['sections', 'table'])('has no colours and whole names with %s', async (layout) => {
    const appName = `web-${'x'.repeat(100)}`
    const argv = ['a', '--layout', layout, '--output-file', 'out', '--color', 'always']
    const { url } = await serve((response) =>
      json(response, 200, { lastHourUsage: [{ ...record, appName }], seenApplications: [appName] }),
    )
    const world = { env: environment(url), columns: 40 }
    const { folder } = await flagadm(['feature', 'usage', ...argv], world)
    const text = await readFile(join(folder, 'work/out'), 'utf8')
    expect(text).not.toContain('\u001b')
    expect(text).toContain(`\n${layout === 'table' ? 'a      ' : ''}${appName}  production `)
  })
})

describe('a terminal', () => {
  test('that reports 0 columns counts as one of 80', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => ({ ...record, appName: `app-${index}` }))
    const { stdout } = await usage({ a: rows }, ['a'], { columns: 0 })
    expect(stdout).toBe((await usage({ a: rows }, ['a'], { columns: 80 })).stdout)
  })

  test('of any width never shows two flags alike', async () => {
    const many = Array.from(
      { length: 30 },
      (_, index) => `payments-${index}-customers-${index % 3}`,
    )
    for (const columns of [40, 60, 70, 80, 90, 100]) {
      const { stdout } = await usage({}, many, { columns })
      const [, rows = ''] = stdout.split(/─+\n/)
      const flags = rows.split('\n').flatMap((line) => line.match(/^\S+/g) ?? [])
      expect(new Set(flags).size).toBe(30)
    }
  })

  const names = ['payments-europe-customers', 'payments-america-customers']
  const flags = [...names, 'c', 'd']
  const row = { ...record, appName: 'web-shop-frontend' }
  const records = Object.fromEntries(names.map((name) => [name, [row]]))

  test('of 100 columns drops bars and a constant time before it shortens names', async () => {
    const { stdout } = await usage(records, flags, { columns: 100 })
    expect(stdout).toBe(`Usage since 16:00 UTC

Flag                        App                Env         Enabled  Disabled  Total   Share  Time
───────────────────────────────────────────────────────────────────────────────────────────────────
payments-europe-customers   web-shop-frontend  production        3         1      4   75.0%  16:00Z
payments-america-customers  web-shop-frontend  production        3         1      4   75.0%  16:00Z
c                           —                  —                 0         0      0       —  —
d                           —                  —                 0         0      0       —  —
───────────────────────────────────────────────────────────────────────────────────────────────────
Total                                                            6         2      8   75.0%

4 flags: 2 in use, 2 unused
`)
  })

  test('of 80 columns shows the name of a flag above its rows', async () => {
    const [first = '', second = ''] = names
    const more = { [first]: [row, { ...row, environment: 'staging' }], [second]: [row] }
    const { stdout } = await usage(more, flags, { columns: 80 })
    expect(stdout).toBe(`Usage since 16:00 UTC

Flag
  App                Env         Enabled  Disabled  Total         Share  Time
───────────────────────────────────────────────────────────────────────────────
payments-europe-customers
  web-shop-frontend  production        3         1      4  ████░  75.0%  16:00Z
  web-shop-frontend  staging           3         1      4  ████░  75.0%  16:00Z
payments-america-customers
  web-shop-frontend  production        3         1      4  ████░  75.0%  16:00Z
c
  —                  —                 0         0      0             —  —
d
  —                  —                 0         0      0             —  —
───────────────────────────────────────────────────────────────────────────────
Total                                  9         3     12  ████░  75.0%

4 flags: 2 in use, 2 unused
`)
  })

  test('of 50 columns shows names above their figures', async () => {
    const { stdout } = await usage(records, flags, { columns: 50 })
    expect(stdout).toBe(`Usage since 16:00 UTC

Flag, Application, Environment
Enabled  Disabled  Total         Share  Time
──────────────────────────────────────────────
payments-europe-customers, web-shop-frontend,
production
      3         1      4  ████░  75.0%  16:00Z
payments-america-customers, web-shop-frontend,
production
      3         1      4  ████░  75.0%  16:00Z
c, —, —
      0         0      0             —  —
d, —, —
      0         0      0             —  —
──────────────────────────────────────────────
Total
      6         2      8  ████░  75.0%

4 flags: 2 in use, 2 unused
`)
  })

  test('keeps times that differ', async () => {
    const later = { ...row, environment: 'staging', timestamp: '2026-11-20T17:00:00.000Z' }
    const { stdout } = await usage({ a: [row, later] }, ['a'], { columns: 62 })
    expect(stdout).toBe(`a (since 16:00 UTC)

App        Env         Enabled  Disabled  Total  Share  Time
──────────────────────────────────────────────────────────────
web-…tend  production        3         1      4    75%  16:00Z
web-…tend  staging           3         1      4    75%  17:00Z
──────────────────────────────────────────────────────────────
Total                        6         2      8    75%
`)
  })
})

test('ten thousand records of one application and environment are added up', async () => {
  const records = Array.from({ length: 10_000 }, (_, index) => ({
    ...record,
    variants: { [`v${index}`]: 1 },
  }))
  const { stdout } = await usage({ a: records }, ['a', '-o', 'jsonl'])
  const { enabled, variants } = JSON.parse(stdout)
  expect([enabled, Object.keys(variants).length]).toEqual([30_000, 10_000])
})

test('the longest name is drawn', async () => {
  const records = { a: [{ ...record, appName: 'é'.repeat(10_000) }, record] }
  const { stdout } = await usage(records, ['a'])
  expect(stdout).toContain(`\n${'é'.repeat(10_000)}  production `)
  const narrow = await usage(records, ['a'], { columns: 80 })
  expect(Math.max(...narrow.stdout.split('\n').map((line) => line.length))).toBe(80)
})

describe('sections', () => {
  test('have the same columns', async () => {
    const large = { ...record, appName: 'mobile-android', yes: 1_234_567 }
    const { stdout } = await usage({ a: [record], b: [large] }, ['a', 'c', 'b'], { columns: 80 })
    expect(stdout).toBe(`a (since 16:00 UTC)

App             Env           Enabled  Disabled      Total         Share  Time
────────────────────────────────────────────────────────────────────────────────
web             production          3         1          4  ████░  75.0%  16:00Z
────────────────────────────────────────────────────────────────────────────────
Total                               3         1          4  ████░  75.0%

c

No usage in the current clock hour.

b (since 16:00 UTC)

App             Env           Enabled  Disabled      Total         Share  Time
────────────────────────────────────────────────────────────────────────────────
mobile-android  production  1,234,567         1  1,234,568  █████ >99.9%  16:00Z
────────────────────────────────────────────────────────────────────────────────
Total                       1,234,567         1  1,234,568  █████ >99.9%

3 flags: 2 in use, 1 unused
`)
  })

  test('have one unit for the numbers in a row', async () => {
    const large = { ...record, yes: 30_046_675_757, no: 412_345 }
    const { stdout } = await usage({ a: [large, { ...record, appName: 'shop' }] }, ['a'], {
      columns: 50,
    })
    expect(stdout).toBe(`a (since 16:00 UTC)

App    Env         Enabled  Disabled  Total  Share
──────────────────────────────────────────────────
shop   production        3         1      4    75%
web    production      30G       <1G    30G   >99%
──────────────────────────────────────────────────
Total                  30G       <1G    30G   >99%
`)
  })
})

describe('facts about a flag', () => {
  const facts = async (document: object, argv: readonly string[] = []) => {
    const { url } = await serve((response) => json(response, 200, document))
    const outcome = await flagadm(['feature', 'usage', 'a', ...argv], { env: environment(url) })
    return withoutCaption(outcome).stdout.split('\n')
  }
  const stable = { version: 1, maturity: 'stable', lastHourUsage: [record] }

  test('that every flag shares are shown with --verbose', async () => {
    const all = 'a (since 16:00 UTC, schema version 1, maturity stable)'
    expect((await facts(stable))[0]).toBe('a (since 16:00 UTC)')
    expect((await facts(stable, ['-v']))[0]).toBe(all)
    expect((await facts({ ...stable, maturity: 'deprecated' }))[0]).toBe(
      'a (since 16:00 UTC, maturity deprecated)',
    )
  })

  test('name the applications that saw the flag without using it', async () => {
    const seen = async (...names: string[]) =>
      (await facts({ ...stable, seenApplications: names })).at(-2)
    expect(await seen('web')).toMatch(/^Total /)
    expect(await seen('web', 'ios', 'tv')).toBe('Also seen by: ios, tv')
  })
})
