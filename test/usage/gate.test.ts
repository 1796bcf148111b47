import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, withoutCaption } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const start = Date.UTC(2026, 10, 20, 16, 10)
const record = (yes: number, parts: object = {}) => ({
  appName: 'web',
  environment: 'production',
  timestamp: '2026-11-20T16:00:00.000Z',
  yes,
  no: 0,
  ...parts,
})
/** Records, or a status. */
type Answer = object[] | number

interface GateWorld {
  /** The environments of each project; without them the service lists no projects. */
  projects?: Record<string, string[]>
  /** The applications that have reported each flag. */
  seen?: string[]
  /** Changes the clock while the service answers the request with this number. */
  during?: (time: ReturnType<typeof patientClock>, count: number) => void
  talksToTerminal?: boolean
}

/**
 * Runs a gate on flags against a service that returns these answers in turn for each flag, and then
 * repeats the last one. The clock runs without waiting.
 */
async function gateOf(
  argv: readonly string[],
  answers: Record<string, Answer[]>,
  { seen = ['web'], projects, during, ...world }: GateWorld = {},
) {
  const time = patientClock(start)
  const reads: Record<string, number> = {}
  const server = await serve((response, { url }, count) => {
    const [, encoded = ''] = /\/client-metrics\/features\/(.*)$/.exec(url) ?? []
    const flag = decodeURIComponent(encoded)
    if (flag === '') return listProjects(response, url, projects)
    during?.(time, count)
    reads[flag] = (reads[flag] ?? 0) + 1
    const answer = answers[flag]?.[reads[flag] - 1] ?? answers[flag]?.at(-1) ?? []
    if (typeof answer === 'number') return json(response, answer, { message: 'no' })
    return json(response, 200, { lastHourUsage: answer, seenApplications: seen })
  })
  const names = Object.keys(answers)
  const outcome = await flagadm(['feature', 'usage', ...names, '--retries', '0', ...argv], {
    ...world,
    env: environment(server.url),
    clock: time.clock,
  })
  return { ...withoutCaption(outcome), waits: time.waits, reads, url: server.url }
}

function listProjects(response: ServerResponse, url: string, projects?: GateWorld['projects']) {
  if (!projects) return json(response, 404, { message: 'no such path' })
  if (url === '/api/admin/projects') {
    return json(response, 200, { projects: Object.keys(projects).map((id) => ({ id })) })
  }
  const [, id = ''] = /^\/api\/admin\/projects\/(.*)\/overview$/.exec(url) ?? []
  const environments = projects[id]?.map((environment) => ({ environment }))
  return json(response, 200, { environments })
}

/** Runs a gate on the flag `f`. */
async function gate(argv: readonly string[], answers: Answer[], seen?: string[]) {
  const { reads, ...outcome } = await gateOf(argv, { f: answers }, seen ? { seen } : {})
  return { ...outcome, reads: reads.f }
}

const unusedFor = (span: string) => ['--expect', 'unused', '--for', span]
const unused = unusedFor('0')
const used = ['--expect', 'used']

