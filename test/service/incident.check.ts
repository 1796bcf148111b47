// feature off, on and history, and api, on the real service, compared with its database.
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { admin, createFlag, createProject, query, read } from './service.ts'

const longEnough = { timeout: 180_000 }
const project = 'incident'
const other = 'incident-other'
const second = 'incident-second-admin'
const editorKey = 'user:0123456789abcdef0123456789abcdef0123456789abcdef01234567'

const secondKey = '*:*.fedcba9876543210fedcba9876543210fedcba98'

function run(argv: readonly string[], key = inject('service').keys.admin) {
  return flagadm(argv, { env: environment(inject('service').url, key) })
}

/** Runs `feature …`; returns what it prints without the address of the service. */
async function feature(argv: readonly string[], key?: string) {
  const { code, stdout, stderr } = await run(['feature', ...argv], key)
  const anonymous = (text: string) => text.replaceAll(inject('service').url, 'S')
  return { code, stdout: anonymous(stdout), stderr: anonymous(stderr) }
}

/** Sends a request of the admin interface, with the key of the second admin if that is wanted. */
async function change(method: string, path: string, body?: unknown, key?: string) {
  const url = `${inject('service').url}/api/admin/${path}`
  const headers = { Authorization: key ?? '', 'Content-Type': 'application/json' }
  const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = key ? await fetch(url, sent) : await admin(method, `/api/admin/${path}`, body)
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Where a flag is on. */
async function placesOf(name: string, id = project): Promise<string[]> {
  const { environments } = await read(`/api/admin/projects/${id}/features/${name}`)
  return environments.flatMap((one: { name: string; enabled: boolean }) =>
    one.enabled ? [one.name] : [],
  )
}

/** What SDKs in development get of the flags. */
async function served(): Promise<{ name: string }[]> {
  const { url, keys } = inject('service')
  const headers = { Authorization: keys.development }
  const response = await fetch(`${url}/api/client/features?namePrefix=switch-`, { headers })
  return JSON.parse(await response.text()).features
}

beforeAll(async () => {
  await createProject(project, 'Incident')
  await createProject(other, 'Other')
  // The admin interface does not create tokens of admins any more.
  const token =
    "INSERT INTO api_tokens (secret, username, token_name, type, environment, created_at) VALUES ($1, $2, $2, 'admin', '*', now())"
  await query(token, [secondKey, second])
}, longEnough.timeout)

describe('feature off and on', longEnough, () => {
  beforeAll(async () => {
    await createFlag('switch-a', { development: 100, production: 25 }, project)
    await createFlag('switch-b', { production: 50 }, project)
    await createFlag('switch-bare', {}, project)
    await createFlag('switch-foreign', {}, other)
  }, longEnough.timeout)

  test('one flag in one environment, and the way back', async () => {
    const off = await feature(['off', 'switch-a', '-e', 'production', '--yes'])
    expect(off).toEqual({
      code: 0,
      stdout: `project ${project} on S
switch-a in production: switched off
To undo:
  flagadm feature on --project ${project} -e production switch-a
`,
      stderr: '',
    })
    expect(await placesOf('switch-a')).toEqual(['development'])
    const undo = off.stdout.trim().split('\n').at(-1)?.trim().split(' ').slice(2) ?? []
    expect((await feature([...undo, '--yes'])).code).toBe(0)
    expect(await placesOf('switch-a')).toEqual(['development', 'production'])
  })

  test('several flags in several environments', async () => {
    const argv = ['switch-a', 'switch-b', '--project', project, '-e', 'production']
    const off = await feature(['off', ...argv, '-e', 'development', '--yes'])
    expect(off.stdout).toBe(`project ${project} on S
switch-a in production: switched off
switch-b in production: switched off
switch-a in development: switched off
switch-b in development: unchanged: off already
To undo:
  flagadm feature on --project ${project} -e production switch-a switch-b
  flagadm feature on --project ${project} -e development switch-a
`)
    expect((await feature(['on', ...argv, '--yes'])).code).toBe(0)
    expect([await placesOf('switch-a'), await placesOf('switch-b')]).toEqual([
      ['production'],
      ['production'],
    ])
  })

  test('where a strategy would be added, only if that is wanted', async () => {
    const argv = ['on', 'switch-bare', '--project', project, '-e', 'production', '--yes']
    const refused = await feature(argv)
    expect(refused.code).toBe(9)
    expect(refused.stderr).toBe(
      'error: nothing was switched on: no strategy is enabled for switch-bare in production, so Unleash would add one (gradual rollout 100%, for everyone)\nhint: use --add-strategy if that is wanted\n',
    )
    expect(await placesOf('switch-bare')).toEqual([])
    const added = await feature([...argv, '--add-strategy'])
    expect(added.stdout).toContain('switched on; Unleash added gradual rollout 100%\n')
  })

  test("the project's default strategy is what would be added, and changes no other flag", async () => {
    const before = await served()
    const strategy = { name: 'flexibleRollout', parameters: { rollout: '10', groupId: 'x' } }
    const path = `projects/${project}/environments/development/default-strategy`
    await change('POST', path, strategy)
    const argv = ['on', 'switch-bare', '--project', project, '-e', 'development', '--yes']
    expect((await feature(argv)).stderr).toContain(
      "(gradual rollout 10%, the project's default strategy)",
    )
    const added = await feature([...argv, '--add-strategy'])
    expect(added.stdout).toContain('switched on; Unleash added gradual rollout 10%\n')
    await expect.poll(served, { timeout: 30_000 }).not.toEqual(before)
    const isOther = ({ name }: { name: string }) => name !== 'switch-bare'
    expect((await served()).filter(isOther)).toEqual(before.filter(isOther))
  })

  test('no flag of another project, or that is archived', async () => {
    const argv = ['off', 'switch-foreign', '--project', project, '-e', 'production', '--yes']
    expect((await feature(argv)).code).toBe(6)
    await createFlag('switch-archived', {}, project)
    await change('POST', `projects/${project}/archive`, { features: ['switch-archived'] })
    const outcome = await feature(['off', 'switch-archived', ...argv.slice(2)])
    expect([outcome.code, outcome.stderr]).toEqual([
      6,
      `error: switch-archived: archived in project ${project}\n`,
    ])
  })

  test('what the flag does is shown first', async () => {
    const start = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString()
    const bucket = {
      start,
      stop: new Date().toISOString(),
      toggles: { 'switch-a': { yes: 39, no: 61, variants: {} } },
    }
    const { url, keys } = inject('service')
    const headers = { Authorization: keys.production, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ appName: 'web-shop', instanceId: 'i', bucket })
    await fetch(`${url}/api/client/metrics`, { method: 'POST', headers, body })
    const argv = ['off', 'switch-a', '--project', project, '-e', 'production', '--dry-run']
    const shown = async () => (await feature(argv)).stdout
    await expect
      .poll(shown, { timeout: 30_000, interval: 1_000 })
      .toMatch(
        /on in production \(gradual rollout 25%\): 100 evaluations since \d\d:00 UTC by web-shop, 39\.0% on\n/,
      )
  })
})

