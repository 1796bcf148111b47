import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
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
type Answer = object[] | number

/**
 * Runs a gate on flag `f` against a service that gives these answers one after the other (records,
 * or a status), the last one ever after; the clock runs without waiting.
 */
async function gate(argv: readonly string[], answers: Answer[], seen: string[] = ['web']) {
  const { clock, waits } = patientClock(start)
  const server = await serve((response, _request, count) => {
    const answer = answers[Math.min(count, answers.length) - 1] ?? []
    if (typeof answer === 'number') return json(response, answer, { message: 'no' })
    return json(response, 200, { lastHourUsage: answer, seenApplications: seen })
  })
  const outcome = await flagadm(['feature', 'usage', 'f', '--retries', '0', ...argv], {
    env: environment(server.url),
    clock,
  })
  return { ...outcome, waits, reads: server.received.length }
}

const unused = ['--expect', 'unused']
const used = ['--expect', 'used']

describe('over one reading', () => {
  test('usage lets "used" hold', async () => {
    const { code, stdout, stderr } = await gate(used, [[record(1234)]])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      '✓ holds: f expected used; usage was seen at 2026-11-20T16:10:00.000Z (1 reading, 1,234 enabled, 0 disabled)\n',
    )
  })

  test('usage lets "unused" fail', async () => {
    const { code, stdout, stderr } = await gate(unused, [[record(1)]])
    expect(code).toBe(9)
    expect(stdout).toMatch(/^✗ fails: f expected unused; usage was seen at /)
    expect(stderr).toBe(
      'error: expected unused: holds for 0, fails for 1, inconclusive for 0 of 1 flags\n',
    )
  })

  test('no usage lets "unused" hold, and a note says what that is worth', async () => {
    const { code, stdout, stderr } = await gate(unused, [[record(0)]])
    expect([code, stdout]).toEqual([
      0,
      '✓ holds: f expected unused; no usage was seen (1 reading)\n',
    ])
    expect(stderr).toBe(
      'note: f: one reading proves little, as servers begin a new window each hour; the newest record is 10 min old, 1 application has seen the flag; --for 65m tells more\n',
    )
  })

  test('no usage lets "used" fail', async () => {
    const { code, stdout } = await gate(used, [[]])
    expect([code, stdout]).toEqual([9, '✗ fails: f expected used; no usage was seen (1 reading)\n'])
  })

  test.each([[unused], [used]])(
    '%j of a flag that nothing has ever seen is inconclusive',
    async (argv) => {
      const { code, stdout } = await gate(argv, [[]], [])
      expect([code, stdout.split(';')[0]]).toEqual([9, `? inconclusive: f expected ${argv[1]}`])
      expect(stdout).toContain('nothing has ever seen this flag; is the name right?')
    },
  )

  test('unless --allow-unseen', async () => {
    const { code } = await gate([...unused, '--allow-unseen'], [[]], [])
    expect(code).toBe(0)
  })

  test.each([
    [401, 4],
    [404, 6],
    [500, 8],
  ])('a reading that fails with %i ends it with %i', async (status, exit) => {
    const { code, stdout } = await gate(unused, [status])
    expect([code, stdout]).toEqual([exit, ''])
  })

  test('filters say whose usage counts', async () => {
    const rows = [record(5, { appName: 'job' }), record(5, { environment: 'staging' })]
    const argv = [...unused, '--app', 'web', '--environment', 'prod*']
    expect((await gate(argv, [rows])).code).toBe(0)
    expect((await gate(unused, [rows])).code).toBe(9)
  })

  test('filters that no record is of are told', async () => {
    const { code, stderr } = await gate([...unused, '--environment', 'prodd'], [[record(5)]])
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^warning: f: no record is of what --app and --environment name; are they spelt right\?\n/,
    )
  })

  test.each([
    ['only variants count', [record(0, { yes: undefined, variants: { blue: 7 } })]],
    ['counts cancel each other out', [record(5), record(-5, { environment: 'staging' })]],
  ])('usage is seen where %s', async (_what, rows) => {
    expect((await gate(unused, [rows])).code).toBe(9)
  })

  test('a record without a timestamp shows that the flag is known', async () => {
    const { code } = await gate(unused, [[record(0, { timestamp: undefined })]], [])
    expect(code).toBe(0)
  })

  test('usage that does not name what the filters ask for is inconclusive, as with real servers', async () => {
    const rows = [record(5, { appName: undefined })]
    const { code, stdout } = await gate([...unused, '--app', 'web'], [rows])
    expect(code).toBe(9)
    expect(stdout).toContain('there is usage that does not name what the filters ask for')
  })
})

