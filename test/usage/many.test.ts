import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import parsePrometheus from 'parse-prometheus-text-format'
import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import {
  environment,
  flagadm,
  temporaryFolder,
  type World,
  withoutCaption,
} from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

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

function service() {
  return serve((response, { url }) => {
    const name = decodeURIComponent(url.split('/').at(-1) ?? '')
    const lastHourUsage = flags[name]
    if (!lastHourUsage)
      return json(response, 404, { name: 'NotFoundError', message: 'no such flag' })
    return json(response, 200, { featureName: name, lastHourUsage, seenApplications: ['web'] })
  })
}

async function usage(argv: readonly string[], world: World = {}) {
  const server = await service()
  const outcome = await flagadm(['feature', 'usage', ...argv], {
    ...world,
    env: { ...environment(server.url), ...world.env },
  })
  return {
    ...withoutCaption(outcome),
    asked: server.received.map(({ url }) => url.split('/').at(-1)),
  }
}

describe('the flags', () => {
  test('come from a list, without its comments, blank lines and Windows line endings', async () => {
    const { asked } = await usage(['--names-from', 'names.txt', '-o', 'jsonl'], {
      files: { 'work/names.txt': '\ufeff# flags\r\na\r\n\r\n  b  \r\nc' },
    })
    expect(asked.sort()).toEqual(['a', 'b', 'c'])
  })

  test('come from standard input with -', async () => {
    const { asked } = await usage(['--names-from', '-'], { stdin: 'a\nb\n' })
    expect(asked.sort()).toEqual(['a', 'b'])
  })

  test('come from source code', async () => {
    const { asked } = await usage(['--scan', 'src'], {
      files: { 'work/src/app.ts': "if (client.isEnabled('b')) { client.getVariant('a') }\n" },
    })
    expect(asked.sort()).toEqual(['a', 'b'])
  })

  test('come from source code, where lookups that could not be read are counted', async () => {
    const { asked, stdout, stderr } = await usage(['--scan', 'src'], {
      files: { 'work/src/app.ts': "isEnabled('a'); isEnabled(flag)\n" },
    })
    expect([asked, stderr]).toEqual([['a'], ''])
    expect(stdout).toContain(
      '\nIncomplete: only flags whose names could be read (1 of 2 lookups could not be read)\n',
    )
  })

  test('are requested once each and shown in the order given', async () => {
    const { asked, stdout } = await usage(['b', 'a', 'b', '--names-from', 'names', '-o', 'jsonl'], {
      files: { 'work/names': 'a\nd\n' },
    })
    expect(asked.sort()).toEqual(['a', 'b', 'd'])
    const order = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).flag)
    expect(order).toEqual(['b', 'a', 'a', 'a', 'd'])
  })

  test('from a list that is not UTF-8 are refused', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'names'), Buffer.from([0x61, 0x0a, 0xe9, 0x0a]))
    const { code, stderr, asked } = await usage(['--names-from', join(folder, 'names')])
    expect([code, stderr, asked]).toEqual([
      2,
      `error: ${join(folder, 'names')} is not UTF-8\nhint: save it as UTF-8\n`,
      [],
    ])
  })

  test('are required', async () => {
    const { code, stderr } = await usage([])
    expect([code, stderr]).toEqual([
      2,
      'error: no flag names given\nhint: pass names, or use --names-from <file>, --scan <glob> or --project <id>\n',
    ])
  })

  test.each([
    [
      ['--scan', 'src'],
      'no flag names in 2 scanned files',
      'for lookups that were not recognized, use --call, --definitions or --match',
    ],
    [['--names-from', 'names'], 'no flag names in names', 'write one name per line'],
    [
      ['--names-from', 'names', '--scan', 'src'],
      'no flag names in names and 2 scanned files',
      'for lookups that were not recognized, use --call, --definitions or --match',
    ],
  ])('are missing from the sources of %j', async (argv, message, hint) => {
    const files = { 'work/src/a.ts': 'run()\n', 'work/src/b.py': '', 'work/names': '\n' }
    const { code, stderr } = await usage(argv, { files })
    expect([code, stderr]).toEqual([2, `error: ${message}\nhint: ${hint}\n`])
  })

  test('are read even if another name is empty, as from an unset variable', async () => {
    const { code, stderr } = await usage(['a', '', '-o', 'csv'])
    expect([code, stderr]).toEqual([
      10,
      "error: invalid flag name ''\nhint: a flag name cannot be empty, '.' or '..'\nerror: 1 of 2 flags could not be read\n",
    ])
  })

  test('from a missing list are an error with its path', async () => {
    const { code, stderr } = await usage(['--names-from', 'none.txt'])
    expect([code, stderr]).toEqual([
      2,
      'error: --names-from: cannot read none.txt: no such file\nhint: check the path\n',
    ])
  })
})

