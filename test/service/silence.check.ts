// Whether silence is taken for "no": flags with the right verdict written beside each, on the real service, with and without days.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { relay } from '../support/relay.ts'
import { admin, inOneHour, query, realTarget } from './service.ts'

// The setup and the tests take at most this long, and no hour may begin in that time.
const takes = 3 * 60_000

/** Times are in days before now. */
interface Facts {
  /** The environments in which it is on; `production` by default. */
  on?: string[]
  created?: number
  seen?: Record<string, number>
  /** The days, and the hours, on which it was used in production. */
  days?: number[]
  hours?: number[]
  parent?: string
}

/** One verdict for each, or those with hours only, with days, and with days of which one is missing. */
type Verdicts = string | [hours: string, days: string, hole: string]

interface Row {
  name: string
  facts: Facts
  verdicts: Verdicts
}

interface Project {
  environments: string[]
  flags: Row[]
  /** The environment that was taken out 33 days ago. */
  removed?: string
}

const off = (facts: Facts = {}): Facts => ({ on: [], ...facts })
const history = Array.from({ length: 91 }, (_, index) => index + 2)
/** A flag that shows that usage arrives from production. */
const used = (facts: Facts = {}): Facts => ({
  created: 400,
  seen: { production: 0.1 },
  hours: [2],
  days: history,
  ...facts,
})
const row = (name: string, facts: Facts, verdicts: Verdicts): Row => ({ name, facts, verdicts })

const hidden: Verdicts = ['unclear', 'removable', 'unclear']
const quarterly: Verdicts = ['still-on', 'unclear', 'unclear']

// `production` has a token for all projects, `outpost` and `annex` have some of their own, `plant` has none. All but
// `development` are of the type production.
const projects: Record<string, Project> = {
  live: {
    environments: ['production', 'development'],
    flags: [
      row('used', used(), 'in-use'),
      row('tried', off({ seen: { development: 0.1 } }), 'in-use'),
      row('off', off(), 'removable'),
      row('off-since', off({ seen: { production: 60 } }), 'removable'),
      row('on', {}, 'still-on'),
      row('on-since', { seen: { production: 45 } }, 'still-on'),
      row('closing', { seen: { production: 80 }, days: [80] }, quarterly),
      row('closing-twice', { seen: { production: 35 }, days: [35, 88] }, quarterly),
      row('young', off({ created: 5 }), 'unclear'),
    ],
  },
  idle: {
    environments: ['production', 'development'],
    flags: [
      row('used', used(), 'in-use'),
      row('both', { on: ['production', 'development'] }, 'still-on'),
      row('development', { on: ['development'] }, 'unclear'),
      row('off', off(), 'removable'),
    ],
  },
  silent: {
    environments: ['production', 'development'],
    flags: [
      row('on', {}, 'unclear'),
      row('on-since', { seen: { production: 45 } }, 'unclear'),
      row('development', { on: ['development'] }, 'unclear'),
      row('off', off(), 'removable'),
    ],
  },
  part: {
    environments: ['production', 'outpost'],
    flags: [
      row('used', used(), 'in-use'),
      row('outpost', { on: ['outpost'] }, 'unclear'),
      row('both', { on: ['production', 'outpost'] }, 'unclear'),
      row('production', {}, 'still-on'),
    ],
  },
  edge: {
    environments: ['outpost'],
    flags: [
      row('on', { on: ['outpost'], seen: { outpost: 40 } }, 'unclear'),
      row('off', off(), 'removable'),
    ],
  },
  retired: {
    environments: ['plant'],
    flags: [
      row('on', { on: ['plant'], seen: { plant: 60 } }, 'still-on'),
      row('off', off(), 'removable'),
    ],
  },
  accepted: {
    environments: ['production'],
    flags: [row('on', { seen: { production: 60 } }, 'still-on'), row('off', off(), 'removable')],
  },
  one: {
    environments: ['production'],
    flags: [row('on', { seen: { production: 45 } }, 'unclear')],
  },
  two: {
    environments: ['production'],
    flags: [row('used', used(), 'in-use'), row('on', {}, 'still-on')],
  },
  removed: {
    environments: ['production'],
    removed: 'annex',
    flags: [
      row('used', used(), 'in-use'),
      row('never', off(), hidden),
      row('before', off({ seen: { production: 40 } }), hidden),
      row('since', off({ seen: { production: 32 } }), 'removable'),
      row('created-since', off({ created: 32 }), 'removable'),
      row('on', {}, ['unclear', 'still-on', 'unclear']),
    ],
  },
  closed: {
    environments: ['production'],
    removed: 'plant',
    flags: [row('used', used(), 'in-use'), row('never', off(), 'removable')],
  },
  again: {
    environments: ['production'],
    flags: [
      row('used', used(), 'in-use'),
      row('off', off({ created: 40, seen: { production: 50 }, days: [45, 50] }), 'removable'),
      row('on', { created: 40, days: [45, 50] }, 'still-on'),
      row('today', off({ created: 0.05, seen: { production: 0.2 }, hours: [5] }), 'unclear'),
    ],
  },
  family: {
    environments: ['production'],
    flags: [
      row('used', used(), 'in-use'),
      row('off', off(), 'unclear'),
      row('hidden', { parent: 'off' }, 'unclear'),
      row('on', {}, 'still-on'),
      row('child', { parent: 'on' }, 'still-on'),
    ],
  },
}

