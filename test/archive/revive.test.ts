import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import type { Seed, SeedFlag } from '../../src/sandbox/seed.ts'
import { join } from '../../src/paths.ts'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { anonymous, sandboxOf, type TestSandbox } from '../support/sandbox.ts'
import { type Instead, relay } from '../support/relay.ts'
import type { Received } from '../support/server.ts'

const projects: Seed['projects'] = ['shop', 'other'].map((id) => ({ id, mode: 'open' }))

const strategy = { name: 'flexibleRollout' }

function flag(name: string, on: readonly string[] = [], more: Partial<SeedFlag> = {}): SeedFlag {
  const environments = ['production', 'staging'].map((environment) => {
    return { name: environment, enabled: on.includes(environment), strategies: [strategy] }
  })
  return { name, project: 'shop', createdAt: '2024-01-01T00:00:00Z', environments, ...more }
}

const bare = [
  { name: 'production', enabled: true, strategies: [{ name: 'default', disabled: true }] },
  { name: 'staging', enabled: true, strategies: [strategy] },
]

/** The same, after they were archived and revived: nothing is switched on where no strategy is enabled. */
const bareAfterwards = {
  dependencies: [],
  environments: bare.map((one) => {
    const type = one.name === 'production' ? one.name : 'preproduction'
    const enabled = one.name === 'staging'
    return { type, variantCount: 0, lastSeenAt: null, ...one, enabled }
  }),
}

const flags = [
  flag('parent', ['production']),
  flag('child', ['production', 'staging'], {
    dependencies: [{ feature: 'parent', enabled: false }],
  }),
  flag('bare', [], { environments: bare }),
  flag('idle'),
]
const names = flags.map(({ name }) => name)

/** Runs `feature …` on a sandbox. */
async function feature(sandbox: TestSandbox, argv: readonly string[], world: World = {}) {
  const env = { ...sandbox.env, NO_COLOR: '1' }
  const { clock } = patientClock(sandbox.now())
  return anonymous(sandbox, await flagadm(['feature', ...argv], { env, clock, ...world }))
}

/** What a flag has, or the status without a document of its own. */
async function stateOf({ url, keys }: TestSandbox, name: string) {
  const path = `/api/admin/projects/shop/features/${name}`
  const response = await fetch(`${url}${path}`, { headers: { Authorization: keys.full } })
  if (!response.ok) return response.status
  const { dependencies, environments } = JSON.parse(await response.text())
  return { dependencies, environments }
}