describe('the table of many flags', () => {
  test('has a column of flags from four on, and a summary', async () => {
    const { code, stdout, stderr } = await usage(['a', 'b', 'c', 'd', 'e'])
    expect(code).toBe(10)
    expect(stdout).toBe(`Usage since 16:00 UTC

Flag  Application  Environment  Enabled  Disabled  Total              Share  Variants         Reported
───────────────────────────────────────────────────────────────────────────────────────────────────────────────
a     ios          production         5        95    100  █░░░░░░░░░   5.0%                   2026-11-20 16:00Z
a     web          production        90        10    100  █████████░  90.0%  red 60, blue 30  2026-11-20 16:00Z
a     web          staging            1         0      1  ██████████ 100.0%                   2026-11-20 16:00Z
b     web          production         7         0      7  ██████████ 100.0%  blue 7           2026-11-20 16:00Z
c     —            —                  0         0      0                  —                   —
d     job          development        0         3      3  ░░░░░░░░░░   0.0%                   2026-11-20 16:00Z

Incomplete: not a flag: e

4 flags read: 3 in use, 1 unused
`)
    expect(stderr).toMatch(
      /^error: e: 404 NotFoundError: no such flag\nhint: .*\nerror: 1 of 5 flags could not be read\n$/,
    )
  })

  test('has a row for each flag with --group-by flag', async () => {
    const { stdout } = await usage(['a', 'b', 'c', '--group-by', 'flag'])
    expect(stdout).toBe(`Usage since 16:00 UTC

Flag   Enabled  Disabled  Total              Share  Variants         Reported
──────────────────────────────────────────────────────────────────────────────────────
a           96       105    201  █████░░░░░  47.8%  red 60, blue 30  2026-11-20 16:00Z
b            7         0      7  ██████████ 100.0%  blue 7           2026-11-20 16:00Z
c            0         0      0                  —                   —
──────────────────────────────────────────────────────────────────────────────────────
Total      103       105    208  █████░░░░░  49.5%

3 flags: 2 in use, 1 unused
`)
  })

  test('is one table for two flags with --group-by none', async () => {
    const { stdout } = await usage(['a', 'b', '--group-by', 'none'])
    expect(stdout).toMatch(/^Usage since 16:00 UTC\n\nFlag {3}Application/)
  })
})

/** The rows as JSON Lines, in short: names and counts. */
async function rows(argv: readonly string[]) {
  const { stdout } = await usage([...argv, '-o', 'jsonl'])
  return stdout.split('\n').flatMap((line) => {
    if (line === '') return []
    const { flag, application, environment, enabled, disabled } = JSON.parse(line)
    const names = [flag, application, environment].filter((name) => name !== null)
    return [`${names.join('/')} ${enabled}+${disabled}`]
  })
}

