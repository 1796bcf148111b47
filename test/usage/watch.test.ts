import { describe, expect, test } from 'vitest'
import type { Clock } from '../../src/host.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const record = (yes: number) => ({
  appName: 'web',
  environment: 'production',
  timestamp: '2026-11-20T16:00:00.000Z',
  yes,
  no: 0,
})

/** Watches flag `f`, whose count takes these values; negative ones are failures with this status. */
async function watch(argv: readonly string[], counts: number[], columns?: number) {
  const { clock, waits } = patientClock(Date.UTC(2026, 10, 20, 16, 10))
  const server = await serve((response, _request, count) => {
    const yes = counts[Math.min(count, counts.length) - 1] ?? 0
    if (yes < 0) return json(response, -yes, { message: 'sorry' })
    return json(response, 200, { lastHourUsage: [record(yes)] })
  })
  const argvAll = ['feature', 'usage', 'f', '--retries', '0', '--no-color', ...argv]
  const world = { env: environment(server.url), clock, ...(columns !== undefined && { columns }) }
  return { ...(await flagadm(argvAll, world)), waits, url: server.url }
}

describe('without a terminal', () => {
  test('--watch appends a row with the time of each reading', async () => {
    const { code, stdout, waits } = await watch(['--watch', '--count', '3'], [1, 2])
    expect([code, waits]).toEqual([0, [10_000, 10_000]])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ readAt, enabled }) => [readAt, enabled])).toEqual([
      ['2026-11-20T16:10:00.000Z', 1],
      ['2026-11-20T16:10:10.000Z', 2],
      ['2026-11-20T16:10:20.000Z', 2],
    ])
  })

  test('it is the same on a dumb terminal', async () => {
    const { url } = await serve((response) => json(response, 200, { lastHourUsage: [record(1)] }))
    const { clock } = patientClock(Date.UTC(2026, 10, 20, 16, 10))
    const env = { ...environment(url), TERM: 'dumb' }
    const argv = ['feature', 'usage', 'f', '--watch', '--count', '2']
    const piped = await flagadm(argv, { env, clock })
    const { code, stdout } = await flagadm(argv, { env, clock, columns: 80 })
    expect([code, stdout.replaceAll(/"readAt":"[^"]*"/g, '')]).toEqual([
      0,
      piped.stdout.replaceAll(/"readAt":"[^"]*"/g, ''),
    ])
    expect(stdout).toMatch(/^\{"readAt".*\n\{"readAt".*\n$/)
  })

  test('a failed reading is reported and does not end it', async () => {
    const { code, stdout, stderr } = await watch(['--watch=1', '--count', '3'], [1, -500, 2])
    expect([code, stdout.split('\n').length]).toEqual([0, 3])
    expect(stderr).toBe('error: f: 500: sorry\nhint: try again later\n')
  })

  test('filters that match nothing cause one warning', async () => {
    const { stdout, stderr } = await watch(['--watch', '--count', '2', '--app', 'none'], [1])
    const row =
      '"flag":"f","application":null,"environment":null,"timestamp":null,"enabled":0,"disabled":0,"variants":{}}\n'
    expect(stdout).toBe(
      `{"readAt":"2026-11-20T16:10:00.000Z",${row}{"readAt":"2026-11-20T16:10:10.000Z",${row}`,
    )
    expect(stderr).toBe('warning: no usage matches the filters\n')
  })

  test.each([
    ['csv', 'csv output cannot be combined with --watch\nhint: choose one of table, jsonl\n'],
    ['json', 'json output cannot be combined with --watch","hint":"choose one of table, jsonl"'],
    ['table', 'table output with --watch requires a terminal\nhint: use -o jsonl\n'],
  ])('the format %s is refused', async (format, problem) => {
    const { code, stderr } = await watch(['--watch', '-o', format], [1])
    expect([code, stderr]).toContain(2)
    expect(stderr).toContain(problem)
  })

  test.each([
    [[['--watch=5'], ['--watch', '--interval', '5'], ['--interval=5s', '--watch']], 5000],
    [[['--watch'], ['--watch', '--interval', '10']], 10_000],
    [[['--watch=2m']], 120_000],
  ])('%j pauses for %i ms', async (forms, pause) => {
    for (const form of forms) {
      const { code, waits } = await watch([...form, '--count', '2'], [1])
      expect([code, waits]).toEqual([0, [pause]])
    }
  })
})

test('--watch does not take the next name for its interval', async () => {
  const server = await serve((response) => json(response, 200, { lastHourUsage: [record(1)] }))
  const read = async (argv: readonly string[]) => {
    const before = server.received.length
    await flagadm(['feature', 'usage', '--count', '1', ...argv], { env: environment(server.url) })
    return server.received.slice(before).map(({ url }) => url.split('/').at(-1))
  }
  expect(await read(['--watch', 'a', 'b'])).toEqual(['a', 'b'])
  expect(await read(['--watch', '5', 'b'])).toEqual(['5', 'b'])
  expect(await read(['a', '--watch=5', 'b'])).toEqual(['a', 'b'])
  expect(await read(['--watch', '--', '--watch=5', 'b'])).toEqual(['--watch%3D5', 'b'])
})