describe('over a span', () => {
  const minute = [...unused, '--for', '60s']

  test('"unused" holds only when the whole span is over', async () => {
    const { code, stdout, waits, reads } = await gate(minute, [[]])
    expect([code, waits, reads]).toEqual([0, Array(6).fill(10_000), 7])
    expect(stdout).toBe('✓ holds: f expected unused; no usage was seen (7 readings)\n')
  })

  test('"unused" fails as soon as usage is seen', async () => {
    const { code, stdout, reads } = await gate(minute, [[], [], [record(3)]])
    expect([code, reads]).toEqual([9, 3])
    expect(stdout).toBe(
      '✗ fails: f expected unused; usage was seen at 2026-11-20T16:10:20.000Z (3 readings, 3 enabled, 0 disabled)\n',
    )
  })

  test('"used" holds as soon as usage is seen', async () => {
    const { code, reads } = await gate([...used, '--for', '2h'], [[], [record(3)]])
    expect([code, reads]).toEqual([0, 2])
  })

  test('"used" fails when the span is over', async () => {
    const { code, reads } = await gate([...used, '--for', '1m'], [[]])
    expect([code, reads]).toEqual([9, 7])
  })

  test('--watch sets the seconds between readings, and the last one is at the end', async () => {
    const { waits } = await gate([...minute, '--watch', '25'], [[]])
    expect(waits).toEqual([25_000, 25_000, 10_000])
  })

  test('usage that a new hour has wiped out stays seen', async () => {
    const { code } = await gate(['--expect', 'used', '--for', '60s'], [[record(3)], []])
    expect(code).toBe(0)
  })

  test('a reading that fails is told and made up for by the next ones', async () => {
    const { code, stdout, stderr } = await gate(minute, [[], 500, []])
    expect(code).toBe(0)
    expect(stdout).toBe('✓ holds: f expected unused; no usage was seen (7 readings)\n')
    expect(stderr).toBe('warning: a reading failed: f: 500: no\n')
  })

  test('more failed readings than a third are inconclusive and exit with 8', async () => {
    const { code, stdout, stderr } = await gate(minute, [[], 500, 500, 500, []])
    expect(code).toBe(8)
    expect(stdout).toBe('? inconclusive: f expected unused; 3 of 7 readings failed (7 readings)\n')
    expect(stderr).toContain(
      'error: expected unused: holds for 0, fails for 0, inconclusive for 1 of 1 flags\n',
    )
  })

  test('a service that refuses the first reading ends it at once', async () => {
    const { code, reads } = await gate(minute, [403])
    expect([code, reads]).toEqual([5, 1])
  })

  test('a flag that nothing has ever seen is told at once', async () => {
    const { code, stderr } = await gate(minute, [[]], [])
    expect(code).toBe(9)
    expect(stderr).toMatch(/^warning: f: nothing has ever seen this flag; is the name right\?\n/)
  })
})

test('the evidence is a JSON document with -o json', async () => {
  const { code, stdout } = await gate(
    [...unused, '--for', '20s', '-o', 'json'],
    [[], [record(9, { yes: 5, no: 4 })]],
  )
  expect(code).toBe(9)
  expect(stdout.endsWith('}\n')).toBe(true)
  expect(JSON.parse(stdout)).toEqual({
    expect: 'unused',
    spanSeconds: 20,
    startedAt: '2026-11-20T16:10:00.000Z',
    endedAt: '2026-11-20T16:10:10.000Z',
    verdict: 'fails',
    flags: [
      {
        flag: 'f',
        readings: 2,
        failedReadings: 0,
        firstSeen: '2026-11-20T16:10:10.000Z',
        lastSeen: '2026-11-20T16:10:10.000Z',
        newestRecord: '2026-11-20T16:00:00.000Z',
        records: 1,
        matchingRecords: 1,
        seenApplications: 1,
        unnamedUsage: false,
        verdict: 'fails',
        reason: 'usage was seen at 2026-11-20T16:10:10.000Z',
        enabled: 5,
        disabled: 4,
      },
    ],
  })
})

test('of several flags each must be as expected', async () => {
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
  expect(stdout.match(/^\S+ \w+: [ab]/gm)).toEqual(['✓ holds: a', '✗ fails: b'])
  expect(stderr).toBe(
    'error: expected used: holds for 1, fails for 1, inconclusive for 0 of 2 flags\n',
  )
})

test('a flag whose span another one has cut short is inconclusive', async () => {
  const server = await serve((response, { url }) =>
    json(response, 200, {
      lastHourUsage: url.endsWith('/a') ? [record(1)] : [],
      seenApplications: ['web'],
    }),
  )
  const argv = ['feature', 'usage', 'a', 'b', ...unused, '--for', '65m']
  const { code, stdout } = await flagadm(argv, { env: environment(server.url) })
  expect(code).toBe(9)
  expect(stdout).toContain(
    '? inconclusive: b expected unused; no usage was seen, but the span was cut short by another flag (1 reading)\n',
  )
})

test('one flag that fails does not hide the evidence of the others', async () => {
  const server = await serve((response, { url }) =>
    url.endsWith('/a')
      ? json(response, 404, { message: 'no' })
      : json(response, 200, { lastHourUsage: [record(0)] }),
  )
  const argv = ['feature', 'usage', 'a', 'b', ...unused, '-q']
  const { code, stdout, stderr } = await flagadm(argv, { env: environment(server.url) })
  expect(code).toBe(8)
  expect(stdout.match(/^\S+ \w+: [ab]/gm)).toEqual(['? inconclusive: a', '✓ holds: b'])
  expect(stderr).toBe(
    'error: expected unused: holds for 1, fails for 0, inconclusive for 1 of 2 flags\n',
  )
})