describe('rows', () => {
  test.each([
    [
      ['a', 'b', '--app', 'web'],
      ['a/web/production 90+10', 'a/web/staging 1+0', 'b/web/production 7+0'],
    ],
    [['a', '--app', 'i*', '--app', 'x'], ['a/ios/production 5+95']],
    [['a', '--environment', '*ing'], ['a/web/staging 1+0']],
    [['a', '--app', 'web', '--environment', 'staging'], ['a/web/staging 1+0']],
    [['a', '--app', 'w.b'], ['a 0+0']],
    [
      ['a', 'c', '--group-by', 'variant'],
      ['c 0+0', 'a 30+0', 'a 60+0'],
    ],
    [
      ['b', 'c', 'a', '--group-by', 'flag'],
      ['b 7+0', 'c 0+0', 'a 96+105'],
    ],
    [['a', 'b', 'c', 'd', '--unused'], ['c 0+0']],
    [
      ['b', 'c', 'd', '--used'],
      ['b/web/production 7+0', 'd/job/development 0+3'],
    ],
    [['a', 'b', 'd', '--app', 'web', '--unused'], ['d 0+0']],
    [['a', 'c', '--unused', '--group-by', 'application'], []],
    [
      ['a', 'b', 'd', '--group-by', 'application'],
      ['ios 5+95', 'job 0+3', 'web 98+10'],
    ],
    [
      ['a', 'b', 'd', '--group-by', 'environment'],
      ['development 0+3', 'production 102+105', 'staging 1+0'],
    ],
    [
      ['a', 'b', '--group-by', 'variant'],
      ['a 30+0', 'b 7+0', 'a 60+0'],
    ],
    [
      ['a', 'b', '--group-by', 'variant', '--sort', 'enabled'],
      ['a 60+0', 'a 30+0', 'b 7+0'],
    ],
    [
      ['a', 'b', '--sort', 'enabled'],
      [
        'a/web/production 90+10',
        'b/web/production 7+0',
        'a/ios/production 5+95',
        'a/web/staging 1+0',
      ],
    ],
    [
      ['a', '--sort', 'disabled'],
      ['a/ios/production 5+95', 'a/web/production 90+10', 'a/web/staging 1+0'],
    ],
    [['a', '--sort', 'total', '--limit', '1'], ['a/ios/production 5+95']],
    [
      ['a', '--sort', 'share'],
      ['a/web/staging 1+0', 'a/web/production 90+10', 'a/ios/production 5+95'],
    ],
    [
      ['a', '--sort', 'share', '--reverse', '--limit', '2'],
      ['a/ios/production 5+95', 'a/web/production 90+10'],
    ],
    [
      ['a', '--sort', 'name', '--reverse'],
      ['a/web/staging 1+0', 'a/web/production 90+10', 'a/ios/production 5+95'],
    ],
    [
      ['a', '--reverse'],
      ['a/web/staging 1+0', 'a/web/production 90+10', 'a/ios/production 5+95'],
    ],
  ])('of %j are filtered, grouped, sorted and limited', async (argv, expected) => {
    expect(await rows(argv)).toEqual(expected)
  })

  test('of a flag without variants keep its counts with --group-by variant', async () => {
    const argv = ['a', 'd', '--group-by', 'variant']
    expect(await rows(argv)).toEqual(['d 0+3', 'a 30+0', 'a 60+0'])
    expect(
      (await usage(argv)).stdout,
    ).toContain(`Flag   Variant  Selected              Share  Reported
──────────────────────────────────────────────────────────────
d      —               0                  —  2026-11-20 16:00Z
a      blue           30  ███░░░░░░░  33.3%  2026-11-20 16:00Z
a      red            60  ███████░░░  66.7%  2026-11-20 16:00Z
──────────────────────────────────────────────────────────────
Total                 90  ██████████ 100.0%
`)
  })

  test('of variants show their share within their flag in markdown, too', async () => {
    const { stdout } = await usage(['a', 'd', '--group-by', 'variant', '-o', 'markdown'])
    expect(stdout).toContain(`
| \`d\` |  | 0 | 3 | 3 | 0.0% |  |
| \`a\` | \`blue\` | 30 | 0 | 30 | 33.3% | \`blue\` 30 |
| \`a\` | \`red\` | 60 | 0 | 60 | 66.7% | \`red\` 60 |
| **Total** |  | 90 | 3 | 93 | 96.8% |  |
`)
  })

  test('that --limit cuts off are counted below the total', async () => {
    const { stdout } = await usage(['a', '--limit', '2', '--sort', 'total'])
    expect(stdout).toMatch(/\nTotal +95 +105 +200 /)
    expect(stdout).toMatch(
      /\n1 more row not shown \(--limit\); the total covers only those shown\n$/,
    )
  })

  test('that no filter matches are reported', async () => {
    const { code, stdout, stderr } = await usage(['a', '--app', 'none'])
    expect([code, stderr]).toEqual([
      0,
      "warning: no usage matches the filters: unknown application 'none' (known: ios, web)\n",
    ])
    expect(stdout).toBe('a (since 16:00 UTC)\n\nNo usage matches the filters.\n')
  })

  test('of variants show their share within their flag', async () => {
    const { stdout } = await usage(['a', 'b', '--group-by', 'variant'])
    expect(stdout).toContain(`Flag   Variant  Selected              Share  Reported
──────────────────────────────────────────────────────────────
a      blue           30  ███░░░░░░░  33.3%  2026-11-20 16:00Z
b      blue            7  ██████████ 100.0%  2026-11-20 16:00Z
a      red            60  ███████░░░  66.7%  2026-11-20 16:00Z
──────────────────────────────────────────────────────────────
Total                 97  ██████████ 100.0%
`)
  })
})

