import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from './cases/target.ts'
import { admin, createProject, inOneHour, query, read, realTarget, sql } from './service.ts'

// Flags in every state in which they may look finished, and what a person says of each: with figures of 30 days, and with those
// of two days. Strategies and changes are real, usage and ages are rows of the database.

// The setup and the tests take at most this long, and no hour may begin in that time.
const takes = 4 * 60_000

/** What the flag is with days, and without: `finished on`, `finished blue`, or any other verdict. */
type Expected = [withDays: string, without: string]

/** A use: an application and an environment, days ago (0 and 1 are hours of the last two days), and counts. */
interface Use {
  environment?: 'development' | 'production'
  application?: string
  days: readonly number[]
  yes?: number
  no?: number
  variants?: Record<string, number>
}

interface Strategy {
  name?: string
  parameters?: object
  constraints?: readonly object[]
  segments?: readonly number[]
  variants?: readonly object[]
  disabled?: boolean
}

interface Seed {
  expected: Expected
  type?: string
  /** The strategies in production, which is on if there are any, and the same for development. */
  production?: readonly Strategy[]
  development?: readonly Strategy[]
  /** How many days ago it was created. */
  age?: number
  uses: readonly Use[]
  /** A request that changes it, and how many days ago that was. */
  change?: { method: string; path: string; body?: object; daysAgo: number }
  parent?: string
  project?: 'finished' | 'without-production'
  /** The variants of production itself. */
  environmentVariants?: readonly string[]
}

/** The segment without constraints. Other tests also create some, which Unleash counts from 1. */
const everyone = 1_000

const everyDay = Array.from({ length: 30 }, (_, day) => day)
const always = (fields: Omit<Use, 'days'> = { yes: 90 }): Use => ({ days: everyDay, ...fields })
const daily = [always()]

const gradual = (rollout: number, fields: Strategy = {}): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: `${rollout}`, stickiness: 'default', groupId: 'g' },
  constraints: [],
  ...fields,
})

const variant = (name: string, weight: number) => {
  return { name, weight, weightType: 'variable', stickiness: 'default' }
}

const all = [gradual(100)]
const constraint = (operator: string, fields: object) => [
  { contextName: 'appName', operator, inverted: false, caseInsensitive: false, ...fields },
]
const on: Expected = ['finished on', 'finished on']
const byDays: Expected = ['finished on', 'in-use']
const inUse: Expected = ['in-use', 'in-use']

const strategyOf = 'STRATEGY'