describe('over one reading', () => {
  test('"used" passes if there is usage', async () => {
    const { code, stdout, stderr } = await gate(used, [[record(1234)]])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      '✓ f is in use: 1,234 evaluations in one reading of the current clock hour (since 16:00 UTC, 10 min)\n',
    )
  })

  test('"unused" fails if there is usage', async () => {
    const { code, stdout, stderr } = await gate(unused, [[record(1)]])
    expect(code).toBe(9)
    expect(stdout).toMatch(
      /^✗ f is in use \(expected unused\): 1 evaluation in one reading of the current clock hour /,
    )
    expect(stderr).toBe('error: f is in use (expected unused)\n')
  })

  test('"unused" passes without usage', async () => {
    const { code, stdout, stderr } = await gate(unused, [[record(0)]])
    expect([code, stderr, stdout]).toEqual([
      0,
      '',
      '✓ f is unused: no evaluations in one reading of the current clock hour (since 16:00 UTC, 10 min)\n',
    ])
  })

  test('"used" fails without usage', async () => {
    const { code, stdout } = await gate(used, [[]])
    expect([code, stdout]).toEqual([
      9,
      '✗ f is unused (expected used): no evaluations in one reading of the current clock hour (since 16:00 UTC, 10 min)\n',
    ])
  })

  test.each([[unused], [used]])(
    '%j of a flag that no application has ever reported is inconclusive',
    async (argv) => {
      const { code, stdout } = await gate(argv, [[]], [])
      expect([code, stdout.split(':')[0]]).toEqual([9, `? f is inconclusive (expected ${argv[1]})`])
      expect(stdout).toContain('no application has ever reported this flag; check the name')
    },
  )

  test('--allow-unseen accepts a flag that no application has ever reported', async () => {
    const { code } = await gate([...unused, '--allow-unseen'], [[]], [])
    expect(code).toBe(0)
  })

  test.each([
    [401, 4],
    [404, 6],
    [500, 8],
  ])('a reading that fails with %i gives the exit code %i', async (status, exit) => {
    const { code, stdout } = await gate(unused, [status])
    expect([code, stdout]).toEqual([exit, ''])
  })

  test('filters select whose usage counts', async () => {
    const rows = [record(5, { appName: 'job' }), record(5, { environment: 'staging' })]
    const argv = [...unused, '--app', 'web', '--environment', 'prod*']
    expect((await gate(argv, [rows])).code).toBe(0)
    expect((await gate(unused, [rows])).code).toBe(9)
  })

  test.each([
    ['only variants count', [record(0, { yes: undefined, variants: { blue: 7 } })]],
    ['counts cancel each other out', [record(5), record(-5, { environment: 'staging' })]],
  ])('"unused" fails if %s', async (_what, rows) => {
    expect((await gate(unused, [rows])).code).toBe(9)
  })

  test('a flag with a record is known, even without a timestamp', async () => {
    const { code } = await gate(unused, [[record(0, { timestamp: undefined })]], [])
    expect(code).toBe(0)
  })

  test.each([
    [['--app', 'web', '--environment', 'production'], { environment: 'staging' }, 0],
    [['--app', 'web', '--environment', 'production'], {}, 9],
    [['--app', 'web'], { appName: '' }, 9],
    [['--environment', 'production'], { environment: '' }, 9],
  ])(
    'usage without an application counts only if it may match the filters: %j, %j',
    async (filters, parts, exit) => {
      const usage = { ...record(5), appName: undefined, ...parts }
      const argv = [...unused, ...filters, '--allow-unknown-filter', '-q']
      expect((await gate(argv, [[usage]])).code).toBe(exit)
    },
  )

  test.each([
    [unused, { yes: null, no: null }],
    [unused, { yes: undefined, no: undefined }],
    [[...unusedFor('20s'), '--environment', 'production'], { yes: null, no: null }],
  ])('%j is inconclusive if a record has no counts: %j', async (argv, parts) => {
    const { code, stdout } = await gate(argv, [[record(0, parts)], [record(0)]])
    expect(code).toBe(9)
    expect(stdout).toContain(
      '? f is inconclusive (expected unused): a record has neither of the counts yes and no, or a negative one\n',
    )
  })

  test('negative counts do not make up for others', async () => {
    const { code, stdout } = await gate(unused, [[record(5), record(-5)]])
    expect(code).toBe(9)
    expect(stdout).toContain(
      '? f is inconclusive (expected unused): a record has neither of the counts yes and no, or a negative one\n',
    )
  })

  test('records that the filters leave out may lack their counts', async () => {
    const argv = [...unused, '--environment', 'production']
    const other = record(0, { environment: 'staging', yes: null, no: null })
    expect((await gate(argv, [[record(0), other]])).code).toBe(0)
  })

  test.each([[unused], [used]])('%j does not accept a record of another flag', async (argv) => {
    const usage = { featureName: 'f', lastHourUsage: [record(0, { featureName: 'g' })] }
    const { url } = await serve((response) => json(response, 200, usage))
    expect(
      await flagadm(['feature', 'usage', 'f', ...argv], { env: environment(url) }),
    ).toMatchObject({
      code: 8,
      stderr: "error: f: the service returned the usage of the flag 'g'\n",
    })
  })

  test.each([[unused], [used]])('%j does not accept the usage of another flag', async (argv) => {
    const usage = { featureName: 'g', lastHourUsage: [record(0)] }
    const { url } = await serve((response) => json(response, 200, usage))
    const world = { env: environment(url) }
    expect(await flagadm(['feature', 'usage', 'f', ...argv], world)).toMatchObject({
      code: 8,
      stdout: '',
      stderr: "error: f: the service returned the usage of the flag 'g'\n",
    })
  })

  test('usage without the application that a filter asks for is inconclusive, as with real servers', async () => {
    const rows = [record(5, { appName: undefined })]
    const { code, stdout } = await gate([...unused, '--app', 'web'], [rows])
    expect(code).toBe(9)
    expect(stdout).toContain(
      'there is usage without the application or environment that the filters ask for',
    )
  })
})

