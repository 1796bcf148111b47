import { describe, expect, it, test } from 'vitest'
import type { Clock } from '../../src/host.ts'
import type { Seed } from '../../src/sandbox/seed.ts'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { anyJson, json, serve } from '../support/server.ts'

const projects: Seed['projects'] = ['shop', 'other'].map((id) => ({ id, mode: 'open' }))

const pay = { project: 'shop', featureName: 'pay' }
const strategy = { name: 'flexibleRollout', constraints: [], segments: [] }
const secret = '*:*.0123456789abcdef0123456789abcdef'

const events: NonNullable<Seed['events']> = [
  {
    minutesAgo: 5,
    type: 'feature-environment-disabled',
    createdBy: 'ada@shop.test',
    ...pay,
    environment: 'production',
  },
  {
    minutesAgo: 10,
    type: 'feature-strategy-update',
    createdBy: 'ada@shop.test',
    ...pay,
    environment: 'staging',
    preData: { ...strategy, title: 'Beta', parameters: { rollout: '25', stickiness: 'default' } },
    data: { ...strategy, title: null, parameters: { rollout: '100', stickiness: 'userId' } },
  },
  {
    minutesAgo: 20,
    type: 'feature-strategy-remove',
    createdBy: 'deploy-bot',
    ...pay,
    environment: 'production',
    preData: { ...strategy, parameters: { rollout: '50' }, segments: [3] },
  },
  {
    minutesAgo: 30,
    type: 'feature-created',
    createdBy: 'deploy-bot',
    project: 'other',
    featureName: 'cards',
    data: { type: 'kill-switch' },
  },
  {
    minutesAgo: 40,
    type: 'project-updated',
    createdBy: 'grace',
    project: 'shop',
    preData: { mode: 'open', featureNaming: { pattern: 'a' } },
    data: { mode: 'protected', featureNaming: { pattern: 'b' } },
  },
  {
    minutesAgo: 50,
    type: 'public-signup-token-created',
    createdBy: 'grace',
    data: { secret, name: 'x', url: `https://u.test/new-user?invite=${'a'.repeat(32)}` },
  },
  {
    minutesAgo: 8 * 24 * 60,
    type: 'feature-environment-enabled',
    createdBy: 'ada@shop.test',
    ...pay,
    environment: 'production',
  },
]

const segments = [{ id: 3, name: 'beta' }]

const flags: Seed['flags'] = [
  { name: 'pay', project: 'shop' },
  { name: 'idle', project: 'shop' },
  { name: 'cards', project: 'other' },
]

async function history(argv: readonly string[], world: World = {}) {
  const sandbox = await sandboxOf(projects, { seed: { projects, flags, events, segments } })
  const { clock } = patientClock(sandbox.now())
  const outcome = await flagadm(['feature', 'history', ...argv], {
    env: { ...sandbox.env, NO_COLOR: '1' },
    clock,
    ...world,
  })
  return { ...anonymous(sandbox, outcome), requests: sandbox.requests() }
}

/** The changes as `flag: what (differences)`. */
async function changesOf(argv: readonly string[]) {
  const { stdout } = await history([...argv, '-o', 'jsonl'])
  const rows = stdout.trim().split('\n').filter(Boolean)
  return rows.map((row) => {
    const { flag, change, differences } = JSON.parse(row)
    return `${flag}: ${change} (${differences.join('; ')})`
  })
}