const idOf = (project: string) => `hush-${project}`
const nameOf = (project: string, flag: string) => `hush-${project}-${flag}`
const own = ['annex', 'outpost', 'plant']

const flags = Object.entries(projects).flatMap(([project, { environments, flags: rows }]) =>
  rows.map(({ name, facts, verdicts }) => ({
    project: idOf(project),
    name: nameOf(project, name),
    parent: facts.parent && nameOf(project, facts.parent),
    environments,
    verdicts,
    facts,
  })),
)

const DAYS = "interval '1 day'"
const fromJson = (columns: string) => `FROM json_to_recordset($1) AS one (${columns})`

/** Inserts rows, which an expression makes of the columns of JSON. */
async function insert(
  table: string,
  columns: string,
  values: string,
  rows: readonly object[],
): Promise<void> {
  await query(`INSERT INTO ${table} SELECT ${values} ${fromJson(columns)}`, [JSON.stringify(rows)])
}

async function insertProjects(): Promise<void> {
  await query(
    "INSERT INTO environments (name, type, enabled) SELECT name, 'production', true FROM unnest($1::text[]) AS name",
    [own],
  )
  const all = Object.entries(projects).map(([project, one]) => ({ ...one, id: idOf(project) }))
  await insert('projects (id, name)', 'id text', 'id, id', all)
  const places = all.flatMap(({ id, environments }) => environments.map((name) => ({ id, name })))
  const into = 'project_environments (project_id, environment_name)'
  await insert(into, 'id text, name text', 'id, name', places)
  await insert(
    'events (type, created_by, created_at, project, environment, data)',
    'id text, removed text',
    `'project-environment-removed', 'ada', now() - 33 * ${DAYS}, id, removed, '{}'`,
    all.filter(({ removed }) => removed),
  )
  const tokens = [
    { project: idOf('part'), place: 'outpost' },
    { project: idOf('edge'), place: 'outpost', seen: 20 },
    { project: idOf('removed'), place: 'annex' },
  ].map((token) => ({ ...token, secret: `${token.project}:${token.place}.0123456789abcdef` }))
  await insert(
    'api_tokens (secret, username, token_name, type, environment, created_at, seen_at)',
    'secret text, place text, seen numeric',
    `secret, secret, secret, 'client', place, now() - 100 * ${DAYS}, now() - seen * ${DAYS}`,
    tokens,
  )
  const ofProject = 'api_token_project (secret, project)'
  await insert(ofProject, 'secret text, project text', 'secret, project', tokens)
}

async function insertFlags(): Promise<void> {
  const created = flags.map((flag) => ({ ...flag, created: flag.facts.created ?? 200 }))
  await insert(
    'features (name, project, type, created_at)',
    'name text, project text, created numeric',
    `name, project, 'release', now() - created * ${DAYS}`,
    created,
  )
  const places = flags.flatMap(({ name, environments, facts: { on = ['production'] } }) =>
    environments.map((place) => ({ name, place, enabled: on.includes(place) })),
  )
  await insert(
    'feature_environments (feature_name, environment, enabled)',
    'name text, place text, enabled boolean',
    'name, place, enabled',
    places,
  )
  const sightings = flags.flatMap(({ name, facts: { seen = {} } }) =>
    Object.entries(seen).map(([place, ago]) => ({ name, place, ago })),
  )
  await insert(
    'last_seen_at_metrics (feature_name, environment, last_seen_at)',
    'name text, place text, ago numeric',
    `name, place, now() - ago * ${DAYS}`,
    sightings,
  )
  const children = flags.filter(({ parent }) => parent)
  const dependencies = 'dependent_features (parent, child, enabled)'
  await insert(dependencies, 'parent text, name text', 'parent, name, true', children)
}