describe('over a span', () => {
  const minute = unusedFor('60s')

  test('"unused" passes only when the whole span is over', async () => {
    const { code, stdout, waits, reads } = await gate(minute, [[]])
    expect([code, waits, reads]).toEqual([0, Array(6).fill(10_000), 7])
    expect(stdout).toBe('✓ f is unused: no evaluations since 16:00 UTC, 11 min (7 readings)\n')
  })

  test('"unused" fails as soon as usage is seen', async () => {
    const { code, stdout, reads } = await gate(minute, [[], [], [record(3)]])
    expect([code, reads]).toEqual([9, 3])
    expect(stdout).toBe(
      '✗ f is in use (expected unused): 3 evaluations since 16:00 UTC, 10 min (3 readings)\n',
    )
  })

  test('"used" passes as soon as usage is seen', async () => {
    const { code, reads } = await gate([...used, '--for', '2h'], [[], [record(3)]])
    expect([code, reads]).toEqual([0, 2])
  })

  test('"used" fails when the span is over', async () => {
    const { code, reads } = await gate([...used, '--for', '1m'], [[]])
    expect([code, reads]).toEqual([9, 7])
  })

  test.each([['--interval', '25'], ['--interval=25s']])(
    '%s sets the pause between readings, and the last reading is at the end',
    async (...interval) => {
      const { code, waits } = await gate([...minute, ...interval], [[]])
      expect([code, waits]).toEqual([0, [25_000, 25_000, 10_000]])
    },
  )

  test('usage still counts after a new hour has reset the figures', async () => {
    const { code } = await gate(['--expect', 'used', '--for', '60s'], [[record(3)], []])
    expect(code).toBe(0)
  })

  test('a failed reading causes a warning but does not change the verdict', async () => {
    const { code, stdout, stderr } = await gate(minute, [[], 500, []])
    expect(code).toBe(0)
    expect(stdout).toBe('✓ f is unused: no evaluations since 16:00 UTC, 11 min (7 readings)\n')
    expect(stderr).toBe('warning: a reading failed: 500: no\n')
  })

  test('the verdict is inconclusive and the exit code 8 if over a third of the readings fail', async () => {
    const { code, stdout, stderr } = await gate(minute, [[], 500, 500, 500, []])
    expect(code).toBe(8)
    expect(stdout).toBe('? f is inconclusive (expected unused): 3 of 7 readings failed\n')
    expect(stderr).toContain('error: f is inconclusive (expected unused)\n')
  })

  test('the error is reported if all readings fail', async () => {
    const { code, stdout, stderr, reads } = await gate([...minute, '-q'], [500])
    expect([code, stdout, stderr, reads]).toEqual([
      8,
      '',
      'error: f: 500: no\nhint: try again later\n',
      7,
    ])
  })

  test('a flag that no application has ever reported causes a warning at once', async () => {
    const { code, stderr } = await gate(minute, [[]], [])
    expect(code).toBe(9)
    expect(stderr).toMatch(
      /^warning: f: no application has ever reported this flag; check the name\n/,
    )
  })
})

