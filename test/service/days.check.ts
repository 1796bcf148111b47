import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { run } from './cases/target.ts'
import { admin, createFlag, createProject, inOneHour, realTarget, sql } from './service.ts'
import { reportHour } from './usage.ts'

// Usage of 70 days: reports of clients for the hours of yesterday and today, what Unleash adds up of yesterday, and rows in the
// database for the days before. flagadm's figures are compared with those of the database.

const HOUR = 3_600_000
const DAY = 24 * HOUR
// The setup and the tests take at most this long, and no hour may begin in that time.
const takes = 3 * 60_000

const flags = Array.from({ length: 100 }, (_, index) => `days-${String(index).padStart(3, '0')}`)
const applications = ['mobile-ios', 'web-shop'] as const
const environments = ['development', 'production'] as const
const job = 'billing-monthly'
const unused = 'days-unused'

/** Runs SQL; returns its rows. */
async function query(text: string, values: readonly unknown[] = []) {
  const { Client } = createRequire(import.meta.url)('pg')
  const client = new Client(inject('service').database)
  await client.connect()
  const { rows } = await client.query(text, values)
  await client.end()
  return rows
}

async function keepDays(enabled: boolean): Promise<void> {
  expect((await admin('PUT', '/api/admin/tests/days', { enabled })).status).toBe(200)
}

/** Reports all flags in the first and last hours of the last three days, each flag in some of them. */
async function reportHours(): Promise<void> {
  const sinceMidnight = Math.floor((Date.now() % DAY) / HOUR)
  const edges = [0, sinceMidnight, sinceMidnight + 1, sinceMidnight + 24, sinceMidnight + 25]
  for (const [index, hoursAgo] of [...new Set(edges)].entries()) {
    for (const appName of applications) {
      for (const environment of environments) {
        const own = flags.filter((_, number) => number % 5 !== index)
        const toggles = own.map((flag, number) => {
          const yes = number + hoursAgo + 1
          const no = appName.length
          return [flag, { yes, no, variants: number % 3 === 0 ? { control: yes } : {} }]
        })
        await reportHour(appName, environment, hoursAgo, Object.fromEntries(toggles))
      }
    }
  }
}

/** Waits until the service has stored all reports. */
async function stored(): Promise<void> {
  const wanted = environments.length * applications.length
  for (let tries = 0; tries < 90; tries++) {
    const [{ count }] = await query(
      `SELECT count(*)::int AS count FROM client_metrics_env
       WHERE feature_name = $1 AND timestamp = (SELECT min(timestamp) FROM client_metrics_env WHERE feature_name = $1)`,
      [flags[0]],
    )
    const [{ flags: found }] = await query(
      `SELECT count(DISTINCT feature_name)::int AS flags FROM client_metrics_env WHERE feature_name LIKE 'days-%'`,
    )
    if (count === wanted && found === flags.length) return
    await pause(1_000)
  }
  throw new Error('the service does not store the reports')
}

/** Days before yesterday, some of them with variants, and a job that ran 10, 41 and 71 days ago. */
async function storeDays(): Promise<void> {
  await query(
    `INSERT INTO client_metrics_env_daily (feature_name, app_name, environment, date, yes, no)
     SELECT f.name, a.app, e.environment, CURRENT_DATE - d.day, length(f.name) + d.day * 10 + f.number, d.day % 4
     FROM (SELECT name, row_number() OVER (ORDER BY name) AS number FROM features WHERE name = ANY($1)) f,
       unnest($2::text[]) AS a (app), unnest($3::text[]) AS e (environment), generate_series(2, 69) AS d (day)
     WHERE (f.number + d.day) % 7 < 3`,
    [flags, applications, environments],
  )
  await query(
    `INSERT INTO client_metrics_env_variants_daily (feature_name, app_name, environment, date, variant, count)
     SELECT feature_name, app_name, environment, date, 'control', yes FROM client_metrics_env_daily
     WHERE feature_name = ANY($1) AND no = 1 AND date < CURRENT_DATE - 1`,
    [flags],
  )
  await query(
    `INSERT INTO client_metrics_env_daily (feature_name, app_name, environment, date, yes, no)
     SELECT $1, 'billing', 'production', CURRENT_DATE - d.day, 36000, 0 FROM unnest(ARRAY[10, 41, 71]) AS d (day)`,
    [job],
  )
}

// The hours that the service keeps of the day before yesterday count where that day has no figures.
const beforeYesterday = `timestamp >= date_trunc('hour', now()) - interval '47 hours'
  AND timestamp < date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '1 day'`
const sameDay = `days.feature_name = hours.feature_name AND days.app_name = hours.app_name
  AND days.environment = hours.environment AND days.date = CURRENT_DATE - 2`

/** The figures of the last days by flag, application, environment and day, as the database has them. */
function figures(days: number) {
  return query(
    `SELECT feature_name AS flag, app_name AS application, environment,
       to_char(day, 'YYYY-MM-DD"T00:00:00.000Z"') AS timestamp, sum(yes)::text AS enabled, sum(no)::text AS disabled
     FROM (
       SELECT feature_name, app_name, environment, yes, no, date_trunc('day', timestamp AT TIME ZONE 'UTC') AS day
       FROM client_metrics_env WHERE timestamp >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '1 day'
       UNION ALL
       SELECT feature_name, app_name, environment, yes, no, date AS day
       FROM client_metrics_env_daily WHERE date < CURRENT_DATE - 1 AND date >= CURRENT_DATE - $1::int
       UNION ALL
       SELECT feature_name, app_name, environment, yes, no, date_trunc('day', timestamp AT TIME ZONE 'UTC') AS day
       FROM client_metrics_env AS hours WHERE ${beforeYesterday}
         AND NOT EXISTS (SELECT 1 FROM client_metrics_env_daily AS days WHERE ${sameDay})
     ) AS usage
     WHERE feature_name = ANY($2)
     GROUP BY 1, 2, 3, 4 HAVING sum(yes + no) > 0 ORDER BY 1, 2, 3, 4`,
    [days, [...flags, job]],
  )
}