describe('the exit code of a watch', () => {
  const count2 = ['--watch', '--count', '2']

  test.each([
    ['without a terminal', undefined],
    ['on a terminal', 80],
  ])('is that of the error if the last reading failed, %s', async (_where, columns) => {
    const { code, stderr } = await watch(count2, [1, -500], columns)
    expect([code, stderr]).toEqual([8, 'error: f: 500: sorry\nhint: try again later\n'])
  })

  test('is 0 if only earlier readings failed', async () => {
    expect((await watch(count2, [-500, 1])).code).toBe(0)
  })

  test.each([
    ['without a terminal', 401, 4, undefined],
    ['without a terminal', 403, 5, undefined],
    ['on a terminal', 401, 4, 80],
    ['on a terminal', 403, 5, 80],
  ])('%s is that of %i, which ends it at once', async (_where, status, exit, columns) => {
    const { code, stderr, waits } = await watch(['--watch'], [1, -status], columns)
    expect([code, waits]).toEqual([exit, [10_000]])
    expect(stderr).toMatch(new RegExp(`^error: f: ${status}: sorry\\n`))
  })

  test('is 10 if the last reading of some flags failed', async () => {
    const server = await serve((response, { url }) =>
      url.endsWith('/g')
        ? json(response, 404, { message: 'sorry' })
        : json(response, 200, { lastHourUsage: [record(1)] }),
    )
    const argv = ['feature', 'usage', 'f', 'g', '--watch', '--count', '1']
    const { code, stderr } = await flagadm(argv, { env: environment(server.url) })
    expect([code, stderr]).toEqual([
      10,
      `error: g: 404: sorry\nhint: check the name (flagadm feature list --all-projects lists those that exist) and the address (${server.url})\nerror: 1 of 2 flags could not be read\n`,
    ])
  })
})

describe('on a terminal', () => {
  const clear = '\u001b[H\u001b[J'
  const status = '\nevery 10 s, Ctrl-C to stop\n'

  test('each reading replaces the table of the last one', async () => {
    const { code, stdout, stderr, url } = await watch(['--watch', '--count', '3'], [1, 3, 2], 80)
    const { stdout: table } = await watch([], [2], 80)
    const [before, first, second, last] = stdout.split(clear)
    expect([code, stderr, before]).toEqual([0, '', ''])
    expect(first).toMatch(/^web .* 1 +0 +1 /m)
    expect(first?.endsWith(status)).toBe(true)
    expect(second).toMatch(/^web .* 3 +0 +3 /m)
    expect(second?.endsWith(status)).toBe(true)
    const address = /http:\S+/
    expect(last?.replace(address, '')).toBe(table.replace(address, ''))
    expect(last?.startsWith(`Usage on ${url}\n\nf (since 16:00 UTC)\n\n`)).toBe(true)
  })

  test('the line below shows the interval', async () => {
    const { stdout } = await watch(['--watch=2m', '--count', '2'], [1], 80)
    expect(stdout).toContain('\nevery 120 s, Ctrl-C to stop\n')
  })

  test('a failure is shown below the table', async () => {
    const server = await serve((response, { url }) =>
      url.endsWith('/g')
        ? json(response, 500, { message: 'sorry' })
        : json(response, 200, { lastHourUsage: [record(1)] }),
    )
    const { clock } = patientClock()
    const argv = ['feature', 'usage', 'f', 'g', '--watch', '--count', '2', '--retries', '0']
    const world = { env: environment(server.url), columns: 80, clock }
    const { code, stdout, stderr } = await flagadm([...argv, '--no-color'], world)
    expect(code).toBe(10)
    expect(stdout.split(clear)[1]).toContain(
      '\nIncomplete: 1 of 2 flags could not be read (g)\n\n1 flag read: 1 in use, 0 unused\n',
    )
    expect(stderr).toBe(
      `${'error: g: 500: sorry\nhint: try again later\n'.repeat(2)}error: 1 of 2 flags could not be read\n`,
    )
  })

  test('a reading without any flag has no table', async () => {
    const { code, stdout, stderr } = await watch(['--watch', '--count', '2'], [-500, 6], 80)
    expect([code, stderr]).toEqual([0, 'error: f: 500: sorry\nhint: try again later\n'])
    const [, first, second] = stdout.split(clear)
    expect([first, second?.split('\n')[2]]).toEqual([status, 'f (since 16:00 UTC)'])
  })

  test('a key in the response is masked in every table', async () => {
    const { clock } = patientClock()
    const server = await serve((response) =>
      json(response, 200, { lastHourUsage: [{ ...record(1), appName: CANARY }] }),
    )
    const argv = ['feature', 'usage', 'f', '--watch', '--count', '3', '--no-color']
    const world = { env: environment(server.url), columns: 80, clock }
    const { stdout } = await flagadm(argv, world)
    expect(stdout.match(/^\[redacted\] +production/gm)).toHaveLength(3)
  })

  test('an interruption exits with 130', async () => {
    const interruption = new AbortController()
    const clock: Clock = {
      now: () => 0,
      monotonic: () => 0,
      random: () => 0,
      sleep: async () => {
        interruption.abort()
        throw new Error('aborted')
      },
    }
    const server = await serve((response) => json(response, 200, { lastHourUsage: [record(1)] }))
    const { code, stdout, stderr } = await flagadm(['feature', 'usage', 'f', '--watch'], {
      env: environment(server.url),
      signal: interruption.signal,
      columns: 80,
      clock,
    })
    expect([code, stderr, stdout.split(clear).length]).toEqual([130, '', 2])
  })
})