describe('a filter value', () => {
  const inProduction = ['--environment', 'production']
  const production = [...unused, ...inProduction]

  test.each([
    ['--environment', 'prodution', 'environment', 'known: production, staging'],
    ['--environment', 'test*', 'environment', 'known: production, staging'],
    ['--environment', 'Production', 'environment', 'known: production, staging'],
    ['--app', 'wbe', 'application', 'known: job, web'],
  ])('that no record has is inconclusive: %s %s', async (option, value, kind, known) => {
    const rows = [record(5, { appName: 'job' }), record(5, { environment: 'staging' })]
    const { code, stdout } = await gate([...unused, option, value, '--allow-unseen'], [rows])
    expect([code, stdout]).toEqual([
      9,
      `? f is inconclusive (expected unused): unknown ${kind} '${value}' (${known})\n`,
    ])
  })

  test('that no record has makes "used" inconclusive, too', async () => {
    const { code, stdout } = await gate([...used, '--environment', 'prodution'], [[record(5)]])
    expect([code, stdout.split(':')[0]]).toEqual([9, '? f is inconclusive (expected used)'])
  })

  test('is accepted with --allow-unknown-filter', async () => {
    const argv = [...unused, '--environment', 'prodution', '--allow-unknown-filter']
    expect((await gate(argv, [[record(5)]])).code).toBe(0)
  })

  test('of an application is known if an application of this name has reported the flag', async () => {
    expect((await gate([...unused, '--app', 'job'], [[record(5)]], ['job'])).code).toBe(0)
  })

  test('is known if a record of another flag has it', async () => {
    const { code, stdout } = await gateOf(production, {
      a: [[]],
      b: [[record(0)]],
    })
    expect([code, stdout.match(/^\S+ [ab] is [^:]+/gm)]).toEqual([
      0,
      ['✓ a is unused', '✓ b is unused'],
    ])
  })

  test('is known if a record of any reading has it', async () => {
    const argv = [...unusedFor('30s'), ...inProduction, '-q']
    expect((await gate(argv, [[], [record(0)], []])).code).toBe(0)
  })

  test.each([
    [{ default: ['development', 'production'] }],
    [{ '..': [], '\ud800': [], default: ['development'], other: ['production'] }],
  ])('is known if the service lists it for a project: %j', async (projects) => {
    const { code, stderr } = await gateOf(
      [...unusedFor('30s'), ...inProduction, '--environment', 'dev*'],
      { f: [[]] },
      { projects },
    )
    expect([code, stderr]).toEqual([0, ''])
  })

  test('that the service does not list is reported with those that it lists', async () => {
    const projects = { default: ['development'], other: ['production'] }
    const argv = [...unused, '--environment', 'prodution']
    const { code, stdout } = await gateOf(argv, { f: [[record(1)]] }, { projects })
    expect([code, stdout]).toEqual([
      9,
      "? f is inconclusive (expected unused): unknown environment 'prodution' (known: development, production)\n",
    ])
  })

  test('that is unknown does not hide usage that matches another one', async () => {
    const { code, stdout } = await gate([...production, '--environment', 'x'], [[record(5)]])
    expect([code, stdout.split(':')[0]]).toEqual([9, '✗ f is in use (expected unused)'])
  })

  test('that no record has causes a warning at the start of a span', async () => {
    const { code, stderr } = await gate([...unusedFor('30s'), ...inProduction], [[]])
    expect([code, stderr.split('\n')[0]]).toEqual([
      9,
      "warning: unknown environment 'production' (none known)",
    ])
  })

  test('that is unknown is reported with at most ten known ones', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => record(1, { appName: `a${index + 10}` }))
    const { stdout } = await gate([...unused, '--app', 'x'], [rows], [])
    expect(stdout).toContain(
      "unknown application 'x' (known: a10, a11, a12, a13, a14, a15, a16, a17, a18, a19 and 2 more)",
    )
  })
})