const hostile = '=cmd|\u001b[31m"\\\n,\u202e`<b>|@all'
const visible = '=cmd|\\x1b[31m"\\\\x0a,\\u202e`<b>|@all'

async function hostileUsage(argv: readonly string[]) {
  const lastHourUsage = [{ ...record(hostile, hostile, 1, 2), variants: { [hostile]: 3 } }]
  const { url } = await serve((response) => json(response, 200, { lastHourUsage }))
  return flagadm(['feature', 'usage', hostile, ...argv], { env: environment(url) })
}

describe('formats', () => {
  test('jsonl is one flat row per line, with null for missing names', async () => {
    const text = '{"lastHourUsage":[{"yes":3,"no":0,"variants":{"__proto__":5}}]}'
    const { url } = await serve((response) => json(response, 200, text))
    const { stdout } = await flagadm(['feature', 'usage', 'f', '-o', 'jsonl'], {
      env: environment(url),
    })
    expect(stdout).toBe(
      '{"flag":"f","application":null,"environment":null,"timestamp":null,"enabled":3,"disabled":0,"variants":{"__proto__":5}}\n',
    )
  })

  test('jsonl keeps the values of hostile names', async () => {
    const { stdout } = await hostileUsage(['-o', 'jsonl'])
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(JSON.parse(stdout)).toMatchObject({ flag: hostile, variants: { [hostile]: 3 } })
  })

  test('csv has a header and Windows line ends', async () => {
    const { stdout } = await usage(['b', '-o', 'csv'])
    expect(stdout).toBe(
      'flag,application,environment,timestamp,enabled,disabled,variants\r\n' +
        `b,web,production,${hour},7,0,"{""blue"":7}"\r\n`,
    )
  })

  test('a library reads the csv back unchanged, except for neutralised formulas', async () => {
    const { stdout } = await hostileUsage(['-o', 'csv'])
    const [row] = parse<Record<string, string>>(stdout, { columns: true })
    expect(row).toMatchObject({
      flag: `'${visible}`,
      application: `'${visible}`,
      enabled: '1',
      disabled: '2',
    })
    expect(JSON.parse(row?.variants ?? '')).toEqual({ [hostile]: 3 })
  })

  test('markdown is a table with names as code', async () => {
    const { stdout } = await usage(['a', 'b', '--environment', 'production', '-o', 'markdown'])
    expect(stdout).toBe(
      [
        'Usage since 16:00 UTC',
        '',
        '| Flag | Application | Environment | Enabled | Disabled | Total | Share | Variants |',
        '| --- | --- | --- | ---: | ---: | ---: | ---: | --- |',
        '| `a` | `ios` | `production` | 5 | 95 | 100 | 5.0% |  |',
        '| `a` | `web` | `production` | 90 | 10 | 100 | 90.0% | `red` 60, `blue` 30 |',
        '| `b` | `web` | `production` | 7 | 0 | 7 | 100.0% | `blue` 7 |',
        '| **Total** |  |  | 102 | 105 | 207 | 49.3% |  |',
        '',
        '2 flags: 2 in use, 0 unused',
        '',
      ].join('\n'),
    )
  })

  test('markdown keeps hostile names inside code spans', async () => {
    const { stdout } = await hostileUsage(['-o', 'markdown'])
    const code = `\`${visible.replaceAll('|', '\\x7c').replaceAll('`', '\\x60')}\``
    expect(stdout.split('\n')[4]).toBe(
      `| ${code} | ${code} | ${code} | 1 | 2 | 3 | 33.3% | ${code} 3 |`,
    )
  })

  test('openmetrics has both gauges and ends with EOF', async () => {
    const { stdout } = await usage(['b', '-o', 'openmetrics'])
    expect(stdout).toBe(`# TYPE feature_flag_last_hour_evaluations gauge
# HELP feature_flag_last_hour_evaluations Evaluations of a feature flag since 16:00 UTC.
feature_flag_last_hour_evaluations{flag="b",application="web",environment="production",result="enabled"} 7
feature_flag_last_hour_evaluations{flag="b",application="web",environment="production",result="disabled"} 0
# TYPE feature_flag_last_hour_variant_evaluations gauge
# HELP feature_flag_last_hour_variant_evaluations Selections of a variant since 16:00 UTC.
feature_flag_last_hour_variant_evaluations{flag="b",application="web",environment="production",variant="blue"} 7
# TYPE feature_flag_usage_unread gauge
# HELP feature_flag_usage_unread Flags and projects that could not be read.
feature_flag_usage_unread{kind="flag"} 0
feature_flag_usage_unread{kind="project"} 0
# EOF
`)
  })

  test('a parser reads the openmetrics back, including hostile names', async () => {
    const { stdout } = await hostileUsage(['-o', 'openmetrics'])
    const [evaluations, variants] = parsePrometheus(stdout)
    const labels = { flag: visible, application: visible, environment: visible }
    expect(evaluations?.metrics).toEqual([
      { value: '1', labels: { ...labels, result: 'enabled' } },
      { value: '2', labels: { ...labels, result: 'disabled' } },
    ])
    expect(variants?.metrics).toEqual([{ value: '3', labels: { ...labels, variant: visible } }])
  })

  test('openmetrics leaves out missing labels, and adds up samples with the same labels', async () => {
    const lastHourUsage = [
      { yes: 1, no: 0 },
      { appName: '\\x1b', yes: 1, no: 0 },
      { appName: '\u001b', yes: 2, no: 0 },
    ]
    const { url } = await serve((response) => json(response, 200, { lastHourUsage }))
    const { stdout } = await flagadm(['feature', 'usage', 'f', '-o', 'openmetrics'], {
      env: environment(url),
    })
    expect(stdout).toContain('evaluations{flag="f",result="enabled"} 1\n')
    expect(stdout).toContain('{flag="f",application="\\\\x1b",result="enabled"} 3\n')
  })
})