async function insertUsage(): Promise<void> {
  const usesOf = (part: 'days' | 'hours') =>
    flags.flatMap(({ name, facts }) => (facts[part] ?? []).map((ago) => ({ name, ago })))
  await insert(
    'client_metrics_env_daily (feature_name, app_name, environment, date, yes, no)',
    'name text, ago int',
    "name, 'web', 'production', CURRENT_DATE - ago, 300, 200",
    usesOf('days'),
  )
  await insert(
    'client_metrics_env (feature_name, app_name, environment, timestamp, yes, no)',
    'name text, ago int',
    "name, 'web', 'production', date_trunc('hour', now()) - ago * interval '1 hour', 300, 200",
    usesOf('hours'),
  )
}

async function keepDays(enabled: boolean): Promise<void> {
  expect((await admin('PUT', '/api/admin/tests/days', { enabled })).status).toBe(200)
}

const tables: readonly [table: string, column: string][] = [
  ['client_metrics_env_daily', 'feature_name'],
  ['client_metrics_env', 'feature_name'],
  ['dependent_features', 'child'],
  ['last_seen_at_metrics', 'feature_name'],
  ['feature_environments', 'feature_name'],
  ['features', 'name'],
  ['events', 'project'],
  ['api_token_project', 'project'],
  ['api_tokens', 'secret'],
  ['project_environments', 'project_id'],
  ['projects', 'id'],
]

beforeAll(async () => {
  await inOneHour(takes)
  await insertProjects()
  await insertFlags()
  await insertUsage()
}, 2 * takes)

afterAll(async () => {
  await keepDays(false)
  // Environments are those of all projects.
  for (const [table, column] of tables) {
    await query(`DELETE FROM ${table} WHERE ${column} LIKE 'hush-%'`)
  }
  await query('DELETE FROM environments WHERE name = ANY($1)', [own])
}, takes)

interface Reviewed {
  flag: string
  verdict: string
  reasons: string[]
}

const scope = [...Object.keys(projects).flatMap((project) => ['--project', idOf(project)])]

async function review(argv: readonly string[], url = realTarget().url): Promise<Reviewed[]> {
  const env = environment(url, realTarget().keys.full)
  const { code, stdout, stderr } = await flagadm(['feature', 'review', ...argv, '--json'], { env })
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout).flags
}

/** Compares the verdicts with those of a column of the table. */
async function compare(column: 0 | 1 | 2): Promise<void> {
  const found = await review([...scope, '--accept-silence', idOf('accepted')])
  const verdictOf = new Map(found.map((one) => [one.flag, one]))
  const wrong = flags.flatMap(({ name, verdicts }) => {
    const expected = typeof verdicts === 'string' ? verdicts : verdicts[column]
    const { verdict, reasons } = verdictOf.get(name) ?? {}
    return verdict === expected ? [] : [{ name, expected, verdict, reasons }]
  })
  expect(wrong).toEqual([])
  expect(found).toHaveLength(flags.length)
}

describe('flags have the verdict that a person would give', { timeout: takes }, () => {
  test('with hours', () => compare(0))

  test('with days', async () => {
    await keepDays(true)
    await compare(1)
  })

  test('with days of which the service did not count one', async () => {
    await query(
      "DELETE FROM client_metrics_env_daily WHERE feature_name LIKE 'hush-%' AND date = CURRENT_DATE - 12",
    )
    await compare(2)
  })

  test('with days that begin yesterday', async () => {
    await query("DELETE FROM client_metrics_env_daily WHERE feature_name LIKE 'hush-%'")
    await compare(0)
  })
})

describe('what is said', { timeout: takes }, () => {
  beforeAll(() => keepDays(false))

  test('of an Edge that stopped: that something asked, and when', async () => {
    const [found] = await review([nameOf('edge', 'on'), '--project', idOf('edge')])
    expect(found?.reasons.slice(0, 3)).toEqual([
      'outpost silent for 30 d',
      'no flag of project hush-edge was seen there: its SDKs may not report usage',
      'something asked there 20 d ago, although nothing is reported',
    ])
  })

  test('of an environment that was taken out: which one, and when', async () => {
    const [found] = await review([nameOf('removed', 'never'), '--project', idOf('removed')])
    expect(found?.reasons[0]).toBe(
      'annex was taken out of the project (33 d ago by ada): the flag may have been seen there',
    )
  })

  test('of a service that gets no usage: every flag is unclear', async () => {
    const counts = { enabledCount: 0, variantCount: 0 }
    const { url } = await relay(realTarget().url, (request) =>
      request.url.endsWith('/statistics')
        ? [200, { previousDayMetricsBucketsCount: counts }]
        : undefined,
    )
    const found = await review(['--project', idOf('silent')], url)
    expect(found.map(({ verdict }) => verdict)).toEqual(found.map(() => 'unclear'))
  })
})