describe('a flag that the service refuses', () => {
  const hour = unusedFor('1h')

  test.each([
    [400, 7],
    [401, 4],
    [403, 5],
    [404, 6],
  ])('with %i ends the gate at once with %i', async (status, exit) => {
    const { code, stdout, reads } = await gate(hour, [status])
    expect([code, stdout, reads]).toEqual([exit, '', 1])
  })

  test('during the span ends the gate, with the evidence so far', async () => {
    const { code, stdout, stderr, reads } = await gate(hour, [[], [], 403])
    expect([code, reads]).toEqual([5, 3])
    expect(stdout).toBe('? f is inconclusive (expected unused): 403: no\n')
    expect(stderr).toBe('error: f is inconclusive (expected unused)\n')
  })

  test('is not read again, and the exit code is 10 if the others pass', async () => {
    const argv = unusedFor('30s')
    const { code, stdout, stderr, reads, url } = await gateOf(argv, { a: [404], b: [[]] })
    expect([code, reads]).toEqual([10, { a: 1, b: 4 }])
    expect(stdout).toBe(
      '? a is inconclusive (expected unused): 404: no\n✓ b is unused: no evaluations since 16:00 UTC, 10 min (4 readings)\n',
    )
    expect(stderr).toBe(
      `error: a: 404: no\nhint: check the name (flagadm feature list --all-projects lists those that exist) and the address (${url})\nerror: expected unused: 1 passed, 0 failed, 1 inconclusive\n`,
    )
  })

  test('does not hide one that is in use: the exit code is 9', async () => {
    const { code } = await gateOf(hour, { a: [404], b: [[], [record(1)]] })
    expect(code).toBe(9)
  })

  test('is counted if all are refused, with the exit code that they share', async () => {
    const { code, stdout, stderr } = await gateOf(hour, { a: [403], b: [403] })
    expect([code, stdout]).toEqual([5, ''])
    expect(stderr).toMatch(/\nerror: 2 of 2 flags could not be read\n$/)
  })

  test('ends the gate with 10 if all are refused with different statuses', async () => {
    const { code } = await gateOf(hour, { a: [403], b: [404] })
    expect(code).toBe(10)
  })
})

describe('the clock', () => {
  const span = unusedFor('65m')
  const short = unusedFor('5m')
  const during = (change: (time: ReturnType<typeof patientClock>) => void): GateWorld => ({
    during: (time, count) => count === 2 && change(time),
  })

  test.each([
    ['forward by 70 min', 70 * 60_000],
    ['forward by 31 s', 31_000],
    ['back by 60 min', -60 * 60_000],
    ['back by 57600 min', -40 * 86_400_000],
  ])('jumping %s makes "unused" inconclusive after the whole span', async (jump, by) => {
    const { code, stdout, reads } = await gateOf(
      short,
      { f: [[]] },
      during((time) => time.step(by)),
    )
    expect([code, reads]).toEqual([9, { f: 31 }])
    expect(stdout).toBe(
      `? f is inconclusive (expected unused): the clock jumped ${jump} between two readings (clock change or suspended machine)\n`,
    )
  })

  test('jumping by at most three intervals does not change the verdict', async () => {
    const { code } = await gateOf(
      short,
      { f: [[]] },
      during((time) => time.step(30_000)),
    )
    expect(code).toBe(0)
  })

  test('advancing without readings, as in a stopped process, makes "unused" inconclusive', async () => {
    const { code, stdout } = await gateOf(
      span,
      { f: [[]] },
      during((time) => time.pass(70 * 60_000)),
    )
    expect(code).toBe(9)
    expect(stdout).toContain('there was no successful reading for 70 min')
  })

  test('advancing over failed readings at the end makes "unused" inconclusive', async () => {
    const answers = [...Array<Answer>(380).fill([]), 500]
    const { code, stdout } = await gateOf([...span, '--interval', '15s', '-q'], {
      f: [...answers.slice(0, 230), 500],
    })
    expect(code).toBe(9)
    expect(stdout).toContain('there was no successful reading for 8 min')
  })
})