const flags: Record<string, Seed> = {
  // On for everyone
  'on-everywhere': {
    expected: on,
    production: all,
    development: all,
    uses: [always(), always({ environment: 'development', yes: 9 })],
  },
  'on-in-production': {
    expected: on,
    production: all,
    uses: [always(), always({ environment: 'development', no: 9 })],
  },
  'on-by-two-applications': {
    expected: on,
    production: all,
    uses: [always(), always({ application: 'mobile', yes: 9 })],
  },
  'on-default-strategy': { expected: on, production: [{ name: 'default' }], uses: daily },
  'on-sticky': {
    expected: on,
    production: [gradual(100, { parameters: { rollout: '100', stickiness: 'userId' } })],
    uses: daily,
  },
  'on-experiment': { expected: on, type: 'experiment', production: all, uses: daily },
  'on-every-second-day': {
    expected: on,
    production: all,
    uses: [{ days: everyDay.filter((day) => day % 2 === 0), yes: 9 }],
  },
  'on-second-disabled': {
    expected: on,
    production: [...all, gradual(50, { disabled: true })],
    uses: daily,
  },
  'on-31-days-old': { expected: on, age: 31, production: all, uses: daily },
  'on-29-days-old': {
    expected: inUse,
    age: 29,
    production: all,
    uses: [{ days: everyDay.slice(0, 28), yes: 9 }],
  },
  'on-20-days-old': {
    expected: inUse,
    age: 20,
    production: all,
    uses: [{ days: everyDay.slice(0, 19), yes: 9 }],
  },
  'on-parent': { expected: on, production: all, uses: daily },
  'on-without-variants': {
    expected: on,
    production: all,
    uses: [always({ yes: 90, variants: { disabled: 90 } })],
  },
  // Figures say on, the state does not
  'gradual-99': { expected: byDays, production: [gradual(99)], uses: daily },
  'gradual-50': { expected: inUse, production: [gradual(50)], uses: [always({ yes: 45, no: 45 })] },
  'constraint-always': {
    expected: byDays,
    production: [gradual(100, { constraints: constraint('IN', { values: ['web'] }) })],
    uses: daily,
  },
  'constraint-mixed': {
    expected: inUse,
    production: [gradual(100, { constraints: constraint('IN', { values: ['web'] }) })],
    uses: [always(), always({ application: 'mobile', no: 9 })],
  },
  'constraint-never': {
    expected: inUse,
    production: [gradual(100, { constraints: constraint('IN', { values: ['nobody'] }) })],
    uses: [always({ no: 90 })],
  },
  'date-in-the-past': {
    expected: byDays,
    production: [
      gradual(100, {
        constraints: [
          { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-01-01T00:00:00.000Z' },
        ],
      }),
    ],
    uses: daily,
  },
  'segment-always': {
    expected: byDays,
    production: [gradual(100, { segments: [everyone] })],
    uses: daily,
  },
  'two-strategies': { expected: byDays, production: [...all, gradual(50)], uses: daily },
  'on-child': { expected: byDays, production: all, uses: daily, parent: 'on-parent' },
  'on-for-nobody': { expected: inUse, production: [gradual(0)], uses: [always({ no: 90 })] },
  // Variants
  'one-variant': {
    expected: ['finished blue', 'finished blue'],
    production: [gradual(100, { variants: [variant('blue', 1000)] })],
    uses: [always({ yes: 90, variants: { blue: 90 } })],
  },
  'one-variant-partly-asked': {
    expected: ['finished blue', 'finished blue'],
    production: [gradual(100, { variants: [variant('blue', 1000)] })],
    uses: [always(), always({ application: 'mobile', yes: 9, variants: { blue: 9 } })],
  },
  'one-variant-not-asked': {
    expected: ['finished on', 'finished blue'],
    production: [gradual(100, { variants: [variant('blue', 1000)] })],
    uses: daily,
  },
  'one-variant-for-a-part': {
    expected: inUse,
    production: [gradual(100, { variants: [variant('blue', 1000)] })],
    uses: [always({ yes: 90, variants: { blue: 45, disabled: 45 } })],
  },
  'experiment-running': {
    expected: inUse,
    type: 'experiment',
    production: [gradual(100, { variants: [variant('blue', 500), variant('red', 500)] })],
    uses: [always({ yes: 90, variants: { blue: 45, red: 45 } })],
  },
  'experiment-by-environment': {
    expected: inUse,
    type: 'experiment',
    production: [gradual(100, { variants: [variant('blue', 500), variant('red', 500)] })],
    uses: [
      always({ yes: 90, variants: { blue: 90 } }),
      always({ application: 'mobile', yes: 9, variants: { red: 9 } }),
    ],
  },
  'experiment-won': {
    expected: ['finished blue', 'in-use'],
    type: 'experiment',
    production: [gradual(100, { variants: [variant('blue', 1000), variant('red', 0)] })],
    uses: [always({ yes: 90, variants: { blue: 90 } })],
  },
  'experiment-in-development': {
    expected: ['finished blue', 'finished blue'],
    production: [gradual(100, { variants: [variant('blue', 1000)] })],
    development: [gradual(100, { variants: [variant('blue', 500), variant('red', 500)] })],
    uses: [
      always({ yes: 90, variants: { blue: 90 } }),
      always({ environment: 'development', yes: 9, variants: { blue: 4, red: 5 } }),
    ],
  },
  'environment-variant': {
    expected: ['finished blue', 'in-use'],
    production: all,
    environmentVariants: ['blue'],
    uses: [always({ yes: 90, variants: { blue: 90 } })],
  },
  'environment-variants': {
    expected: inUse,
    production: all,
    environmentVariants: ['blue', 'red'],
    uses: [always({ yes: 90, variants: { blue: 45, red: 45 } })],
  },
  // Off, and not launched
  'off-everywhere': {
    expected: ['finished off', 'in-use'],
    uses: [always({ no: 90 }), always({ environment: 'development', no: 9 })],
  },
  'off-in-production-only-asked': {
    expected: ['finished off', 'in-use'],
    uses: [always({ no: 90 })],
  },
  'off-operational': {
    expected: ['finished off', 'in-use'],
    type: 'operational',
    uses: [always({ no: 90 })],
  },
  'off-once-on-in-development': {
    expected: inUse,
    uses: [always({ no: 90 }), { environment: 'development', days: [12], yes: 1 }],
  },
  'not-launched': {
    expected: inUse,
    development: all,
    uses: [always({ no: 90 }), always({ environment: 'development', yes: 9 })],
  },
  'only-in-development': {
    expected: inUse,
    development: all,
    uses: [always({ environment: 'development', yes: 9 })],
  },
  'on-in-development-unasked': { expected: inUse, development: all, uses: [always({ no: 90 })] },
  // Changes
  'on-since-yesterday': {
    expected: inUse,
    production: [gradual(50)],
    uses: [
      { days: everyDay.slice(2), yes: 45, no: 45 },
      { days: [0, 1], yes: 90 },
    ],
    change: { method: 'PUT', path: strategyOf, body: gradual(100), daysAgo: 1.9 },
  },
  'on-since-29-days': {
    expected: inUse,
    production: [gradual(50)],
    uses: daily,
    change: { method: 'PUT', path: strategyOf, body: gradual(100), daysAgo: 29 },
  },
  'on-since-31-days': {
    expected: on,
    production: [gradual(50)],
    uses: daily,
    change: { method: 'PUT', path: strategyOf, body: gradual(100), daysAgo: 31 },
  },
  'switched-on-lately': {
    expected: inUse,
    production: all,
    uses: daily,
    change: { method: 'POST', path: '/environments/development/on', daysAgo: 3 },
  },
  'switched-off-lately': {
    expected: inUse,
    production: all,
    uses: [
      { days: everyDay.slice(10), yes: 90 },
      { days: everyDay.slice(0, 10), no: 90 },
    ],
    change: { method: 'POST', path: '/environments/production/off', daysAgo: 10 },
  },
  'switched-off-long-ago': {
    expected: ['finished off', 'in-use'],
    production: all,
    uses: [always({ no: 90 })],
    change: { method: 'POST', path: '/environments/production/off', daysAgo: 40 },
  },
  tagged: {
    expected: on,
    production: all,
    uses: daily,
    change: { method: 'POST', path: 'TAG', body: { type: 'simple', value: 'team-a' }, daysAgo: 1 },
  },
  described: {
    expected: on,
    production: all,
    uses: daily,
    change: {
      method: 'PATCH',
      path: '',
      body: [{ op: 'replace', path: '/description', value: 'new' }],
      daysAgo: 1,
    },
  },
  stale: {
    expected: on,
    production: all,
    uses: daily,
    change: {
      method: 'PATCH',
      path: '',
      body: [{ op: 'replace', path: '/stale', value: true }],
      daysAgo: 1,
    },
  },
  completed: {
    expected: on,
    production: all,
    uses: daily,
    change: { method: 'POST', path: '/lifecycle/complete', body: { status: 'kept' }, daysAgo: 1 },
  },
  // Usage that shows nothing lasting
  'two-hours': {
    expected: ['in-use', 'finished on'],
    production: all,
    uses: [{ days: [0], yes: 90 }],
  },
  'two-days': {
    expected: ['in-use', 'finished on'],
    production: all,
    uses: [{ days: [0, 1], yes: 90 }],
  },
  'weekly-job': {
    expected: ['in-use', 'finished on'],
    production: all,
    uses: [{ days: [1, 8, 15, 22, 29], yes: 9 }],
  },
  'weekly-job-of-last-week': {
    expected: ['in-use', 'unclear'],
    production: all,
    uses: [{ days: [4, 11, 18, 25], yes: 9 }],
  },
  'monthly-job': {
    expected: ['in-use', 'unclear'],
    production: all,
    uses: [{ days: [10], yes: 36_000 }],
  },
  'last-eight-days': {
    expected: ['in-use', 'finished on'],
    production: all,
    uses: [{ days: everyDay.slice(0, 8), yes: 9 }],
  },
  'stopped-last-week': {
    expected: ['in-use', 'unclear'],
    production: all,
    uses: [{ days: everyDay.slice(10), yes: 9 }],
  },
  'eight-days-early-and-late': {
    expected: on,
    production: all,
    uses: [{ days: [1, 2, 3, 4, 5, 24, 25, 26], yes: 9 }],
  },
  'one-no-last-month': {
    expected: ['in-use', 'finished on'],
    production: all,
    uses: [
      { days: everyDay.filter((day) => day !== 20), yes: 9 },
      { days: [20], yes: 9, no: 1 },
    ],
  },
  'one-no-yesterday': {
    expected: inUse,
    production: all,
    uses: [
      { days: everyDay.slice(2), yes: 9 },
      { days: [0, 1], yes: 9, no: 1 },
    ],
  },
  // Flags that stay, and flags without usage
  'kill-switch': {
    expected: ['permanent', 'permanent'],
    type: 'kill-switch',
    production: all,
    uses: daily,
  },
  permission: {
    expected: ['permanent', 'permanent'],
    type: 'permission',
    production: all,
    uses: daily,
  },
  unused: { expected: ['removable', 'removable'], uses: [] },
  'unused-but-on': { expected: ['still-on', 'still-on'], production: all, uses: [] },
  // A project without production
  'elsewhere-on': {
    expected: on,
    project: 'without-production',
    development: all,
    uses: [always({ environment: 'development', yes: 9 })],
  },
  'elsewhere-mixed': {
    expected: inUse,
    project: 'without-production',
    development: [gradual(50)],
    uses: [always({ environment: 'development', yes: 9, no: 9 })],
  },
  'elsewhere-off': {
    expected: ['finished off', 'in-use'],
    project: 'without-production',
    uses: [always({ environment: 'development', no: 9 })],
  },
}

const names = Object.keys(flags)
const pathOf = (name: string, { project = 'finished' }: Seed) =>
  `/api/admin/projects/${project}/features/${name}`

async function send(method: string, path: string, body?: unknown): Promise<void> {
  const { ok, status } = await admin(method, path, body)
  if (!ok) throw new Error(`${method} ${path} returned ${status}`)
}

async function create(name: string, seed: Seed): Promise<void> {
  const path = pathOf(name, seed)
  const { type = 'release', parent, environmentVariants } = seed
  await send('POST', path.slice(0, path.lastIndexOf('/')), { name, type })
  for (const environment of ['production', 'development'] as const) {
    const { [environment]: strategies = [] } = seed
    const own = `${path}/environments/${environment}`
    for (const strategy of strategies) await send('POST', `${own}/strategies`, strategy)
    if (strategies.length > 0) await send('POST', `${own}/on`)
  }
  if (parent !== undefined) await send('POST', `${path}/dependencies`, { feature: parent })
  if (environmentVariants === undefined) return
  const weight = 1000 / environmentVariants.length
  const variants = environmentVariants.map((one) => variant(one, weight))
  // As older versions have stored them.
  await query(
    `UPDATE feature_environments SET variants = $2::jsonb WHERE feature_name = $1 AND environment = 'production'`,
    [name, JSON.stringify(variants)],
  )
}

/** Makes the change of a flag, and dates its events. */
async function makeChange(name: string, seed: Seed): Promise<void> {
  const { change } = seed
  if (!change) return
  const { method, body, daysAgo } = change
  const path = pathOf(name, seed)
  const strategies = `${path}/environments/production/strategies`
  if (change.path === strategyOf) {
    const [{ id }] = await read(strategies)
    await send(method, `${strategies}/${id}`, body)
  } else if (change.path === 'TAG') {
    await send(method, `/api/admin/features/${name}/tags`, body)
  } else {
    await send(method, `${path}${change.path}`, body)
  }
  const { length } = await query(
    `UPDATE events SET created_at = now() - $2 * interval '1 day'
     WHERE feature_name = $1 AND created_at > now() - interval '1 hour' RETURNING type`,
    [name, daysAgo],
  )
  if (length === 0) throw new Error(`no event of ${name}`)
}

/** Stores usage, and when flags were seen. */
async function storeUses(): Promise<void> {
  const uses = Object.entries(flags).flatMap(([flag, { uses: own }]) =>
    own.map((use) => {
      return {
        flag,
        environment: 'production',
        application: 'web',
        yes: 0,
        no: 0,
        variants: {},
        ...use,
      }
    }),
  )
  const rows = JSON.stringify(uses)
  const from = `FROM (
      SELECT one.*, d.day::int AS day FROM jsonb_to_recordset($1::jsonb) AS one
        (flag text, environment text, application text, days jsonb, yes bigint, no bigint, variants jsonb),
        jsonb_array_elements_text(one.days) AS d (day)
    ) AS u`
  const time = `date_trunc('hour', now()) - u.day * interval '24 hours'`
  for (const sql of [
    `INSERT INTO client_metrics_env (feature_name, app_name, environment, timestamp, yes, no)
     SELECT flag, application, environment, ${time}, yes, no ${from} WHERE day < 2`,
    `INSERT INTO client_metrics_env_variants (feature_name, app_name, environment, timestamp, variant, count)
     SELECT flag, application, environment, ${time}, v.key, v.value::int ${from}, jsonb_each_text(variants) v WHERE day < 2`,
    `INSERT INTO client_metrics_env_daily (feature_name, app_name, environment, date, yes, no)
     SELECT flag, application, environment, CURRENT_DATE - day, yes, no ${from} WHERE day >= 2`,
    `INSERT INTO client_metrics_env_variants_daily (feature_name, app_name, environment, date, variant, count)
     SELECT flag, application, environment, CURRENT_DATE - day, v.key, v.value::int ${from}, jsonb_each_text(variants) v WHERE day >= 2`,
    `INSERT INTO last_seen_at_metrics (feature_name, environment, last_seen_at)
     SELECT flag, environment, now() - min(day) * interval '24 hours' - interval '10 minutes' ${from} GROUP BY 1, 2
     ON CONFLICT (feature_name, environment) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at`,
  ]) {
    await query(sql, [rows])
  }
}

async function keepDays(enabled: boolean): Promise<void> {
  await send('PUT', '/api/admin/tests/days', { enabled })
}

/** The verdicts of all flags, with what a finished one answers: `finished blue`. */
async function verdicts(...argv: string[]) {
  const projects = ['--project', 'finished', '--project', 'without-production']
  const { code, stdout, stderr } = await run(realTarget(), [
    'feature',
    'review',
    ...projects,
    ...argv,
    '--json',
  ])
  expect([code, stderr]).toEqual([0, ''])
  interface Row {
    flag: string
    verdict: string
    outcome: string | null
    outcomeVariant: string | null
    reasons: string[]
  }
  const rows: Row[] = JSON.parse(stdout).flags
  return new Map(
    rows.map((row) => {
      const { flag, verdict, outcome, outcomeVariant } = row
      const what = verdict === 'finished' ? `finished ${outcomeVariant ?? outcome}` : verdict
      return [flag, { what, row }]
    }),
  )
}

async function differences(column: 0 | 1) {
  const found = await verdicts()
  return names.flatMap((name) => {
    const expected = flags[name]?.expected[column]
    const { what, row } = found.get(name) ?? {}
    return what === expected
      ? []
      : [`${name}: ${what}, expected ${expected} (${row?.reasons.join('; ')})`]
  })
}

describe('finished flags of the real service', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await inOneHour(takes)
    await createProject('finished', 'Finished flags')
    await createProject('without-production', 'Without production')
    await send('DELETE', '/api/admin/projects/without-production/environments/production')
    await query(`INSERT INTO segments (id, name, constraints) VALUES ($1, 'everyone', '[]')`, [
      everyone,
    ])
    for (const [name, seed] of Object.entries(flags)) await create(name, seed)
    await pause(3_000)
    await sql({ old: names })
    await query(
      `UPDATE events SET created_at = now() - interval '300 days' WHERE project IN ('finished', 'without-production')`,
    )
    await query(
      `UPDATE features SET created_at = now() - ages.days * interval '1 day'
       FROM jsonb_to_recordset($1::jsonb) AS ages (flag text, days float) WHERE name = ages.flag`,
      [JSON.stringify(Object.entries(flags).map(([flag, { age = 300 }]) => ({ flag, days: age })))],
    )
    for (const [name, seed] of Object.entries(flags)) await makeChange(name, seed)
    await storeUses()
  }, 2 * takes)

  afterAll(() => keepDays(false))

  test('with days, none is wrong and none is missed', async () => {
    await keepDays(true)
    expect(await differences(0)).toEqual([])
  })

  test('without days, none is wrong and none is missed', async () => {
    await keepDays(false)
    expect(await differences(1)).toEqual([])
  })

  test('the reasons are what a person needs', async () => {
    await keepDays(true)
    const found = await verdicts('--verdict', 'finished')
    expect(found.get('one-variant')?.row.reasons).toEqual([
      'keep variant blue: on for all 30 d in production',
      // From 23:00 UTC, the days cover all of the span but for a part of its first hour.
      expect.stringMatching(/^2,700 evaluations in (?:29|30) d$/),
      expect.stringMatching(/^last used .+ by web in production$/),
    ])
    expect(found.get('on-parent')?.row.reasons).toContain('on-child depends on it')
    expect(found.get('completed')?.row.reasons).toContain('its stage in Unleash is completed')
  })

  test('the database has no other answers of a finished flag', async () => {
    await keepDays(true)
    const finished = [...(await verdicts('--verdict', 'finished'))].map(([name]) => name)
    const counts = await query(
      `SELECT feature_name AS flag, sum(yes)::int AS yes, sum(no)::int AS no, count(DISTINCT day)::int AS days FROM (
         SELECT feature_name, environment, yes, no, timestamp::date AS day FROM client_metrics_env
         UNION ALL SELECT feature_name, environment, yes, no, date FROM client_metrics_env_daily
       ) AS usage WHERE feature_name = ANY($1) AND (environment = 'production' OR feature_name LIKE 'elsewhere-%') GROUP BY 1`,
      [finished],
    )
    expect(counts).toHaveLength(finished.length)
    for (const { flag, yes, no, days } of counts) {
      expect([flag, yes > 0 && no > 0, days >= 8]).toEqual([flag, false, true])
    }
  })
})