describe('--output-file', () => {
  test('replaces a file in one step and keeps its mode', async () => {
    const server = await service()
    const world = { files: { 'work/out.csv': 'old' }, env: environment(server.url) }
    const first = await flagadm(
      ['feature', 'usage', 'b', '-o', 'csv', '--output-file', 'out.csv'],
      world,
    )
    const file = join(first.folder, 'work/out.csv')
    expect([first.code, first.stdout]).toEqual([0, ''])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toMatch(/^flag,application/)
    expect(await readdir(join(first.folder, 'work'))).toEqual(['out.csv'])
  })

  test('is left alone when nothing could be read', async () => {
    const { code, folder } = await usage(['x', '--output-file', 'out'], {
      files: { 'work/out': 'old' },
    })
    expect([code, await readFile(join(folder, 'work/out'), 'utf8')]).toEqual([6, 'old'])
  })

  test('that is a device is written to and not replaced', async () => {
    const { code } = await usage(['b', '-o', 'csv', '--output-file', '/dev/null'])
    expect(code).toBe(0)
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
  })

  test('that is a folder is refused', async () => {
    const { code, stderr, folder } = await usage(['b', '--output-file', 'out/'])
    expect([code, stderr, await readdir(join(folder, 'work'))]).toEqual([
      2,
      'error: out/ is a folder, not a file\nhint: add the name of the file\n',
      [],
    ])
  })

  test('that cannot be written is reported with its path', async () => {
    const { code, stderr } = await usage(['b', '--output-file', 'no/where'])
    expect([code, stderr]).toEqual([
      1,
      'error: no/where cannot be written: there is no folder no\nhint: create the folder first\n',
    ])
  })
})