describe('a protected environment', longEnough, () => {
  const setting = ['default', 'production']

  beforeAll(async () => {
    const user = { username: 'incident-editor', rootRole: 2, sendEmail: false }
    const { id } = await change('POST', 'user-admin', user)
    const pat =
      "INSERT INTO personal_access_tokens (secret, description, user_id, expires_at) VALUES ($1, 'test', $2, now() + interval '1 day')"
    await query(pat, [editorKey, id])
    await createFlag('protected', { development: 100, production: 100 })
    const protect =
      'INSERT INTO change_request_settings (project, environment, required_approvals) VALUES ($1, $2, 1)'
    await query(protect, setting)
    return async () => {
      await query(
        'DELETE FROM change_request_settings WHERE project = $1 AND environment = $2',
        setting,
      )
    }
  }, longEnough.timeout)

  const argv = ['off', 'protected', '--project', 'default', '--yes']

  test('refuses an editor, after what was done in the environment before', async () => {
    const places = ['-e', 'development', '-e', 'production']
    const { code, stdout, stderr } = await feature([...argv, ...places], editorKey)
    expect([code, stderr]).toEqual([10, 'error: 1 of 2 requests failed\n'])
    expect(stdout).toMatch(
      /^project default on S\nprotected in development: switched off\nprotected in production: failed: 403 PermissionError: .*SKIP_CHANGE_REQUEST.*\nTo undo:\n {2}flagadm feature on --project default -e development protected\n$/,
    )
    expect(await placesOf('protected', 'default')).toEqual(['production'])
  })

  test('stops before the next environment', async () => {
    expect((await feature(['on', 'protected', ...argv.slice(2), '-e', 'development'])).code).toBe(0)
    const places = ['-e', 'production', '-e', 'development']
    const { code, stdout } = await feature([...argv, ...places], editorKey)
    expect(code).toBe(5)
    expect(stdout).toContain(
      'protected in development: left: not sent, because an earlier request failed\n',
    )
    expect(await placesOf('protected', 'default')).toEqual(['development', 'production'])
  })

  test('has a hint to request the change', async () => {
    const { code, stderr } = await feature([...argv, '-e', 'production'], editorKey)
    expect(code).toBe(5)
    expect(stderr).toMatch(
      /\nhint: this environment requires change requests: request the change in Unleash\n$/,
    )
  })

  test('does not stop an admin', async () => {
    expect((await feature([...argv, '-e', 'production'])).code).toBe(0)
    expect(await placesOf('protected', 'default')).toEqual(['development'])
  })
})

