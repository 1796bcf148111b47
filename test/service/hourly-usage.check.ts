import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, pages, recipes, root, wordsOf } from '../docs/pages.ts'
import { run } from './cases/target.ts'
import { createFlag, createProject, inOneHour, query, read, realTarget, sql } from './service.ts'
import { reportHour } from './usage.ts'

const hour = 3_600_000
const storedWithin = 90_000
// The setup and the tests take at most this long, and no hour may begin in that time.
const takes = 8 * 60_000

const project = 'hourly'
const flags = Array.from({ length: 300 }, (_, index) => `hourly-${String(index).padStart(3, '0')}`)
const applications = ['mobile-ios', 'web-shop'] as const
const environments = ['development', 'production'] as const

interface Sent {
  flag: string
  appName: string
  environment: 'development' | 'production'
  hoursAgo: number
  yes: number
  no: number
}

/** The reports: each flag except the last ten, in one hour, by two applications or environments. */
const sent: readonly Sent[] = flags.slice(0, -10).flatMap((flag, index) => {
  const hoursAgo = index % 48
  const at = (application: number, place: number): Sent => ({
    flag,
    appName: applications[application % 2] ?? '',
    environment: environments[place % 2] ?? 'production',
    hoursAgo,
    yes: index + 1,
    no: index % 7,
  })
  return [at(index, index), at(index + 1, index >> 1)]
})

/** A flag that was used three hours ago only, and one that was never used. */
const stopped = 'hourly-003'
const unused = 'hourly-299'

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Reports in one request for each application, environment and hour. */
async function reportAll(reports: readonly Sent[]): Promise<void> {
  const keyOf = ({ appName, environment, hoursAgo }: Sent) =>
    [appName, environment, hoursAgo].join(' ')
  const groups = new Map<string, Sent[]>()
  for (const one of reports) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const toggles = group.map(({ flag, yes, no }) => [flag, { yes, no, variants: {} }])
    const { appName, environment, hoursAgo } = first
    await reportHour(appName, environment, hoursAgo, Object.fromEntries(toggles))
  }
}

interface Raw {
  appName: string
  environment: string
  yes: number
  no: number
}

/** Waits until the service has stored all reports about a flag. */
async function stored(flag: string, reports: readonly Sent[]): Promise<void> {
  const total = reports
    .filter((one) => one.flag === flag)
    .reduce((sum, { yes, no }) => sum + yes + no, 0)
  const end = Date.now() + storedWithin
  for (;;) {
    const path = `/api/admin/client-metrics/features/${flag}/raw?hoursBack=48`
    const { data }: { data: Raw[] } = await read(path)
    if (data.reduce((sum, { yes, no }) => sum + yes + no, 0) === total) return
    if (Date.now() > end) throw new Error(`the service does not store the usage of ${flag}`)
    await pause(1_000)
  }
}

const shown = 'checkout-new-basket'

/** The reports about the flag of the README: busy by day, quiet at night, and stopped in staging. */
const basket: readonly Sent[] = Array.from({ length: 48 }, (_, hoursAgo) => hoursAgo).flatMap(
  (hoursAgo) => {
    const busy = Math.round(900 + 800 * Math.cos((hoursAgo / 12) * Math.PI))
    const at = (appName: string, environment: Sent['environment'], yes: number, no: number) => {
      return { flag: shown, appName, environment, hoursAgo, yes, no }
    }
    return [
      at('mobile-ios', 'production', busy, Math.round(busy / 3)),
      at('web-shop', 'production', 4 * busy, busy),
      ...(hoursAgo >= 30 ? [at('web-shop', 'development', hoursAgo, 2)] : []),
    ]
  },
)

/** The start of the hour of the service this many hours ago. */
const hourAt = (hoursAgo: number) =>
  new Date(Math.floor(Date.now() / hour) * hour - hoursAgo * hour).toISOString()

/** How many hours ago each of these flags was used, by a clock that is wrong. */
const wrong = { 'clock-ahead': -3, 'clock-behind': 60 }

