import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, withoutCaption } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const HOUR = 3_600_000
const MINUTE = 60_000

/** 12 seconds after 08:00 UTC. */
const justPast = Date.UTC(2026, 10, 22, 8, 0, 12)

/**
 * Runs `feature usage` with a service like Unleash in which an application evaluated `banner` 1,320
 * times `minutesAgo`. The service fills the other hours with zeros, unless it has no usage at all.
 * @param passing how many milliseconds pass after each request
 */
async function usage(argv: readonly string[], now: number, minutesAgo = 1, passing = 0) {
  const time = patientClock(now)
  const usedAt = now - minutesAgo * MINUTE
  const server = await serve((response, { url }) => {
    const [, flag = '', asked = ''] = /features\/([^/]+)\/raw\?hoursBack=(\d+)$/.exec(url) ?? []
    const hours = Number(asked) > 48 ? 24 : Number(asked)
    const current = Math.floor(time.clock.now() / HOUR) * HOUR
    const buckets = Array.from({ length: hours }, (_, index) => current - index * HOUR)
    const data = buckets.map((start) => ({
      appName: 'web',
      environment: 'production',
      timestamp: new Date(start).toISOString(),
      yes: flag === 'banner' && usedAt >= start && usedAt < start + HOUR ? 1320 : 0,
      no: 0,
    }))
    time.pass(passing)
    json(response, 200, { data: data.some(({ yes }) => yes > 0) ? data : [] })
  })
  const outcome = await flagadm(['feature', 'usage', ...argv], {
    clock: time.clock,
    env: environment(server.url),
  })
  const asked = server.received.flatMap(({ url }) => /hoursBack=(\d+)$/.exec(url)?.[1] ?? [])
  return { ...withoutCaption(outcome), asked, time }
}

const unused = (since: string) => ['--expect', 'unused', '--allow-unseen', '--since', since]

describe('a gate covers at least the span of --since', () => {
  test('so at 08:00:12 an hour includes usage at 07:59', async () => {
    const { code, asked } = await usage(['banner', ...unused('1h')], justPast)
    expect([code, asked]).toEqual([9, ['2']])
  })

  test.each([0, 12_000, 59 * MINUTE + 59_000])(
    'so %i ms after the hour, spans up to 47 h include usage at their start',
    async (pastHour) => {
      const now = justPast - 12_000 + pastHour
      for (const hours of [1, 2, 24, 47]) {
        const { code } = await usage(['banner', ...unused(`${hours}h`)], now, hours * 60)
        expect(code, `${hours}h`).toBe(9)
      }
    },
  )

  test('and the evidence shows what it covers', async () => {
    const { stdout } = await usage(['banner', ...unused('90m'), '--json'], justPast)
    const document = JSON.parse(stdout)
    expect(document).toMatchObject({ spanSeconds: 7212, requestedSeconds: 5400 })
    expect(document.flags[0]).toMatchObject({
      from: '2026-11-22T06:00:00.000Z',
      to: '2026-11-22T08:00:12.000Z',
      spanSeconds: 7212,
    })
  })
})

test('all flags of a run cover the same hours, even if a new hour begins before the last is read', async () => {
  const argv = ['banner', 'idle', '--since', '2h', '--concurrency', '1', '-o', 'csv']
  const { stdout, asked } = await usage(argv, justPast - MINUTE, 1, 2 * MINUTE)
  expect(asked).toEqual(['3', '4'])
  const starts = stdout
    .split('\r\n')
    .slice(1, -1)
    .map((row) => row.split(',').at(-2))
  expect(starts).toEqual(['2026-11-22T05:00:00.000Z', '2026-11-22T05:00:00.000Z'])
})

test('a report covers at least the span of --since, and shows what it covers', async () => {
  const { stdout } = await usage(['banner', '--since', '1h', '-o', 'markdown'], justPast)
  expect(stdout).toMatch(/^Usage since 2026-11-22 07:00 UTC, 1 h\n/)
  expect(stdout).toContain('| `banner` | `web` | `production` | 1,320 | 0 |')
})

describe('a gate on unused flags without a span', () => {
  test('is refused, because at the start of an hour every flag looks unused', async () => {
    const { code, stderr, asked } = await usage(['banner', '--expect', 'unused'], justPast)
    expect([code, asked]).toEqual([2, []])
    expect(stderr).toBe(
      'error: --expect unused requires --since or --for\n' +
        'hint: use --expect unused --since 48h or, if the service has no hourly usage, --expect unused --for 65m\n',
    )
  })
})

describe('a span of time needs a unit', () => {
  test.each([
    [['usage', 'f', '--since', '30'], '--since', '30'],
    [['usage', 'f', '--since', '0'], '--since', '0'],
    [['usage', 'f', '--expect', 'unused', '--for', '1.5'], '--for', '1.5'],
    [['list', '--project', 'p', '--not-seen-for', '30'], '--not-seen-for', '30'],
  ])('in %j', async (argv, option, value) => {
    const { code, stderr } = await flagadm(['feature', ...argv])
    const problem =
      value === '0'
        ? `'0' is not a duration\nhint: use a positive number with s, m, h or d: 90s, 65m, 2h or 30d`
        : `'${value}' has no unit\nhint: add s, m, h or d: ${value}s, ${value}m, ${value}h or ${value}d`
    expect([code, stderr]).toEqual([2, `error: ${option}: ${problem}\n`])
  })
})