const usage = (...argv: string[]) => run(realTarget(), ['feature', 'usage', ...argv])

async function rowsOf(...argv: string[]): Promise<Record<string, string>[]> {
  const { code, stdout, stderr } = await usage('--project', 'days', ...argv, '-o', 'csv')
  // The oldest figure is of 71 days ago.
  expect([code, stderr.replace(/^warning: Incomplete: the service covers .*\n/, '')]).toEqual([
    0,
    '',
  ])
  return parse(stdout, { columns: true })
}

/** Adds up figures that have the same keys. */
function sums(rows: readonly Record<string, string>[], keys: readonly string[]) {
  const totals = new Map<string, [enabled: number, disabled: number]>()
  for (const row of rows) {
    const key = keys.map((name) => row[name]).join(' ')
    const [enabled, disabled] = totals.get(key) ?? [0, 0]
    totals.set(key, [enabled + Number(row.enabled), disabled + Number(row.disabled)])
  }
  return Object.fromEntries([...totals].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const isUsed = ({ enabled, disabled }: Record<string, string>) =>
  enabled !== '0' || disabled !== '0'

describe('daily usage of the real service', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await inOneHour(takes)
    await createProject('days', 'Daily usage')
    for (const flag of [...flags, job, unused]) await createFlag(flag, {}, 'days')
    await sql({ old: [job, unused] })
    // What was reported of a day before a flag was created is not its own.
    await query(`UPDATE features SET created_at = now() - interval '1 year' WHERE project = 'days'`)
    await reportHours()
    await stored()
    await storeDays()
    await keepDays(true)
    expect((await admin('POST', '/api/admin/tests/days')).status).toBe(200)
    const [{ count }] = await query(
      `SELECT count(*)::int AS count FROM client_metrics_env_daily WHERE date = CURRENT_DATE - 1 AND feature_name LIKE 'days-%'`,
    )
    expect(count).toBeGreaterThan(0)
  }, 4 * takes)

  afterAll(() => keepDays(false))

  test.each([3, 30, 70, 90])('the figures of %i days are those of the database', async (days) => {
    const span = ['--since', `${days}d`]
    const wanted = await figures(days)
    const rows = (await rowsOf(...span, '--by', 'day')).filter(isUsed)
    const keys = ['flag', 'application', 'environment', 'timestamp']
    expect(rows.length).toBeGreaterThan(1_000)
    expect(sums(rows, keys)).toEqual(sums(wanted, keys))
    for (const name of ['application', 'environment', 'flag']) {
      const groups = (await rowsOf(...span, '--group-by', name)).filter(isUsed)
      expect(sums(groups, [name])).toEqual(sums(wanted, [name]))
    }
  })

  test('variants of days are counted', async () => {
    const rows = await rowsOf('--since', '90d')
    const counted = rows.flatMap(({ variants = '{}' }) => JSON.parse(variants).control ?? [])
    const [{ control }] = await query(
      `SELECT (SELECT sum(count) FROM client_metrics_env_variants_daily WHERE feature_name = ANY($1) AND date < CURRENT_DATE - 1)
         + (SELECT sum(count) FROM client_metrics_env_variants WHERE feature_name = ANY($1)
            AND timestamp >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '1 day')
         + (SELECT coalesce(sum(count), 0) FROM client_metrics_env_variants AS hours WHERE feature_name = ANY($1)
            AND ${beforeYesterday} AND NOT EXISTS (SELECT 1 FROM client_metrics_env_daily AS days WHERE ${sameDay})) AS control`,
      [flags],
    )
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(Number(control))
  })

  test('the heading shows what is covered', async () => {
    const { stdout } = await usage(job, '--since', '90d')
    const first = new Date(Math.floor(Date.now() / DAY) * DAY - 71 * DAY).toISOString().slice(0, 10)
    expect(stdout.replaceAll('\n', ' ')).toContain(`since ${first} (71 of 90 UTC days`)
  })

  test('a flag that a job uses once a month is in use, and one without usage is not', async () => {
    const argv = ['feature', 'review', job, unused, '--project', 'days', '-o', 'json']
    const { code, stdout } = await run(realTarget(), argv)
    const verdicts = JSON.parse(stdout).flags.map(
      ({ flag, verdict, reasons }: { flag: string; verdict: string; reasons: string[] }) => {
        return { flag, verdict, reasons: reasons.slice(0, 2) }
      },
    )
    expect(code).toBe(0)
    expect(verdicts).toEqual([
      { flag: unused, verdict: 'removable', reasons: expect.arrayContaining(['off everywhere']) },
      {
        flag: job,
        verdict: 'in-use',
        reasons: ['36,000 evaluations in 30 d', 'last used 10 d ago by billing in production'],
      },
    ])
  })

  test('without the setting, the service keeps two days of hours', async () => {
    await keepDays(false)
    const { code, stdout, stderr } = await usage(flags[1] ?? '', '--since', '90d')
    expect(code).toBe(0)
    expect(`${stdout}${stderr}`.replaceAll('\n', ' ')).toMatch(
      /47h( \d+m)? of 90 days: this Unleash keeps two days of hours/,
    )
  })
})
