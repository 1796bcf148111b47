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
  const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l'
  const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l'

  test('the table is redrawn on the alternate screen, and the last one is printed at the end', async () => {
    const { stdout, url } = await watch(['--watch', '--count', '4'], [1, 3, 9, 2], 100)
    expect(stdout.startsWith(enter)).toBe(true)
    const [screen = '', after = ''] = stdout.slice(enter.length).split(leave)
    expect(screen.split('\u001b[H').length - 1).toBe(5)
    expect(after).toBe(`f (${url}, since 16:00 UTC)

Application  Environment  Enabled  Disabled  Total              Share  Change           Reported
────────────────────────────────────────────────────────────────────────────────────────────────────
web          production         2         0      2  ██████████ 100.0%           ▄█▄ +2  11-20 16:00Z
────────────────────────────────────────────────────────────────────────────────────────────────────
Total                           2         0      2  ██████████ 100.0%

Read at 16:10:30Z
`)
  })

  /** The line of titles in each frame that has a table. */
  const titlesOf = (stdout: string) =>
    (stdout.split(leave)[0] ?? '').split('\u001b[H').flatMap((frame) => {
      const titles = frame.split('\r\n').find((line) => line.includes('Enabled'))
      return titles === undefined ? [] : [titles]
    })

  test.each([60, 80, 100, 120])(
    'columns do not move on a screen of %i columns',
    async (columns) => {
      const counts = [1_234_567, 12, 150, -500, 1500, 3]
      const { stdout } = await watch(['--watch', '--count', '8'], counts, columns)
      const titles = titlesOf(stdout)
      expect(titles).toHaveLength(8)
      expect(new Set(titles).size).toBe(1)
    },
  )

  test('columns do not move when a flag becomes unused', async () => {
    const { clock } = patientClock(Date.UTC(2026, 10, 20, 16, 10))
    const server = await serve((response, _request, count) =>
      json(response, 200, { lastHourUsage: count === 1 ? [record(5)] : [] }),
    )
    const argv = ['feature', 'usage', 'f', '--watch', '--count', '2', '--no-color']
    const world = { env: environment(server.url), clock, columns: 120 }
    const { stdout } = await flagadm(argv, world)
    const [before, after] = titlesOf(stdout)
    expect(after).toBe(before)
    expect(stdout.split(leave)[1]).toContain(
      '\n—            —                  0         0      0 ',
    )
  })

  test('long errors are wrapped, and cut visibly after three lines', async () => {
    const server = await serve((response) =>
      json(response, 500, { message: 'many words '.repeat(30) }),
    )
    const argv = ['feature', 'usage', 'f', '--watch', '--count', '1', '--retries', '0']
    const world = { env: environment(server.url), columns: 40 }
    const { stdout } = await flagadm([...argv, '--no-color'], world)
    expect(stdout).toContain(`error: f: 500: many words many words\r
\u001b[Kmany words many words many words many\r
\u001b[Kwords many words many words many words …\r
\u001b[Khint: try again later\r
`)
  })

  test('a failure is shown below the last figures', async () => {
    const { code, stdout, stderr } = await watch(['--watch', '--count', '3'], [5, -500, 6], 80)
    expect([code, stderr]).toEqual([0, ''])
    const screens = stdout.split('\u001b[H')
    expect(screens[3]).toContain('production        5         0')
    expect(screens[3]).toContain('error: f: 500: sorry\r\n\u001b[Khint: try again later\r\n')
    expect(screens[4]).not.toContain('error')
  })

  test('the heading of several flags shows the service', async () => {
    const server = await serve((response) => json(response, 200, { lastHourUsage: [record(1)] }))
    const argv = ['feature', 'usage', 'f', 'g', '--watch', '--count', '1', '--no-color']
    const world = { env: environment(server.url), columns: 80 }
    const { stdout } = await flagadm(argv, world)
    const [, after = ''] = stdout.split(leave)
    expect(after.split('\n')[0]).toBe(`Usage on ${server.url}, since 16:00 UTC`)
  })

  test('a failure before the first success is not shown as missing usage', async () => {
    const { code, stdout, url } = await watch(['--watch', '--count', '1'], [-500], 80)
    expect(code).toBe(8)
    expect(stdout).not.toContain('No usage to show.')
    expect(stdout.split(leave)[1]).toBe(
      `f (${url})\n\nThe flag could not be read.\n\nRead at 16:10:00Z\n`,
    )
  })

  test('leaves out variants and then rows of a table that is too tall, but not its total', async () => {
    const variants = { blue: 1 }
    const rowsOf = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        appName: `app-${String(index).padStart(2, '0')}`,
        environment: 'production',
        yes: 1,
        no: 0,
        variants,
      }))
    const screenOf = async (count: number) => {
      const server = await serve((response) => {
        json(response, 200, { lastHourUsage: rowsOf(count) })
      })
      const argv = ['feature', 'usage', 'f', '--watch', '--count', '1', '--no-color']
      const { stdout } = await flagadm(argv, {
        env: environment(server.url),
        columns: 60,
        rows: 16,
      })
      const [screen = ''] = stdout.slice(enter.length).split(leave)
      return (screen.split('\u001b[H').at(-1) ?? '').replaceAll('\u001b[K', '').split('\r\n')
    }
    expect(await screenOf(2)).toContain('  └ blue 1')
    const six = await screenOf(6)
    expect(six).not.toContain('  └ blue 1')
    expect(six.filter((line) => line.startsWith('app-'))).toHaveLength(6)
    const many = await screenOf(30)
    expect(many.find((line) => line.includes('more lines'))).toBe('… 24 more lines')
    expect(many.find((line) => line.startsWith('Total'))).toMatch(/^Total +30 +0 +30 /)
  })

  test('the status and errors stay visible below a table that is too tall', async () => {
    const server = await serve((response, { url }) =>
      url.endsWith('/g')
        ? json(response, 500, { message: 'sorry' })
        : json(response, 200, {
            lastHourUsage: Array.from({ length: 60 }, (_, index) => ({ appName: `app-${index}` })),
          }),
    )
    const argv = ['feature', 'usage', 'f', 'g', '--watch', '--count', '1', '--retries', '0']
    const { stdout } = await flagadm([...argv, '--no-color'], {
      env: environment(server.url),
      columns: 80,
    })
    const [screen = ''] = stdout.slice(enter.length).split(leave)
    const last = screen.split('\u001b[H').at(-1) ?? ''
    expect(last.split('\r\n').length - 1).toBeLessThanOrEqual(24)
    expect(last).toContain('more lines')
    expect(last).toContain('every 10 s, Ctrl-C to stop')
    expect(last).toContain('error: g: 500: sorry')
  })

  test('a key in the response is masked on every screen', async () => {
    const { clock } = patientClock(Date.UTC(2026, 10, 20, 16, 10))
    const server = await serve((response, _request, count) =>
      count !== 2
        ? json(response, 200, { lastHourUsage: [{ ...record(1), appName: CANARY }] })
        : json(response, 500, { message: `not for ${CANARY}` }),
    )
    const argv = ['feature', 'usage', 'f', '--watch', '--count', '3', '--retries', '0']
    const { stdout } = await flagadm([...argv, '--no-color'], {
      env: environment(server.url),
      columns: 80,
      clock,
    })
    expect(stdout.match(/\[redacted\] {2}production/g)).toHaveLength(4)
    expect(stdout.match(/not for \[redacted\]/g)).toHaveLength(1)
  })

  test('an interruption restores the terminal and exits with 130', async () => {
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
    expect([code, stderr]).toEqual([130, ''])
    expect(stdout.split(leave).length).toBe(2)
  })
})