/** Makes 30 changes of twelve kinds or more. */
async function makeChanges(): Promise<void> {
  const features = `projects/${project}/features`
  const inEnvironment = (flag: string, place: string) => `${features}/${flag}/environments/${place}`
  for (const name of ['history-1', 'history-2', 'history-3', 'history-4']) {
    await change('POST', features, { name, type: 'release' }, secondKey)
  }
  const rollout = (percentage: number) => {
    const parameters = { rollout: `${percentage}`, stickiness: 'default', groupId: 'x' }
    return { name: 'flexibleRollout', parameters, constraints: [] }
  }
  for (const place of ['development', 'production']) {
    const { id } = await change(
      'POST',
      `${inEnvironment('history-1', place)}/strategies`,
      rollout(25),
    )
    await change('POST', `${inEnvironment('history-1', place)}/on`)
    await change(
      'PUT',
      `${inEnvironment('history-1', place)}/strategies/${id}`,
      rollout(100),
      secondKey,
    )
    if (place === 'production') {
      await change('POST', `${inEnvironment('history-1', place)}/off`, undefined, secondKey)
      await change('DELETE', `${inEnvironment('history-1', place)}/strategies/${id}`)
    }
  }
  for (const stale of [true, false]) {
    await change('POST', `projects/${project}/stale`, { features: ['history-2'], stale })
  }
  const details = { name: 'history-2', description: 'new', type: 'kill-switch' }
  await change('PUT', `${features}/history-2`, details)
  await change('POST', 'features/history-2/tags', { type: 'simple', value: 'shop' })
  await change('DELETE', 'features/history-2/tags/simple/shop')
  const link = { url: 'https://tickets.test/1', title: 'Ticket' }
  await change('POST', `${features}/history-2/link`, link)
  await change('POST', `${features}/history-2/lifecycle/complete`, { status: 'kept' })
  await change('POST', `${features}/history-2/lifecycle/uncomplete`)
  await change('POST', `${features}/history-3/dependencies`, { feature: 'history-1' })
  await change('DELETE', `${features}/history-3/dependencies/history-1`)
  await change('POST', `projects/${project}/archive`, { features: ['history-3'] })
  await change('POST', `projects/${project}/revive`, { features: ['history-3'] })
  await change('POST', `projects/${project}/archive`, { features: ['history-3'] }, secondKey)
  await change('POST', `projects/${project}/delete`, { features: ['history-3'] })
  const segment = { name: 'beta', project, constraints: [] }
  const { id } = await change('POST', 'segments', segment)
  const constraint = { contextName: 'userId', operator: 'IN', values: ['1'] }
  await change('PUT', `segments/${id}`, { ...segment, constraints: [constraint] })
  await change('PUT', `projects/${project}/settings`, { mode: 'protected' })
}

const EVENTS =
  'SELECT id, type, created_at, created_by, feature_name, project, environment FROM events'

interface EventRow {
  id: number
  type: string
  created_at: string
  created_by: string
  feature_name: string | null
  project: string | null
  environment: string | null
}

/** What the database has, in the fields of the history, whose times are in milliseconds. */
async function stored(where: string, values: readonly unknown[]) {
  const rows: EventRow[] = await query(
    `${EVENTS} WHERE ${where} ORDER BY date_trunc('milliseconds', created_at) DESC, id DESC`,
    values,
  )
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    createdAt: row.created_at,
    author: row.created_by,
    flag: row.feature_name || null,
    project: row.project || null,
    environment: row.environment || null,
  }))
}

type Row = Awaited<ReturnType<typeof stored>>[number]

/** What the history has. */
async function shown(argv: readonly string[]) {
  const { code, stdout } = await run(['feature', 'history', ...argv, '--json'])
  expect(code).toBe(0)
  const { changes, incomplete }: { changes: Row[]; incomplete?: unknown } = JSON.parse(stdout)
  expect(incomplete).toBe(undefined)
  return changes.map(({ id, type, createdAt, author, flag, project: of, environment: place }) => {
    return {
      id,
      type,
      createdAt,
      author,
      flag: flag || null,
      project: of || null,
      environment: place || null,
    }
  })
}

