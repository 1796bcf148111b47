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

/** Watches flag `f`, whose count goes through these numbers; undefined stands for an answer 500. */
async function watch(argv: readonly string[], counts: (number | undefined)[], columns?: number) {
  const { clock, waits } = patientClock(Date.UTC(2026, 10, 20, 16, 10))
  const server = await serve((response, _request, count) => {
    const yes = counts[Math.min(count, counts.length) - 1]
    if (yes === undefined) return json(response, 500, { message: 'sorry' })
    return json(response, 200, { lastHourUsage: [record(yes)] })
  })
  const argvAll = ['feature', 'usage', 'f', '--retries', '0', '--no-color', ...argv]
  const world = { env: environment(server.url), clock, ...(columns !== undefined && { columns }) }
  return { ...(await flagadm(argvAll, world)), waits }
}

describe('off a terminal', () => {
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

  test('a reading that fails is told and does not end it', async () => {
    const { code, stdout, stderr } = await watch(
      ['--watch', '1', '--count', '3'],
      [1, undefined, 2],
    )
    expect([code, stdout.split('\n').length]).toEqual([0, 3])
    expect(stderr).toBe('error: f: 500: sorry\nhint: try again later\n')
  })

  test('filters that hide everything are told once', async () => {
    const { stdout, stderr } = await watch(['--watch', '--count', '2', '--app', 'none'], [1])
    expect([stdout, stderr]).toEqual([
      '',
      'warning: the filters --app and --environment let no usage through\n',
    ])
  })

  test('other formats are refused', async () => {
    const { code, stderr } = await watch(['--watch', '-o', 'csv'], [1])
    expect([code, stderr]).toEqual([
      2,
      "error: this command has no output format 'csv'\nhint: choose one of jsonl\n",
    ])
  })
})

describe('on a terminal', () => {
  const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l'
  const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l'

  test('the table is redrawn on a screen of its own and stays behind in the end', async () => {
    const { stdout } = await watch(['--watch', '--count', '4'], [1, 3, 9, 2], 100)
    expect(stdout.startsWith(enter)).toBe(true)
    const [screen = '', after = ''] = stdout.slice(enter.length).split(leave)
    expect(screen.split('\u001b[H').length - 1).toBe(5)
    expect(after).toBe(`f

Application  Environment  Enabled  Disabled  Total              Share  Change  Reported
────────────────────────────────────────────────────────────────────────────────────────────────
web          production         2         0      2  ██████████ 100.0%  ▄█▄ +2  2026-11-20 16:00Z
────────────────────────────────────────────────────────────────────────────────────────────────
Total                           2         0      2  ██████████ 100.0%

Read at 16:10:30Z, every 10 s, Ctrl-C ends
`)
  })

  test('a failure is shown in place while the last numbers stay', async () => {
    const { code, stdout, stderr } = await watch(['--watch', '--count', '2'], [5, undefined], 80)
    expect([code, stderr]).toEqual([0, ''])
    const after = stdout.split(leave)[1]
    expect(after).toContain('production        5         0')
    expect(after).toContain('error: f: 500: sorry\nhint: try again later\n')
  })

  test('the status and errors stay in sight below a table that is too tall', async () => {
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
    expect(last).toContain('every 10 s, Ctrl-C ends')
    expect(last).toContain('error: g: 500: sorry')
  })

  test('a key that the service repeats is masked on every screen', async () => {
    const { clock } = patientClock(Date.UTC(2026, 10, 20, 16, 10))
    const server = await serve((response, _request, count) =>
      count === 1
        ? json(response, 200, { lastHourUsage: [{ ...record(1), appName: CANARY }] })
        : json(response, 500, { message: `not for ${CANARY}` }),
    )
    const argv = ['feature', 'usage', 'f', '--watch', '--count', '2', '--retries', '0']
    const { stdout } = await flagadm([...argv, '--no-color'], {
      env: environment(server.url),
      columns: 80,
      clock,
    })
    expect(stdout.match(/\[redacted\] {2}production/g)).toHaveLength(3)
    expect(stdout.match(/not for \[redacted\]/g)).toHaveLength(2)
  })

  test('an interruption gives the terminal back and exits with 130', async () => {
    const interruption = new AbortController()
    const clock: Clock = {
      now: () => 0,
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