describe('a progress line', () => {
  const span = [...unusedFor('3m'), '--interval', '90s']
  const answers = { a: [[], [record(1)]], b: [[]] }

  test('is printed each minute where stderr is not a terminal', async () => {
    const { stderr, waits } = await gateOf(span, answers)
    expect(waits).toEqual([60_000, 30_000, 30_000, 60_000])
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      'note: 1 of 3 min, 0 of 2 flags decided',
      'note: 2 of 3 min, 1 of 2 flags decided',
    ])
  })

  test('is replaced each second on a terminal, and removed before anything else', async () => {
    const { stderr } = await gateOf(span, answers, { talksToTerminal: true })
    const [empty, ...lines] = stderr.split('\r\u001b[K')
    expect([empty, lines[0], lines[60], lines[91]]).toEqual([
      '',
      '0 s of 3 min, 3 min left; 1 reading; 0 of 2 flags decided; no evaluations',
      '1 min of 3 min, 2 min left; 1 reading; 0 of 2 flags decided; no evaluations',
      '1 min of 3 min, 1 min left; 2 readings; 1 of 2 flags decided; 1 evaluation',
    ])
    expect(lines.at(-1)).toMatch(/^\u001b\[31merror:/)
  })

  test.each([
    ['with --quiet', {}],
    ['with --quiet on a terminal', { talksToTerminal: true }],
  ])('is not printed %s', async (_where, world) => {
    const { stderr } = await gateOf([...span, '--quiet'], answers, world)
    expect(stderr).not.toContain('decided')
  })
})

describe('one flag in use', () => {
  const span = unusedFor('60s')
  const answers = { a: [[], [record(1)]], b: [[]], c: [[], [], [], [], [record(1)]] }

  test('does not cut the span of the others short', async () => {
    const { code, stdout, reads } = await gateOf(span, answers)
    expect([code, reads]).toEqual([9, { a: 2, b: 7, c: 5 }])
    expect(stdout.match(/^\S+ [abc] is [^:]+/gm)).toEqual([
      '✗ a is in use (expected unused)',
      '✓ b is unused',
      '✗ c is in use (expected unused)',
    ])
  })

  test('ends the span of the others with --fail-fast', async () => {
    const { code, stdout, reads } = await gateOf([...span, '--fail-fast'], answers)
    expect([code, reads]).toEqual([9, { a: 2, b: 2, c: 2 }])
    expect(stdout).toContain(
      '? b is inconclusive (expected unused): no usage was seen, but --fail-fast ended the readings early\n',
    )
  })

  test('does not end a gate with --expect used, even with --fail-fast', async () => {
    const { code, reads } = await gateOf([...used, '--for', '60s', '--fail-fast'], {
      a: [[record(1)]],
      b: [[], [], [record(1)]],
    })
    expect([code, reads]).toEqual([0, { a: 1, b: 3 }])
  })

  test('--fail-fast also ends the gate if a flag is refused', async () => {
    const { code, reads } = await gateOf([...span, '--fail-fast'], { a: [404], b: [[]] })
    expect([code, reads]).toEqual([9, { a: 1, b: 1 }])
  })
})

describe('the report', () => {
  const answer = JSON.stringify({ lastHourUsage: [record(0)] })
  test.each([
    [
      'text',
      '✓ f is unused: no evaluations in one reading of the current clock hour (since 16:00 UTC, 10 min)\n',
    ],
    ['markdown', '| Flag | Expected unused | Reason | Enabled | Disabled |\n'],
  ])('shows the profile and the address with -o %s', async (format, text) => {
    const { url } = await serve((response) => json(response, 200, answer))
    const configuration = `profiles: { shop: { baseUrl: '${url}', apiKey: some-key } }`
    const { stdout } = await flagadm(['feature', 'usage', 'f', '-q', ...unused, '-o', format], {
      clock: patientClock(start).clock,
      files: { 'home/.config/flagadm/config.yaml': configuration },
    })
    expect(stdout.startsWith(`Usage on shop, ${url}\n\n${text}`)).toBe(true)
  })

  const answers = { a: [[record(12_345)]], 'b|`c': [404], d: [[record(0)]] }
  const report = async (format: string) => {
    const { stdout } = await gateOf([...unused, '-q', '-o', format], answers)
    return stdout
  }

  test('is a table with -o markdown', async () => {
    expect(await report('markdown')).toBe(`| Flag | Expected unused | Reason | Enabled | Disabled |
| --- | --- | --- | ---: | ---: |
| \`a\` | ✗ failed | \`12,345 evaluations in one reading of the current clock hour (since 16:00 UTC, 10 min)\` | 12,345 | 0 |
| \`b\\x7c\\x60c\` | ? inconclusive | \`404: no\` | 0 | 0 |
| \`d\` | ✓ passed | \`no evaluations in one reading of the current clock hour (since 16:00 UTC, 10 min)\` | 0 | 0 |
`)
  })

  test('is annotations with -o github', async () => {
    expect(
      await report('github'),
    ).toBe(`::error title=usage-failed::a: in use (expected unused): 12,345 evaluations in one reading of the current clock hour (since 16:00 UTC, 10 min)
::error title=usage-inconclusive::b|\`c: inconclusive (expected unused): 404: no
::notice title=usage-passed::d: unused: no evaluations in one reading of the current clock hour (since 16:00 UTC, 10 min)
`)
  })

  test('has a failed case for each flag that does not pass with -o junit', async () => {
    const xml = await report('junit')
    expect(xml).toContain('<testsuites tests="3" failures="2" errors="0">')
    expect(xml).toContain('<testcase name="d" classname="flagadm feature usage"><system-out>')
    expect(xml).toMatch(/<properties>\n *<property name="baseUrl" value="http:[^"]+"\/>\n/)
  })

  test.each(['table', 'csv', 'jsonl', 'openmetrics', 'sarif'])(
    'is refused with -o %s',
    async (format) => {
      const { code, stderr } = await gate([...unused, '-o', format], [[]])
      expect([code, stderr]).toEqual([
        2,
        `error: ${format} output cannot be combined with --expect\nhint: choose one of text, json, markdown, github, junit\n`,
      ])
    },
  )
})