describe('feature history', longEnough, () => {
  beforeAll(async () => {
    await makeChanges()
    // Some are older than a week.
    const older =
      "UPDATE events SET created_at = created_at - interval '8 days' WHERE project = $1 AND type = 'feature-created' AND feature_name LIKE 'switch-%'"
    await query(older, [project])
  }, longEnough.timeout)

  const recent = "created_at > now() - interval '7 days'"
  const own = [project]

  test('has 30 changes of 12 kinds or more', async () => {
    const { stdout } = await run(['feature', 'history', '--project', project, '--json'])
    const { changes }: { changes: { flag: string; kind: string }[] } = JSON.parse(stdout)
    const made = changes.filter(({ flag }) => !flag?.startsWith('switch-'))
    // One of them is the default strategy of the project.
    expect([made.length, new Set(made.map(({ kind }) => kind)).size]).toEqual([31, 14])
  })

  test.each<[string, string[], string, unknown[]]>([
    ['a project', ['--project', project], `project = $1 AND ${recent}`, own],
    [
      'two projects',
      ['--project', project, '--project', other],
      `project IN ($1, $2) AND ${recent}`,
      [project, other],
    ],
    ['everything', ['--all-projects'], recent, []],
    ['a longer span', ['--project', project, '--since', '30d'], 'project = $1', own],
    [
      'a shorter span',
      ['--all-projects', '--since', '60m'],
      "created_at > now() - interval '60 minutes'",
      [],
    ],
    ['a flag', ['history-1'], `feature_name = 'history-1'`, []],
    ['a flag that was deleted', ['history-3'], `feature_name = 'history-3'`, []],
    [
      'an author',
      ['--all-projects', '--author', second],
      `created_by = $1 AND ${recent}`,
      [second],
    ],
    [
      'an environment',
      ['--all-projects', '-e', 'production'],
      `environment = 'production' AND ${recent}`,
      [],
    ],
    [
      'kinds',
      ['--all-projects', '--change', 'on,off'],
      `type IN ('feature-environment-enabled', 'feature-environment-disabled') AND ${recent}`,
      [],
    ],
    [
      'all of it',
      ['history-1', '--author', second, '-e', 'production', '--since', '1h'],
      `feature_name = 'history-1' AND created_by = $1 AND environment = 'production'`,
      [second],
    ],
  ])('of %s is what the database has', async (_, argv, where, values) => {
    let expected = await stored(where, values)
    expect(expected.length).toBeGreaterThan(0)
    let found = await shown(argv)
    const later = await stored(where, values)
    // Once a minute, Unleash marks the flags that are older than their type expects.
    if (later.length > expected.length) {
      expected = later
      found = await shown(argv)
    }
    expect(found).toEqual(expected)
  })

  test('shows what is different', async () => {
    const { stdout } = await run(['feature', 'history', 'history-1', '-o', 'jsonl'])
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(
      rows.map(({ change: what, differences }) => `${what}: ${differences.join('; ')}`),
    ).toEqual([
      'strategy removed: gradual rollout 100%',
      'switched off: ',
      'strategy changed: rollout 25 → 100',
      'switched on: ',
      'strategy added: gradual rollout 25%',
      'strategy changed: rollout 25 → 100',
      'switched on: ',
      'strategy added: gradual rollout 25%',
      'created: release',
    ])
  })

  test('has 1,500 changes on several pages, of which many have the same time', async () => {
    const insert =
      "INSERT INTO events (type, created_by, created_at, feature_name, project, environment, data) SELECT 'feature-environment-enabled', 'ada', now() - (i / 40) * interval '1 second', 'paged', $1, 'production', '{}' FROM generate_series(0, 1499) i"
    await query(insert, [other])
    const expected = await stored(`project = $1 AND feature_name = 'paged'`, [other])
    expect(expected).toHaveLength(1500)
    const found = await shown(['--project', other, '--author', 'ada'])
    expect(found).toEqual(expected)
  })
})

describe('api', longEnough, () => {
  test('prints documents without their secrets', async () => {
    const { keys } = inject('service')
    const invite = { name: 'incident', expiresAt: new Date(Date.now() + 86_400_000).toISOString() }
    await change('POST', 'invite-link/tokens', invite)
    const secrets: string[] = [...Object.values(keys), secondKey, editorKey]
    const rows: { secret: string }[] = await query('SELECT secret FROM public_signup_tokens')
    secrets.push(...rows.map(({ secret }) => secret))
    expect(rows.length).toBeGreaterThan(0)
    const paths = [
      'user',
      'api-tokens',
      `projects/${project}/api-tokens`,
      'invite-link/tokens',
      'events',
      'search/events?limit=1000',
      'addons',
      'projects',
      'segments',
      'ui-config',
    ]
    for (const path of paths) {
      const { code, stdout, stderr } = await run(['api', path])
      expect([path, code, stderr]).toEqual([path, 0, ''])
      expect(JSON.parse(stdout)).toBeTypeOf('object')
      expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([])
    }
    const { stdout } = await run(['feature', 'history', '--all-projects', '--json'])
    expect(stdout).toContain('public-signup-token-created')
    expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([])
  })
})