describe('feature history', () => {
  it('shows who changed what, the newest first', async () => {
    expect(await history(['--project', 'shop'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `Changes of project shop on S, since 2025-12-29 10:00 UTC (7d)

When (UTC)        Author      Flag          Environment  Change
─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
2026-01-05 09:55  ada         pay           production   switched off
2026-01-05 09:50  ada         pay           staging      rollout 25 → 100, title Beta → none, stickiness default → userId
2026-01-05 09:40  deploy-bot  pay           production   strategy removed: gradual rollout 50%, segment beta
2026-01-05 09:20  grace       project shop  —            project: mode open → protected, pattern a → b

4 changes
`,
    })
  })

  test.each<[string, string[], string[]]>([
    ['of a flag', ['cards'], ['cards: created (kill-switch)']],
    [
      'by an author, by e-mail',
      ['--all-projects', '--author', 'Ada@shop.test', '--change', 'off'],
      ['pay: switched off ()'],
    ],
    [
      'by an author without the domain',
      ['--all-projects', '--author', 'ada', '-e', 'production'],
      ['pay: switched off ()'],
    ],
    [
      'in an environment',
      ['--project', 'shop', '-e', 'stag*'],
      ['pay: strategy changed (rollout 25 → 100; title Beta → none; stickiness default → userId)'],
    ],
    [
      'of kinds',
      ['--all-projects', '--change', 'created,project'],
      [
        'cards: created (kill-switch)',
        'null: project changed (mode open → protected; pattern a → b)',
      ],
    ],
    [
      'by several authors',
      ['--all-projects', '--author', 'grace,deploy-bot', '--change', 'created,project'],
      [
        'cards: created (kill-switch)',
        'null: project changed (mode open → protected; pattern a → b)',
      ],
    ],
    ['in a span', ['pay', '--since', '7m'], ['pay: switched off ()']],
    ['of flags whose names match', ['--all-projects', 'ca*'], ['cards: created (kill-switch)']],
    ['of a flag in another project', ['cards', '--project', 'shop'], []],
  ])('shows changes %s', async (_, argv, expected) => {
    expect(await changesOf(argv)).toEqual(expected)
  })

  it('masks the name of an author that is a token', async () => {
    const event = { ...eventsOf(1)[0], createdBy: secret }
    const { stdout } = await historyOf([event], { user: admin })
    expect(JSON.parse(stdout).changes[0].author).toBe('[redacted]')
  })

  it('masks secrets', async () => {
    const { stdout } = await history(['--all-projects', '--change', 'other', '--json'])
    expect(JSON.parse(stdout).changes[0]).toMatchObject({
      change: 'public-signup-token-created',
      after: {
        secret: '[redacted]',
        name: 'x',
        url: 'https://u.test/new-user?invite=[redacted]',
      },
    })
  })

  test.each<[string, string[], string]>([
    ['nothing', ['idle'], 'No changes. Look further back with --since 30d.'],
    [
      'nothing in a month',
      ['idle', '--since', '30d'],
      'No changes. Look further back with --since 365d.',
    ],
    ['nothing in a year', ['idle', '--since', '365d'], 'No changes.'],
    [
      'nothing that matches',
      ['pay', '--change', 'stale'],
      'No change matches the filters. Look further back with --since 30d.',
    ],
  ])('that shows %s says how to look further back', async (_, argv, nothing) => {
    expect((await history(argv)).stdout.trim().split('\n').at(-1)).toBe(nothing)
  })

  it('keeps the domains of authors if they differ', async () => {
    const other = { minutesAgo: 1, type: 'feature-tagged', createdBy: 'eve@other.test', ...pay }
    const sandbox = await sandboxOf(projects, {
      seed: { projects, flags, events: [other, ...events] },
    })
    const { clock } = patientClock(sandbox.now())
    const env = { ...sandbox.env, NO_COLOR: '1' }
    const { stdout } = await flagadm(['feature', 'history', 'pay'], { env, clock })
    expect(stdout).toContain('  ada@shop.test   ')
  })

  it('shows on a narrow terminal all that its rows differ by', async () => {
    const { stdout } = await history(['--all-projects'], { columns: 80 })
    expect(
      stdout.split('\n').slice(3).join('\n'),
    ).toBe(`When (UTC)   Author      Flag          Environment  Change
────────────────────────────────────────────────────────────────────────────────
01-05 09:55  ada         pay           production   switched off
01-05 09:50  ada         pay           staging      rollout 25 → 100, title Bet…
01-05 09:40  deploy-bot  pay           production   strategy removed: gradual r…
01-05 09:30  deploy-bot  cards         —            created: kill-switch
01-05 09:20  grace       project shop  —            project: mode open → protec…
01-05 09:10  grace       —             —            public-signup-token-created

cut: Change; not shown: Project (a wider terminal or a pipe shows all columns)
6 changes
`)
  })

  it('prints names of flags', async () => {
    const { stdout } = await history(['--all-projects', '-o', 'names'])
    expect(stdout).toBe('pay\ncards\n')
  })

  it('says how many changes a limit leaves out', async () => {
    const { stdout } = await history(['--project', 'shop', '--limit', '1'])
    expect(stdout).toMatch(/switched off\n\n4 changes, 1 shown\n$/)
  })

  test.each<[string, string[], number, string]>([
    [
      'an author',
      ['--all-projects', '--author', 'bob'],
      0,
      "warning: no change by 'bob' in this time (authors: ada@shop.test, deploy-bot, grace)\n",
    ],
    [
      'an environment',
      ['--all-projects', '-e', 'prod'],
      0,
      "warning: no change in the environment 'prod' in this time (there are: production, staging)\n",
    ],
    [
      'a name',
      ['pya'],
      0,
      'warning: pya: not a flag of any project that the service lists; did you mean pay?\n',
    ],
    [
      'a project',
      ['--project', 'shpo'],
      6,
      "error: unknown project 'shpo'\nhint: did you mean 'shop'?\n",
    ],
    [
      'an unknown kind',
      ['--all-projects', '--change', 'bogus'],
      2,
      "error: --change: unknown value 'bogus'\nhint: choose one of on, off, strategy, variants, created, archived, revived, deleted, completed, stale, dependency, moved, details, tag, segment, project, environment, change-request, release-plan, other\n",
    ],
    [
      'neither names nor projects',
      [],
      2,
      'error: no names or projects given\nhint: name a flag, use --project <id>, or:\n  flagadm feature history --all-projects\n',
    ],
    [
      'only a span',
      ['--since', '10m'],
      2,
      'error: no names or projects given\nhint: name a flag, use --project <id>, or:\n  flagadm feature history --since 10m --all-projects\n',
    ],
    [
      'a pattern without a project',
      ['p*'],
      2,
      "error: names with '*' require a project\nhint: use --project <id> or --all-projects\n",
    ],
  ])('says what is wrong with %s', async (_, argv, code, stderr) => {
    expect(await history(argv)).toMatchObject({ code, stderr })
  })

  it('warns if it cannot be known whether a name is that of a flag', async () => {
    const server = await serve((response, { url }) =>
      url.startsWith('/api/admin/search/events')
        ? json(response, 200, { events: [], total: 0 })
        : json(response, 404, { message: 'no' }),
    )
    const { stderr } = await flagadm(['feature', 'history', 'x'], { env: environment(server.url) })
    expect(stderr).toBe('warning: x: it could not be checked whether a flag has this name\n')
  })

  it.each([
    [-6, '6 h behind'],
    [6, '6 h ahead of'],
  ])('warns of a clock that differs by %i h', async (hours, difference) => {
    const { clock } = patientClock(now + hours * 3_600_000)
    const { code, stderr } = await historyOf([], { user: admin, clock })
    expect([code, JSON.parse(stderr)]).toEqual([
      0,
      {
        warning: {
          message: `this machine's clock is ${difference} that of the service; times are the service's`,
        },
      },
    ])
  })

  it('warns of no flag without changes', async () => {
    expect(await history(['idle'])).toMatchObject({ code: 0, stderr: '' })
  })
})

const now = Date.UTC(2026, 10, 20, 16)

/** Runs a history on a service with these events, newest first, and answers about the user. */
async function historyOf(
  all: readonly object[],
  answers: {
    total?: number
    user?: object
    userStatus?: number
    key?: string
    isOld?: boolean
    clock?: Clock
  } = {},
) {
  const { total = all.length, user = {}, userStatus = 200, isOld = false } = answers
  const { clock = patientClock(now).clock } = answers
  const server = await serve((response, { method, url, body }) => {
    response.setHeader('Date', new Date(now).toUTCString())
    const { pathname, searchParams } = new URL(url, 'http://service')
    if (pathname === '/api/admin/user') {
      if (userStatus !== 200) return json(response, userStatus, { message: 'no' })
      return json(response, 200, { user: {}, permissions: [], ...user })
    }
    if (method === 'POST') {
      const { offset, limit } = JSON.parse(body)
      return anyJson(response, 200, {
        events: all.slice(offset, offset + limit),
        totalEvents: total,
      })
    }
    if (isOld || pathname !== '/api/admin/search/events')
      return json(response, 404, { message: 'no' })
    const offset = Number(searchParams.get('offset'))
    return json(response, 200, { events: all.slice(offset, offset + 1000), total })
  })
  const argv = ['feature', 'history', '--project', 'shop', '-o', 'json']
  const outcome = await flagadm(argv, { env: environment(server.url, answers.key), clock })
  const asked = server.received.map(({ method, url, body }) => `${method} ${url} ${body}`.trim())
  return { ...outcome, asked }
}

/** Events, of which ten have the same time. */
function eventsOf(count: number, first = count) {
  return Array.from({ length: count }, (_, index) => ({
    id: first - index,
    type: 'feature-environment-enabled',
    createdAt: new Date(now - Math.floor(index / 10) * 1000).toISOString(),
    createdBy: 'ada',
    featureName: 'pay',
    project: 'shop',
    environment: 'production',
  }))
}

const admin = { permissions: [{ permission: 'ADMIN' }] }

describe('the pages of a history', () => {
  const idsOf = (stdout: string) => JSON.parse(stdout).changes.map(({ id }: { id: number }) => id)

  it('overlap, and each change counts once', async () => {
    const { stdout, asked } = await historyOf(eventsOf(1500), { user: admin })
    expect(idsOf(stdout)).toEqual(Array.from({ length: 1500 }, (_, index) => 1500 - index))
    expect(JSON.parse(stdout).incomplete).toBe(undefined)
    const path = '/api/admin/search/events?project=IS_ANY_OF:shop&from=IS:2026-11-12&limit=1000'
    expect(asked.filter((line) => line.includes('events'))).toEqual([
      `GET ${path}&offset=0`,
      `GET ${path}&offset=900`,
    ])
  })

  it('say if the service returned fewer than there are', async () => {
    const { stdout } = await historyOf(eventsOf(20), { total: 23, user: admin })
    expect(JSON.parse(stdout).incomplete).toEqual([
      { message: 'the service returned 20 of 23 changes', names: [] },
    ])
  })

  it('are read with another request before 6.1, up to the time', async () => {
    const old = eventsOf(3000).map((event, index) => {
      return { ...event, createdAt: new Date(now - index * 600_000).toISOString() }
    })
    const { stdout, asked } = await historyOf(old, { isOld: true, user: admin })
    expect(idsOf(stdout)).toHaveLength(7 * 24 * 6 + 1)
    const posts = asked.filter((line) => line.startsWith('POST'))
    const path = '/api/admin/events/search'
    expect(posts.slice(0, 2)).toEqual([
      `POST ${path} {"project":"shop","limit":100,"offset":0}`,
      `POST ${path} {"project":"shop","limit":100,"offset":90}`,
    ])
    expect(posts).toHaveLength(12)
  })

  const key = 'user:0123456789abcdef'
  const part = 'only changes of projects that it may see, and none without a project'

  test.each<[string, Parameters<typeof historyOf>[1], string | undefined]>([
    ['is of an admin', { key, user: admin }, undefined],
    ['is an admin token', {}, undefined],
    ['is not of an admin', { key }, `the key is not of an admin: it sees ${part}`],
    ...[403, 404, 500].map((userStatus): [string, object, string] => [
      `may be of an admin (${userStatus})`,
      { key, userStatus },
      `it is not known whether the key is of an admin: another sees ${part}`,
    ]),
  ])('say what a key does not see that %s', async (_, answers, message) => {
    const { code, stdout } = await historyOf(eventsOf(1), answers)
    expect(code).toBe(0)
    const gaps = JSON.parse(stdout).incomplete
    expect(gaps).toEqual(message && [{ message, names: [] }])
  })
})

test('a type without words here has the words of the service', async () => {
  const event = {
    id: 1,
    type: 'feature-favorited',
    createdAt: new Date(now).toISOString(),
    createdBy: 'ada',
    project: 'shop',
    summary:
      '**ada** liked [pay](https://u.test/pay) with the key **shop:production.0123456789abcdef01**',
  }
  const { stdout } = await historyOf([event], { user: admin })
  expect(JSON.parse(stdout).changes[0]).toMatchObject({
    change: 'liked pay with the key [redacted]',
    kind: 'other',
  })
})

test.each<[string, object, string]>([
  ['a name of the prototype', { name: 'constructor' }, 'strategy constructor'],
  [
    'a share that is no text',
    { name: 'flexibleRollout', parameters: { rollout: { toString: 1 } } },
    'gradual rollout',
  ],
  [
    'a percentage that is no text',
    { name: 'gradual', parameters: { percentage: [{ toString: 1 }] } },
    'strategy gradual',
  ],
])('a strategy with %s has words', async (_, data, words) => {
  const event = { ...eventsOf(1)[0], type: 'feature-strategy-add', data }
  const { code, stdout } = await historyOf([event], { user: admin })
  expect([code, JSON.parse(stdout).changes[0].differences]).toEqual([0, [words]])
})

describe('events that take long, or overflow the stack, if they are read without care', () => {
  const event = { ...eventsOf(1)[0], type: 'feature-metadata-updated', preData: {} }

  it('have many differences of the same name', async () => {
    const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [n, { a: n }]))
    const { code, stdout } = await historyOf([{ ...event, data }], { user: admin })
    expect([code, JSON.parse(stdout).changes[0].differences.at(-1)]).toEqual([
      0,
      '9999.a none → 9999',
    ])
  })

  it('have words in which links begin, and do not end', async () => {
    const summary = '['.repeat(200_000)
    const { code } = await historyOf([{ ...event, type: 'feature-favorited', summary }], {
      user: admin,
    })
    expect(code).toBe(0)
  })

  it('have documents with more levels than there are', async () => {
    const data = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)
    const { code, stderr } = await historyOf([{ ...event, data }], { user: admin })
    expect([code, stderr]).toEqual([8, expect.stringContaining('JSON with more than 100 levels')])
  })
})