describe('a progress bar', () => {
  async function progress(argv: readonly string[], talksToTerminal: boolean) {
    const server = await serve((response) => json(response, 200, { lastHourUsage: [] }))
    let now = 0
    const clock = {
      now: () => 0,
      monotonic: () => {
        now += 40
        return now
      },
      sleep: async () => {},
      random: () => 0,
    }
    const names = Array.from({ length: 40 }, (_, index) => `f${index}`)
    return flagadm(['feature', 'usage', ...names, '-o', 'jsonl', ...argv], {
      env: environment(server.url),
      talksToTerminal,
      clock,
    })
  }

  test('appears on a terminal if the run takes long, and is removed at the end', async () => {
    const { stderr } = await progress([], true)
    expect(stderr).toMatch(/^\r\u001b\[K[█░]{20} \d+ of 40 flags/)
    expect(stderr.endsWith('\r\u001b[K')).toBe(true)
  })

  test('is drawn again after each row', async () => {
    const { stderr } = await progress([], true)
    expect(stderr).toMatch(/ (\d+) of 40 flags\r\u001b\[K\r\u001b\[K[█░]{20} \1 of 40 flags/)
  })

  test.each([
    [[], false],
    [['--quiet'], true],
  ])('does not appear with %j if stderr is a terminal: %s', async (argv, terminal) => {
    expect((await progress(argv, terminal)).stderr).toBe('')
  })
})

test('a 429 delays all requests of the run', async () => {
  const times: number[] = []
  const { clock } = patientClock(0)
  const server = await serve((response) => {
    times.push(clock.now())
    if (times.length === 1) {
      response.setHeader('Retry-After', '5')
      return json(response, 429, {})
    }
    return json(response, 200, { lastHourUsage: [] })
  })
  const names = ['a', 'b', 'c', 'd', '--concurrency', '1']
  const { code } = await flagadm(['feature', 'usage', ...names], {
    env: environment(server.url),
    clock,
  })
  expect([code, times]).toEqual([0, [0, 5000, 5000, 5000, 5000]])
})

describe('the usage of another flag', () => {
  const another = async (options: string[]) => {
    const lastHourUsage = [{ ...record('web', 'production', 1, 0), featureName: 'g' }]
    const { url } = await serve((response) => json(response, 200, { lastHourUsage }))
    return flagadm(['feature', 'usage', 'f', ...options], { env: environment(url) })
  }

  test.each([
    [['-o', 'table']],
    [['-o', 'csv']],
    [['-o', 'openmetrics']],
    [['--watch', '--count', '1']],
  ])('is an error with %j', async (options) => {
    expect(await another(options)).toMatchObject({
      code: 8,
      stdout: '',
      stderr: "error: f: the service returned the usage of the flag 'g'\n",
    })
  })

  test('is printed unchanged with -o json', async () => {
    expect(await another(['-o', 'json'])).toMatchObject({ code: 0, stderr: '' })
  })
})

test('an interrupted run prints the results so far and exits with 130', async () => {
  const interruption = new AbortController()
  const server = await serve((response, { url }) => {
    if (url.endsWith('/c')) return interruption.abort()
    return json(response, 200, { lastHourUsage: [] })
  })
  const argv = [
    'feature',
    'usage',
    'a',
    'b',
    'c',
    'd',
    '--concurrency',
    '1',
    '--layout',
    'sections',
  ]
  const world = { env: environment(server.url), signal: interruption.signal }
  const { code, stdout, stderr } = await flagadm(argv, world)
  expect([code, stdout.match(/^[abcd]$/gm), stderr]).toEqual([
    130,
    ['a', 'b'],
    'error: interrupted after 2 of 4 flags\n',
  ])
})

describe('a wrong option is refused', () => {
  test.each([
    [
      ['a', '--watch', '--expect', 'used'],
      '--watch cannot be used with --expect',
      'see flagadm feature usage --help',
    ],
    [
      ['a', '--watch', '--expect', 'unused', '--for', '2h'],
      '--watch cannot be used with --expect',
      'see flagadm feature usage --help',
    ],
    [['a', '--watch', '--for', '2h'], '--for requires --expect', 'add --expect or leave out --for'],
    [
      ['a', '--watch', '--output-file', 'x'],
      '--output-file cannot be used with --watch',
      'see flagadm feature usage --help',
    ],
    [
      ['a', '--expect', 'used', '--output-file', 'x'],
      '--output-file cannot be used with --expect',
      'see flagadm feature usage --help',
    ],
    [
      ['a', '--expect', 'used', '--limit', '1'],
      '--limit cannot be used with --expect',
      'see flagadm feature usage --help',
    ],
    [
      ['a', '--expect', 'used', '--unused'],
      '--unused cannot be used with --expect',
      'see flagadm feature usage --help',
    ],
    [
      ['a', '--used', '--unused'],
      '--used cannot be used with --unused',
      'see flagadm feature usage --help',
    ],
    [
      ['a', '--watch', '--layout', 'table'],
      '--layout cannot be used with --watch',
      'see flagadm feature usage --help',
    ],
    [
      ['a', '--layout', 'table', '-o', 'csv'],
      'csv output cannot be combined with --layout',
      'use -o table, or leave out --layout',
    ],
    [
      ['a', '--layout', 'wide'],
      "--layout argument 'wide' is invalid. Allowed choices are sections, table",
      'see flagadm feature usage --help',
    ],
    [
      ['a', '--group-by', 'app'],
      "--group-by argument 'app' is invalid. Allowed choices are application, environment, flag, variant, project, none",
      'see flagadm feature usage --help',
    ],
    [
      ['a', '--sort', 'size'],
      "--sort argument 'size' is invalid. Allowed choices are enabled, disabled, total, share, name",
      'see flagadm feature usage --help',
    ],
    [
      ['a', '--limit', '0'],
      "--limit: '0' is not a whole number from 1 to 999999999",
      'use a number such as 10',
    ],
    [
      ['a', '--concurrency', 'x'],
      "--concurrency: 'x' is not a whole number from 1 to 100",
      'use a number such as 10',
    ],
    [['a', '--for', '1h'], '--for requires --expect', 'add --expect or leave out --for'],
    [['a', '--count', '1'], '--count requires --watch', 'add --watch or leave out --count'],
    [
      ['a', '--match', '(?<flag>x)'],
      '--match requires --scan',
      'use --scan <glob>, or add scan.paths to the project configuration',
    ],
    [
      ['a', '--allow-unseen'],
      '--allow-unseen requires --expect',
      'add --expect or leave out --allow-unseen',
    ],
    [
      ['a', '--expect', 'used', '--reverse'],
      '--reverse cannot be used with --expect',
      'see flagadm feature usage --help',
    ],
    [
      ['a', '--fail-fast'],
      '--fail-fast requires --expect',
      'add --expect or leave out --fail-fast',
    ],
    [
      ['a', '--allow-unknown-filter'],
      '--allow-unknown-filter requires --expect',
      'add --expect or leave out --allow-unknown-filter',
    ],
    [
      ['a', '--interval', '5'],
      '--interval requires --watch or --expect',
      'add --watch or --expect or leave out --interval',
    ],
    [
      ['a', '--watch', '--interval', '0.9s'],
      "the interval '0.9s' is shorter than 1s",
      'use --interval 1s or longer',
    ],
    [
      ['a', '--watch=soon'],
      "--watch: 'soon' is not a duration",
      'use a positive number of seconds, or one with s, m, h or d: 10, 90s, 65m, 2h or 30d',
    ],
    [
      ['a', '--expect', 'used', '--for', '1w'],
      "--for: '1w' is not a duration",
      'use a positive number with s, m, h or d: 90s, 65m, 2h or 30d',
    ],
  ])('in %j', async (argv, problem, hint) => {
    const { code, stderr, asked } = await usage(argv)
    expect([code, stderr, asked]).toEqual([2, `error: ${problem}\nhint: ${hint}\n`, []])
  })
})