test('an interrupted gate exits with 130 and reports what it had read, without a verdict', async () => {
  const interruption = new AbortController()
  const server = await serve((response) => json(response, 200, { lastHourUsage: [record(0)] }))
  const sleep = async () => {
    interruption.abort()
    throw new Error('aborted')
  }
  const argv = ['feature', 'usage', 'f', ...unusedFor('65m')]
  const { code, stdout, stderr } = await flagadm(argv, {
    env: environment(server.url),
    signal: interruption.signal,
    clock: { ...patientClock(start).clock, sleep },
  })
  expect([code, stdout, stderr]).toEqual([
    130,
    '',
    'error: interrupted after 0 s of 1 h 5 min: 1 reading; 0 of 1 flag decided; no evaluations\n',
  ])
})

test('the evidence is a JSON document with -o json', async () => {
  const { code, stdout, url } = await gate(
    [...unusedFor('20s'), '-o', 'json'],
    [[], [record(9, { yes: 5, no: 4 })]],
  )
  expect(code).toBe(9)
  expect(stdout.endsWith('}\n')).toBe(true)
  expect(JSON.parse(stdout)).toEqual({
    expect: 'unused',
    requestedSeconds: 20,
    spanSeconds: 610,
    startedAt: '2026-11-20T16:10:00.000Z',
    endedAt: '2026-11-20T16:10:10.000Z',
    verdict: 'failed',
    flags: [
      {
        flag: 'f',
        readings: 2,
        failedReadings: 0,
        from: '2026-11-20T16:00:00.000Z',
        to: '2026-11-20T16:10:10.000Z',
        spanSeconds: 610,
        firstSeen: '2026-11-20T16:10:10.000Z',
        lastSeen: '2026-11-20T16:10:10.000Z',
        newestRecord: '2026-11-20T16:00:00.000Z',
        records: 1,
        matchingRecords: 1,
        seenApplications: 1,
        unnamedUsage: false,
        verdict: 'failed',
        reason: '9 evaluations since 16:00 UTC, 10 min (2 readings)',
        enabled: 5,
        disabled: 4,
      },
    ],
    baseUrl: url,
  })
})

test('a gate fails if one of several flags is not as expected', async () => {
  const server = await serve((response, { url }) =>
    json(response, 200, {
      lastHourUsage: url.endsWith('/a') ? [record(1)] : [],
      seenApplications: ['web'],
    }),
  )
  const { code, stdout, stderr } = await flagadm(['feature', 'usage', 'a', 'b', ...used], {
    env: environment(server.url),
  })
  expect(code).toBe(9)
  expect(stdout.match(/^\S+ [ab] is [^:]+/gm)).toEqual([
    '✓ a is in use',
    '✗ b is unused (expected used)',
  ])
  expect(stderr).toBe('error: expected used: 1 passed, 1 failed, 0 inconclusive\n')
})