/** Sends a request of the admin interface. */
function post({ url, keys }: TestSandbox, path: string, body: object): Promise<Response> {
  return fetch(`${url}/api/admin/projects/shop/${path}`, {
    method: 'POST',
    headers: { Authorization: keys.full, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

const save = ['--save-before', 'archived.yaml']

const bareText =
  'revival does not switch these on again, because no strategy is enabled: bare (production)\n'
const bareWarning = `warning: a ${bareText}`

/** Archives flags; returns the file that undoes it. */
async function archived(sandbox: TestSandbox, archivedNames: readonly string[] = names) {
  const argv = ['archive', ...archivedNames, '--project', 'shop', '--force', '--yes', ...save]
  const { code, folder, stderr } = await feature(sandbox, argv)
  expect([code, stderr]).toEqual([0, archivedNames.includes('bare') ? bareWarning : ''])
  return readFileSync(join(folder, 'work/archived.yaml'), 'utf8')
}

function restore(sandbox: TestSandbox, file: string, argv: readonly string[] = ['--yes']) {
  const files = { 'work/archived.yaml': file }
  return feature(sandbox, ['revive', '-f', 'archived.yaml', ...argv], { files })
}

const start = (more: readonly SeedFlag[] = []) =>
  sandboxOf(projects, { seed: { projects, flags: [...flags, ...more] } })

describe('archive --save-before', () => {
  it('writes what a revival does not bring back', async () => {
    const sandbox = await start()
    const file = await archived(sandbox)
    expect(file.replace(sandbox.url, 'S')).toBe(`version: 1
service: S
project: shop
savedAt: "2026-01-05T10:00:00.000Z"
flags:
  - name: parent
    dependencies: []
    environments:
      - production
    withoutStrategy: []
  - name: child
    dependencies:
      - feature: parent
        enabled: false
    environments:
      - production
      - staging
    withoutStrategy: []
  - name: bare
    dependencies: []
    environments:
      - staging
    withoutStrategy:
      - production
  - name: idle
    dependencies: []
    environments: []
    withoutStrategy: []
`)
  })

  it('writes a large file as JSON, which is read without YAML', async () => {
    const environments = Array.from({ length: 3 }, (_, index) => {
      const name = `${index}-${'e'.repeat(9000)}`
      return { name, enabled: true, strategies: [strategy] }
    })
    const large = Array.from({ length: 10 }, (_, index) => flag(`f${index}`, [], { environments }))
    const sandbox = await sandboxOf(projects, { seed: { projects, flags: large } })
    const file = await archived(
      sandbox,
      large.map(({ name }) => name),
    )
    expect(JSON.parse(file)).toMatchObject({ version: 1, project: 'shop' })
    expect(await restore(sandbox, file)).toMatchObject({ code: 0 })
    expect(await stateOf(sandbox, 'f9')).toMatchObject({ environments })
  })

  it('shows the command that undoes it', async () => {
    const sandbox = await start()
    const argv = ['archive', 'idle', '--project', 'shop', '--yes', ...save]
    const { stdout } = await feature(sandbox, argv)
    expect(stdout).toContain('\nTo undo:\n  flagadm feature revive -f archived.yaml\n')
  })

  it('refuses an existing file before it asks', async () => {
    const sandbox = await start()
    const world = { files: { 'work/archived.yaml': 'mine' } }
    const argv = ['archive', 'idle', '--project', 'shop', ...save]
    expect(await feature(sandbox, argv, world)).toMatchObject({
      code: 2,
      stderr: 'error: archived.yaml already exists\nhint: use another name\n',
    })
    expect(sandbox.writes()).toEqual([])
  })

  it('leaves no file if the service refuses the request', async () => {
    const sandbox = await start()
    const argv = ['archive', 'parent', '--project', 'shop', '--force', '--yes', ...save]
    const { code, stderr, folder } = await feature(sandbox, argv)
    expect(code).toBe(5)
    expect(stderr).toContain('note: nothing was archived, so archived.yaml was not written\n')
    expect(() => readFileSync(join(folder, 'work/archived.yaml'))).toThrow('ENOENT')
  })

  it('writes no file for a dry run', async () => {
    const sandbox = await start()
    const argv = ['archive', 'idle', '--project', 'shop', '--dry-run', ...save]
    const { code, folder } = await feature(sandbox, argv)
    expect(code).toBe(0)
    expect(() => readFileSync(join(folder, 'work/archived.yaml'))).toThrow('ENOENT')
  })
})

describe('archive says before it asks', () => {
  const shown = async (argv: readonly string[]) => {
    const sandbox = await start()
    const { stderr } = await feature(sandbox, [
      'archive',
      'parent',
      'child',
      '--project',
      'shop',
      '--force',
      ...argv,
    ])
    return stderr.split('\n').filter((line) => line.startsWith('warning: '))
  }

  it('what cannot be undone', async () => {
    expect(await shown(['--dry-run'])).toEqual([
      'warning: a revival does not switch these on again: parent (production), child (production, staging)',
      'warning: a revival does not add their dependencies again: child (on parent)',
      'warning: with --save-before <file>, feature revive -f <file> restores that',
    ])
  })

  it('nothing of what its file restores', async () => {
    expect(await shown(['--dry-run', ...save])).toEqual([])
  })
})

describe('what archiving loses is said', () => {
  const whole = ['parent', 'child', 'bare']
  const archive = async (argv: readonly string[], world: World = {}) => {
    const sandbox = await start()
    return feature(sandbox, ['archive', ...whole, '--project', 'shop', '--force', ...argv], world)
  }
  const on = 'switch these on again: parent (production), child (production, staging)'
  const named = `a revival does not ${on}, bare (production, staging)`
  const dependencies = 'their dependencies again: child (on parent)'
  const restored = `A revival with archived.yaml switches these on again: parent (production), child (production, staging), bare (staging)
A revival with archived.yaml adds ${dependencies}
`

  it('with --yes, before and after', async () => {
    const { code, stdout, stderr } = await archive(['--yes'])
    expect([code, stderr]).toEqual([
      0,
      `warning: ${named}
warning: a revival does not add ${dependencies}
warning: with --save-before <file>, feature revive -f <file> restores that
`,
    ])
    expect(stdout).toContain(`
To revive:
  flagadm feature revive --project shop parent child bare
A${named.slice(1)}
A revival does not add ${dependencies}
`)
  })

  it('with a file, which restores it but for what no request can', async () => {
    const { stdout, stderr } = await archive(['--yes', ...save])
    expect(stderr).toBe(bareWarning)
    expect(stdout).toContain(
      `\nTo undo:\n  flagadm feature revive -f archived.yaml\n${restored}A ${bareText}`,
    )
  })

  it('in the question, and in a dry run', async () => {
    const dialog = [['Archive 3 flags of project shop anyway on http://', 'n']] as const
    const asked = await archive(save, { dialog, dialogColumns: 300 })
    expect(asked.stderr).toContain(`${restored}${bareWarning}`)
    const { stdout, stderr } = await archive(['--dry-run', ...save])
    expect(stdout).toContain(`\n${restored}\nPOST`)
    expect(stderr).toContain(bareWarning)
  })

  it('in JSON', async () => {
    const { stdout } = await archive(['--yes', '--json', ...save])
    expect(JSON.parse(stdout)).toMatchObject({
      flags: [
        { flag: 'parent', on: ['production'], dependsOn: [] },
        { flag: 'child', on: ['production', 'staging'], dependsOn: ['parent'] },
        { flag: 'bare', on: ['production', 'staging'], dependsOn: [] },
      ],
      restored: restored
        .trimEnd()
        .split('\n')
        .map((line) => `a${line.slice(1)}`),
      notRestored: [`a ${bareText.trimEnd()}`],
    })
  })
})

describe('revive with names', () => {
  const gone = [flag('gone', ['production'], { archived: true })]
  const revive = (sandbox: TestSandbox, ...argv: string[]) =>
    feature(sandbox, ['revive', '--project', 'shop', ...argv])

  it('revives them, and reads them back', async () => {
    const sandbox = await start(gone)
    expect(await revive(sandbox, 'gone', 'idle', '--yes')).toMatchObject({
      code: 0,
      stdout: `project shop on S
gone: revived
idle: unchanged: not archived
Every environment is off.
`,
      stderr: expect.stringMatching(/^warning: every environment of a revived flag is off, /),
    })
    expect(sandbox.writes()).toEqual(['POST /api/admin/projects/shop/revive 200'])
    const off = { enabled: false }
    expect(await stateOf(sandbox, 'gone')).toMatchObject({ environments: [off, off] })
  })

  it('takes names from a list', async () => {
    const sandbox = await start(gone)
    const argv = ['revive', '--project', 'shop', '--names-from', '-', '--yes']
    expect((await feature(sandbox, argv, { stdin: 'gone\n' })).code).toBe(0)
    expect(sandbox.writes()).toHaveLength(1)
  })

  it('asks first, and says what stays off', async () => {
    const sandbox = await start(gone)
    const dialog = [['Revive 1 flag of project shop on http://', 'y\r']] as const
    const { code, stderr } = await feature(sandbox, ['revive', 'gone', '--project', 'shop'], {
      dialog,
      dialogColumns: 200,
    })
    expect(code).toBe(0)
    expect(stderr).toContain(
      'gone: revive\nwarning: every environment of a revived flag is off, and its dependencies are gone; only a file of archive --save-before restores them\n',
    )
  })

  it('shows the request of a dry run', async () => {
    const sandbox = await start(gone)
    expect(await revive(sandbox, 'gone', '--dry-run')).toMatchObject({
      code: 0,
      stdout: `project shop on S
gone: revive

POST S/api/admin/projects/shop/revive
{
  "features": [
    "gone"
  ]
}
`,
    })
    expect(sandbox.writes()).toEqual([])
  })

  test.each<[string, string[], number, string]>([
    [
      'a name that no flag has',
      ['revive', 'gone', 'none', '--project', 'shop', '--yes'],
      6,
      'error: 1 of 2 flags cannot be revived: none\nhint: check the names and the project\n',
    ],
    [
      'an archived flag of another project',
      ['revive', 'gone', '--project', 'other', '--yes'],
      6,
      'error: 1 of 1 flag cannot be revived: gone\nhint: gone is an archived flag of project shop (--project shop)\n',
    ],
    [
      'a pattern',
      ['revive', 'g*', '--project', 'shop'],
      2,
      "error: 'g*' is a pattern\nhint: pass whole names\n",
    ],
    [
      'no names',
      ['revive'],
      2,
      'error: no flag names given\nhint: pass names, or a file with -f\n',
    ],
    [
      'no project',
      ['revive', 'gone'],
      2,
      'error: --project is required with names\nhint: use --project <id>\n',
    ],
    [
      'no confirmation',
      ['revive', 'gone', '--project', 'shop'],
      2,
      'error: confirmation required: this revives 1 flag of project shop\nhint: run the command on a terminal, or use --yes\n',
    ],
  ])('sends nothing for %s', async (_, argv, code, stderr) => {
    const sandbox = await start(gone)
    expect(await feature(sandbox, argv)).toMatchObject({ code, stderr })
    expect(sandbox.writes()).toEqual([])
  })

  it('sends nothing if no flag is archived', async () => {
    const sandbox = await start()
    expect(await revive(sandbox, 'idle')).toMatchObject({ code: 0, stderr: '' })
    expect(sandbox.writes()).toEqual([])
  })
})

describe('revive -f', () => {
  it('restores what the flags had', async () => {
    const sandbox = await start()
    const before = await Promise.all(names.map((name) => stateOf(sandbox, name)))
    const file = await archived(sandbox)
    expect(await stateOf(sandbox, 'child')).toBe(404)
    expect(await restore(sandbox, file)).toMatchObject({
      code: 10,
      stdout: `project shop on S
parent: revived
  production: on
child: revived
  depends on parent: restored
  production: on
  staging: on
bare: revived
  staging: on
  production: left: it was on without an enabled strategy
idle: revived
`,
      stderr: 'error: 1 of 4 flags left as is, at least in part: bare\n',
    })
    // It is not as it was, and another run cannot change that.
    expect(await restore(sandbox, file)).toMatchObject({
      code: 10,
      stdout: expect.stringContaining(`
bare: continued
  production: left: it was on without an enabled strategy
idle: unchanged: as it was before it was archived
`),
    })
    const after = await Promise.all(names.map((name) => stateOf(sandbox, name)))
    const [parent, child, , idle] = before
    expect(after).toEqual([parent, child, bareAfterwards, idle])
  })

  it('asks first, and shows what it will do', async () => {
    const sandbox = await start()
    const file = await archived(sandbox, ['child'])
    const dialog = [['Revive 1 flag of project shop on http://', 'n']] as const
    const files = { 'work/archived.yaml': file }
    const outcome = await feature(sandbox, ['revive', '-f', 'archived.yaml'], { dialog, files })
    expect(outcome.code).toBe(130)
    expect(outcome.stderr).toContain(`child: revive
  depends on parent: restore
  production: switch on
  staging: switch on
`)
    expect(sandbox.writes()).toHaveLength(1)
  })

  it('shows the requests of a dry run', async () => {
    const sandbox = await start()
    const file = await archived(sandbox, ['child'])
    const { code, stdout } = await restore(sandbox, file, ['--dry-run', '--json'])
    expect(code).toBe(0)
    const { requests, flags: reported } = JSON.parse(stdout)
    const project = 'S/api/admin/projects/shop'
    const on = (name: string) => ({
      method: 'POST',
      url: `${project}/bulk_features/environments/${name}/on`,
      body: { features: ['child'] },
    })
    expect(requests).toEqual([
      { method: 'POST', url: `${project}/revive`, body: { features: ['child'] } },
      {
        method: 'POST',
        url: `${project}/features/child/dependencies`,
        body: { feature: 'parent', enabled: false },
      },
      on('production'),
      on('staging'),
    ])
    const pending = { status: 'pending' }
    expect(reported).toEqual([
      {
        flag: 'child',
        ...pending,
        dependencies: [{ feature: 'parent', ...pending }],
        environments: [
          { environment: 'production', ...pending },
          { environment: 'staging', ...pending },
        ],
      },
    ])
    expect(sandbox.writes()).toHaveLength(1)
  })

  it('has nothing left to do after it has succeeded', async () => {
    const sandbox = await start()
    const file = await archived(sandbox, ['child'])
    await restore(sandbox, file)
    const sent = sandbox.writes().length
    expect(await restore(sandbox, file, [])).toMatchObject({
      code: 0,
      stdout: 'project shop on S\nchild: unchanged: as it was before it was archived\n',
    })
    expect(sandbox.writes()).toHaveLength(sent)
  })

  it('leaves an environment off in which no enabled strategy is left', async () => {
    const sandbox = await start([flag('stripped', [], { environments: bare.slice(0, 1) })])
    const file = (await archived(sandbox, ['idle'])).replace('name: idle', 'name: stripped')
    await post(sandbox, 'archive', { features: ['stripped'] })
    const { code, stdout } = await restore(
      sandbox,
      file.replace('environments: []', 'environments: [production]'),
    )
    expect([code, stdout]).toEqual([
      10,
      'project shop on S\nstripped: revived\n  production: left: no enabled strategy is left\n',
    ])
  })

  test.each<[string, string, string]>([
    ['is not such a file', 'version: 2', 'archived.yaml:1: version: expected 1'],
    ['has a flag twice', '', 'archived.yaml: idle occurs twice\nhint: remove one of the entries\n'],
    ['is for another service', '', 'archived.yaml: the flags are of http://elsewhere, not of S\n'],
    [
      'has a password',
      'version: 1\nservice: http://ada:pw@elsewhere\nproject: shop\nsavedAt: 2026-11-01T00:00:00Z\nflags: [x]\n',
      'archived.yaml:2: service: expected an address without a user or password\n',
    ],
  ])('refuses a file that %s', async (what, text, problem) => {
    const sandbox = await start()
    const file = await archived(sandbox, ['idle'])
    const entry = file.slice(file.indexOf('  - name'))
    const files: Record<string, string> = {
      'has a flag twice': file + entry,
      'is for another service': file.replace(sandbox.url, 'http://elsewhere'),
    }
    const { code, stderr } = await restore(sandbox, files[what] ?? text)
    expect(code).toBe(2)
    expect(stderr).toContain(`error: ${problem}`)
  })

  test.each([
    ['no flag', { flags: [] }, 'flags: expected at least one flag'],
    ['an environment twice', { environments: ['a', 'a'] }, 'expected each name once'],
    [
      'text that no request can have',
      { environments: ['\ud800'] },
      'expected text that can be sent',
    ],
    ['a masked text', { environments: ['[redacted]'] }, 'contains [redacted]'],
    [
      'a dependency twice',
      { dependencies: [{ feature: 'b' }, { feature: 'b', enabled: false }] },
      'expected each flag once',
    ],
  ])('refuses a file with %s before anything is sent', async (_what, changed, problem) => {
    const sandbox = await start()
    const flag = { name: 'a', dependencies: [], environments: [], withoutStrategy: [], ...changed }
    const content = {
      version: 1,
      service: sandbox.url,
      project: 'shop',
      savedAt: '2026-11-20T16:00:00.000Z',
      flags: 'flags' in changed ? changed.flags : [flag],
    }
    const { code, stderr } = await restore(sandbox, JSON.stringify(content))
    expect(code).toBe(2)
    expect(stderr).toContain(problem)
    expect(sandbox.requests()).toEqual([])
  })

  test.each([
    [['-f', 'archived.yaml', '--project', 'shop'], '--file cannot be used with --project'],
  ])('refuses %j', async (argv, problem) => {
    const sandbox = await start()
    const { code, stderr } = await feature(sandbox, ['revive', ...argv])
    expect(code).toBe(2)
    expect(stderr).toContain(problem)
  })
})

/** A sandbox behind a server that may respond in its place. */
async function gated(respond: (request: Received) => Instead) {
  const sandbox = await start()
  const { url } = await relay(sandbox.url, respond)
  return { ...sandbox, url, env: environment(url, sandbox.keys.full) }
}

const forbidden = [403, { name: 'NoAccessError', message: 'no' }] as const

describe('revive -f with names', () => {
  it('restores only these', async () => {
    const sandbox = await start()
    const file = await archived(sandbox)
    const { code, stdout } = await restore(sandbox, file, ['parent', '--yes'])
    expect([code, stdout]).toEqual([
      0,
      `project shop on S
parent: revived
  production: on
`,
    ])
    expect(await stateOf(sandbox, 'child')).toBe(404)
  })

  it('takes the names from a list', async () => {
    const sandbox = await start()
    const files = { 'work/archived.yaml': await archived(sandbox), 'work/names.txt': 'idle\n' }
    const argv = ['revive', '-f', 'archived.yaml', '--names-from', 'names.txt', '--yes']
    const { stdout } = await feature(sandbox, argv, { files })
    expect(stdout).toBe('project shop on S\nidle: revived\n')
  })

  it('says how to try these again', async () => {
    const sandbox = await gated(({ url }) =>
      url.endsWith('/production/on') ? [...forbidden] : undefined,
    )
    const file = await archived(sandbox)
    const { stdout } = await restore(sandbox, file, ['parent', '--yes'])
    expect(stdout).toContain('flagadm feature revive -f archived.yaml parent\n')
  })

  it('refuses a name that is not in the file', async () => {
    const sandbox = await start()
    const file = await archived(sandbox, ['idle'])
    const { code, stderr } = await restore(sandbox, file, ['idle', 'parent', '--yes'])
    expect([code, stderr]).toEqual([
      2,
      'error: archived.yaml does not have parent\nhint: check the names, or use --project without -f\n',
    ])
  })
})

describe('revive -f reports for its part', () => {
  const refusing = async (path: string, flagNames: readonly string[]) => {
    const sandbox = await gated(({ url }) => (url.endsWith(path) ? [...forbidden] : undefined))
    const file = await archived(sandbox, flagNames)
    return { sandbox, ...(await restore(sandbox, file)) }
  }

  it('that environments could not be switched on', async () => {
    const { sandbox, code, stdout, stderr } = await refusing('/production/on', ['child'])
    expect(code).toBe(10)
    expect(stdout).toBe(`project shop on S
child: revived
  depends on parent: restored
  production: failed: 403 NoAccessError: no
  staging: on
To try the rest again:
  flagadm feature revive -f archived.yaml
`)
    expect(stderr).toBe('error: 1 of 4 requests failed\n')
    expect(await stateOf(sandbox, 'child')).toMatchObject({ dependencies: [{ feature: 'parent' }] })
  })

  it('that dependencies could not be added, and leaves what depended on another flag off', async () => {
    const { code, stdout } = await refusing('/dependencies', names)
    expect(code).toBe(10)
    expect(stdout).toContain(`child: revived
  depends on parent: failed: 403 NoAccessError: no
  production: left: it would not depend on parent
  staging: left: it would not depend on parent
bare: revived
  staging: on
`)
  })

  it('that nothing was done if the flags may not be revived', async () => {
    const { code, stdout } = await refusing('/revive', ['parent', 'child'])
    expect(code).toBe(5)
    expect(stdout).toContain(`parent: failed: 403 NoAccessError: no
  production: left: it was not revived
child: failed: 403 NoAccessError: no
  depends on parent: left: it was not revived
  production: left: it was not revived
`)
  })
})

describe('revive -f finishes what an interrupted run began', () => {
  const isChange = ({ method, url }: Received) => method === 'POST' && !url.endsWith('/archive')

  it.each([1, 2, 3, 4])('after request %i', async (last) => {
    let sent = 0
    const interruption = new AbortController()
    const sandbox = await gated((request) => {
      if (isChange(request) && ++sent === last) interruption.abort()
      return undefined
    })
    const whole = names.filter((name) => name !== 'bare')
    const before = await Promise.all(whole.map((name) => stateOf(sandbox, name)))
    const file = await archived(sandbox, whole)
    const files = { 'work/archived.yaml': file }
    const argv = ['revive', '-f', 'archived.yaml', '--yes']
    const { code } = await feature(sandbox, argv, { files, signal: interruption.signal })
    expect([code, sent]).toEqual([last === 4 ? 0 : 130, last])
    expect(await restore(sandbox, file)).toMatchObject({ code: 0 })
    expect(sent).toBe(4)
    expect(await Promise.all(whole.map((name) => stateOf(sandbox, name)))).toEqual(before)
  })

  it('but not of a flag that someone else has changed since', async () => {
    const sandbox = await start()
    const file = await archived(sandbox, ['child'])
    await post(sandbox, 'revive', { features: ['child'] })
    await post(sandbox, 'bulk_features/environments/staging/on', { features: ['child'] })
    await post(sandbox, 'features/child/dependencies', { feature: 'idle' })
    const sent = sandbox.writes().length
    expect(await restore(sandbox, file)).toMatchObject({
      code: 10,
      stdout: `project shop on S
child: left: changed since it was archived (feature-dependency-added, 2026-01-05 10:00 UTC)
`,
      stderr: 'error: 1 of 1 flag left as is, at least in part: child\n',
    })
    expect(sandbox.writes()).toHaveLength(sent)
  })

  it('but no flag that is not archived if events cannot be read', async () => {
    const sandbox = await gated(({ url }) =>
      url.includes('/search/events') ? [200, { events: [], total: 3 }] : undefined,
    )
    const file = await archived(sandbox, ['child', 'idle'])
    await post(sandbox, 'revive', { features: ['idle'] })
    const { code, stdout } = await restore(sandbox, file)
    expect(code).toBe(10)
    expect(stdout).toContain(
      'idle: left: its changes since the file was written could not be read (the service returned 0 of 3 events)\n',
    )
    // What it had may not be what the file has.
    expect(stdout).toContain('child: revived\n')
    expect(await stateOf(sandbox, 'child')).toMatchObject({
      dependencies: [],
      environments: [{ enabled: false }, { enabled: false }],
    })
  })

  it('and leaves names that are not flags any more', async () => {
    const sandbox = await start()
    const file = (await archived(sandbox, ['idle'])).replace('name: idle', 'name: deleted')
    const { code, stdout } = await restore(sandbox, file)
    expect(code).toBe(10)
    expect(stdout).toContain('deleted: left: no such flag in project shop, live or archived\n')
  })
})

describe('revive -f of a large file', () => {
  const head = { version: 1, service: 'https://other.example', project: 'shop' }
  const savedAt = '2026-01-05T10:00:00.000Z'
  const saved = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const name = `flag-${index}`
      const dependencies = [{ feature: 'parent-of-all-of-them', enabled: true }]
      return { name, dependencies, environments: ['production'], withoutStrategy: [] }
    })
  const reading = async (text: string) => {
    const sandbox = await start()
    const { code, stderr } = await restore(sandbox, text)
    return [code, stderr.replaceAll(sandbox.url, 'S')]
  }

  it('reads 10,000 flags with dependencies', async () => {
    expect(await reading(JSON.stringify({ ...head, savedAt, flags: saved(10_000) }))).toEqual([
      2,
      'error: archived.yaml: the flags are of https://other.example, not of S\nhint: use a profile for that service\n',
    ])
  })

  it.each<[string, string, string, string]>([
    [
      'more flags',
      JSON.stringify({ ...head, savedAt, flags: saved(10_001) }),
      'archived.yaml: flags: expected at most 10000 flags',
      'feature archive --save-before writes such a file',
    ],
    [
      'more YAML',
      `version: 1\n# ${'x'.repeat(1_000_000)}\n`,
      'archived.yaml: YAML with more than 1000000 characters',
      'make it smaller, or write it as JSON',
    ],
  ])('refuses %s', async (_, text, error, hint) => {
    expect(await reading(text)).toEqual([2, `error: ${error}\nhint: ${hint}\n`])
  })
})

describe('revive -f of a flag that was archived again', () => {
  const stale = 'left: archived again since the file was written'

  async function archivedTwice() {
    const sandbox = await start()
    const file = await archived(sandbox, ['child'])
    await post(sandbox, 'revive', { features: ['child'] })
    await post(sandbox, 'bulk_features/environments/production/on', { features: ['child'] })
    await post(sandbox, 'bulk_features/environments/production/off', { features: ['child'] })
    await post(sandbox, 'archive', { features: ['child'] })
    return { sandbox, file }
  }

  it('restores nothing of an older file, and says what that has', async () => {
    const { sandbox, file } = await archivedTwice()
    const { code, stdout, stderr } = await restore(sandbox, file)
    expect([code, stderr]).toEqual([10, 'error: 1 of 1 flag left as is, at least in part: child\n'])
    expect(stdout).toBe(`project shop on S
child: revived
  depends on parent: ${stale}
  production: ${stale}
  staging: ${stale}
`)
    expect(await stateOf(sandbox, 'child')).toMatchObject({
      dependencies: [],
      environments: [{ enabled: false }, { enabled: false }],
    })
  })

  it('says so in a dry run', async () => {
    const { sandbox, file } = await archivedTwice()
    const { stdout } = await restore(sandbox, file, ['--dry-run'])
    expect(stdout).toContain(`child: revive\n  depends on parent: ${stale}\n`)
    expect(stdout).not.toContain('environments/production/on')
  })

  it('restores the flags that were archived once', async () => {
    const sandbox = await start()
    const file = await archived(sandbox, ['parent', 'child', 'idle'])
    await post(sandbox, 'revive', { features: ['idle'] })
    await post(sandbox, 'archive', { features: ['idle'] })
    const { code, stdout } = await restore(sandbox, file)
    // The file has nothing of it to restore.
    expect([code, stdout]).toEqual([0, expect.stringContaining('\nidle: revived\n')])
    expect(await stateOf(sandbox, 'parent')).toMatchObject({
      environments: [{ enabled: true }, { enabled: false }],
    })
  })
})

describe('revive -f of a file whose time was changed to one after the archiving', () => {
  const late = (file: string) => file.replace(/savedAt: .*/, 'savedAt: 2099-01-01T00:00:00.000Z')
  const unknown = 'left: not archived since the file was written'

  it('restores nothing of an archived flag', async () => {
    const sandbox = await start()
    const { code, stdout } = await restore(sandbox, late(await archived(sandbox, ['child'])))
    expect([code, stdout]).toEqual([
      10,
      `project shop on S
child: revived
  depends on parent: ${unknown}
  production: ${unknown}
  staging: ${unknown}
`,
    ])
  })

  it('leaves a flag that was revived and switched off since', async () => {
    const sandbox = await start()
    const file = await archived(sandbox, ['child'])
    await post(sandbox, 'revive', { features: ['child'] })
    const sent = sandbox.writes().length
    const { code, stdout } = await restore(sandbox, late(file), [])
    expect([code, stdout]).toEqual([10, `project shop on S\nchild: ${unknown}\n`])
    expect(sandbox.writes()).toHaveLength(sent)
  })
})

describe('a service that does not list archived flags', () => {
  const live = { features: [{ name: 'idle', project: 'shop' }] }

  it.each<[string, [number, object]]>([
    ['because it ignores the filter', [200, live]],
    ['because it has no search', [404, { message: 'not found' }]],
  ])('is sent nothing, %s', async (_, answer) => {
    const sandbox = await gated(({ url }) =>
      url.includes('/search/features') ? answer : undefined,
    )
    const file = await archived(sandbox, ['child'])
    const sent = sandbox.writes().length
    expect(await restore(sandbox, file)).toMatchObject({
      code: 6,
      stderr:
        'error: project shop: the service does not list archived flags (Unleash does since 6.4)\nhint: the admin interface of the service lists them, and can revive them\n',
    })
    expect(sandbox.writes()).toHaveLength(sent)
  })
})