/** Waits until the service has seen a flag. */
async function seen(flag: string): Promise<void> {
  const end = Date.now() + storedWithin
  for (;;) {
    const { features } = await read('/api/admin/projects/clocks/features')
    const { environments } = features.find(({ name }: { name: string }) => name === flag)
    const { data } = await read(`/api/admin/client-metrics/features/${flag}/raw?hoursBack=1`)
    const isListed = flag !== 'clock-ahead' || data.length > 0
    if (isListed && environments.some(({ lastSeenAt }: { lastSeenAt?: string }) => lastSeenAt))
      return
    if (Date.now() > end) throw new Error(`the service has not seen ${flag}`)
    await pause(1_000)
  }
}

const usage = (...argv: string[]) => run(realTarget(), ['feature', 'usage', ...argv])

async function rowsOf(...argv: string[]): Promise<Record<string, string>[]> {
  const { code, stdout } = await usage(...argv, '-o', 'csv')
  expect(code).toBe(0)
  return parse(stdout, { columns: true })
}

describe('hourly usage of the real service', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await inOneHour(takes)
    // All flags before the first report: the service loses reports about flags that it does not know yet.
    await createProject('clocks', 'Clocks')
    for (const flag of Object.keys(wrong)) await createFlag(flag, {}, 'clocks')
    await createProject(project, 'Hourly usage')
    for (const flag of flags) await createFlag(flag, {}, project)
    await createProject('checkout', 'Checkout')
    await createFlag(shown, {}, 'checkout')
    await createFlag('checkout-coupon-banner', {}, 'checkout')
    await createFlag('legacy-invoice-export')
    // A flag that was created within the span is never unused.
    await sql({ old: [unused, 'legacy-invoice-export'] })
    // What was reported of an hour before a flag was created is not its own.
    await query(`UPDATE features SET created_at = now() - interval '3 days' WHERE name = ANY($1)`, [
      [...sent.map(({ flag }) => flag), ...Object.keys(wrong), shown, 'checkout-coupon-banner'],
    ])
    await reportAll([...sent, ...basket])
    for (const [flag, hoursAgo] of Object.entries(wrong)) {
      await reportHour('kiosk', 'production', hoursAgo, { [flag]: { yes: 5, no: 0, variants: {} } })
    }
    for (const { flag } of sent) await stored(flag, sent)
    await stored(shown, basket)
  }, 2 * takes)

  test('each hour has the counts that were reported for it', async () => {
    const rows = await rowsOf('--project', project, '--since', '48h', '--by', 'hour')
    const used = rows.filter(({ enabled, disabled }) => enabled !== '0' || disabled !== '0')
    const shownCounts = used.map(
      ({ flag, application, environment, timestamp, enabled, disabled }) =>
        `${flag} ${application} ${environment} ${timestamp} ${enabled} ${disabled}`,
    )
    const reported = sent.map(
      ({ flag, appName, environment, hoursAgo, yes, no }) =>
        `${flag} ${appName} ${environment} ${hourAt(hoursAgo)} ${yes} ${no}`,
    )
    expect(shownCounts.sort()).toEqual(reported.sort())
    expect([...new Set(rows.map(({ flag }) => flag))]).toEqual(flags)
  })

  test.each([1, 24, 48])('a span of %i hours has the flags used in it', async (hours) => {
    const rows = await rowsOf('--project', project, '--since', `${hours}h`, '--used')
    const covered = Math.min(hours, 47)
    expect(new Set(rows.map(({ from }) => from))).toEqual(new Set([hourAt(covered)]))
    const within = sent.filter(({ hoursAgo }) => hoursAgo <= covered).map(({ flag }) => flag)
    expect([...new Set(rows.map(({ flag }) => flag))]).toEqual([...new Set(within)])
  })

  test('a span of 72 hours covers only 48 clock hours, and flagadm reports that', async () => {
    const { code, stdout, stderr } = await usage('hourly-001', '--since', '72h', '-o', 'csv')
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^warning: Incomplete: the service covers only 47h( \d+m)? of the 72 h requested \(since .*\)\n$/,
    )
    expect(parse(stdout, { columns: true })).toMatchObject([{ from: hourAt(47) }, {}])
  })

  test('a name without usage is a flag only if the service has it', async () => {
    const { code, stdout, stderr } = await usage(unused, 'hourly-30', '--since', '24h', '-o', 'csv')
    expect(
      stderr,
    ).toBe(`warning: Incomplete: not known whether usage arrives from the projects of flags that the service does not list
error: hourly-30: not a flag of any project that the service lists
error: 1 of 2 flags could not be read
`)
    const rows = parse(stdout, { columns: true })
    expect(rows).toMatchObject([{ flag: unused, enabled: '0', disabled: '0' }])
    expect([code, rows.length]).toEqual([6, 1])
  })

  test('the current hour has no applications, and other names are known', async () => {
    for (const option of ['--app=web-shop', '--group-by=application']) {
      const { code, stderr } = await usage(flags[0] ?? '', option)
      expect(code).toBe(2)
      expect(stderr).toContain('the service reports no applications in the current clock hour\n')
    }
    const { code, stderr } = await usage(flags[0] ?? '', '-e', 'prod')
    expect([code, stderr]).toEqual([
      6,
      "error: unknown environment 'prod' (known: development, production)\nhint: did you mean 'production'?\n",
    ])
    expect((await usage(stopped, '-e', 'production')).code).toBe(0)
  })

  test('the last use is the hour of the figures, or a later sighting', async () => {
    const lastUsed = async (...argv: string[]) => {
      const rows = await rowsOf(stopped, '--since', '24h', '--group-by', 'flag', ...argv)
      return rows.map((row) => row.lastUsed)
    }
    expect(await lastUsed()).toEqual([hourAt(3)])
    const { features } = await read(`/api/admin/projects/${project}/features`)
    const { environments } = features.find(({ name }: { name: string }) => name === stopped)
    const sightings = environments.flatMap(
      ({ lastSeenAt }: { lastSeenAt?: string }) => lastSeenAt ?? [],
    )
    expect(await lastUsed('--project', project)).toEqual([sightings.sort().at(-1) ?? hourAt(3)])
  })

  const reviewed = (...argv: string[]) =>
    run(realTarget(), ['feature', 'review', ...argv, '--project', project, '-o', 'jsonl'])

  test('a flag that was used three hours ago is in use, and one that was never used is not', async () => {
    const { code, stdout } = await reviewed(stopped, unused, '--expect', 'unused')
    const rows = stdout.trimEnd().split('\n')
    const byFlag = new Map(rows.map((row) => JSON.parse(row)).map((row) => [row.flag, row]))
    expect(code).toBe(9)
    expect(byFlag.get(stopped)).toMatchObject({ verdict: 'in-use', usage: 'used' })
    expect(byFlag.get(unused)).toMatchObject({ usage: 'unused' })
    expect((await reviewed(unused, '--expect', 'unused')).code).toBe(0)
    expect((await reviewed('hourly-30')).code).toBe(6)
  })

  test('usage by an application whose clock is wrong is unclear', async () => {
    for (const flag of Object.keys(wrong)) await seen(flag)
    const argv = ['feature', 'review', '--project', 'clocks', '--expect', 'unused', '-o', 'jsonl']
    const { code, stdout } = await run(realTarget(), argv)
    expect(code).toBe(9)
    for (const row of stdout.trimEnd().split('\n')) expect(JSON.parse(row).usage).not.toBe('unused')
  })
})

describe('the recipes in the documentation', { timeout: 120_000 }, () => {
  const lines = pages
    .filter(({ path }) => path === 'docs/flags.md')
    .flatMap(blocksOf)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n'))
    .filter((line) => /^flagadm feature usage [^|]*--(?:project|since)/.test(line))

  // Those that need the files of other jobs, or a branch, are played in repositories.check.ts and pull-request.check.ts.
  const isPlayed = (line: string) => /--(references-from|added-since)/.test(line)
  const independent = recipes.filter((line) => !isPlayed(line))

  test.each([...lines, ...independent])('work with the real service: %s', async (line) => {
    const words = wordsOf(line.replace(' -p sandbox', '')).slice(1)
    const isFolder = (word: string) => word === 'src' || word === '.'
    const scanned = words.map((word) => (isFolder(word) ? join(root, 'examples') : word))
    const { code, stderr } = await run(realTarget(), scanned)
    expect([0, 9], stderr).toContain(code)
  })
})
