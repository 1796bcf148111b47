import { describe, expect, it, test } from 'vitest'
import type { Seed, SeedFlag } from '../../src/sandbox/seed.ts'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { type Instead, relay } from '../support/relay.ts'
import { anonymous, sandboxOf, type TestSandbox } from '../support/sandbox.ts'
import type { Received } from '../support/server.ts'

const projects: Seed['projects'] = ['shop', 'other'].map((id) => ({ id, mode: 'open' }))
const gradual = {
  name: 'flexibleRollout',
  parameters: { rollout: '25' },
  segments: [1],
}

/** A flag that is on in some environments, and has a strategy in all. */
function flag(name: string, on: readonly string[] = [], more: Partial<SeedFlag> = {}): SeedFlag {
  const environments = ['production', 'staging'].map((one) => {
    return { name: one, enabled: on.includes(one), strategies: [gradual] }
  })
  return { name, project: 'shop', createdAt: '2024-01-01T00:00:00Z', environments, ...more }
}

const bare = [
  { name: 'production', enabled: false, strategies: [{ name: 'default', disabled: true }] },
  { name: 'staging', enabled: true, strategies: [] },
]

const seed: Seed = {
  projects,
  segments: [{ id: 1, name: 'beta' }],
  flags: [
    flag('pay', ['production', 'staging'], {
      usage: [
        { appName: 'web', environment: 'production', yes: 390, no: 610 },
        { appName: 'api', environment: 'production', yes: 0, no: 1 },
      ],
    }),
    flag('cards', ['production'], { dependencies: [{ feature: 'pay' }] }),
    flag('idle'),
    flag('bare', [], { environments: bare }),
    flag('gone', [], { archived: true }),
    flag('foreign', ['production'], { project: 'other' }),
  ],
}

const start = () => sandboxOf(projects, { seed })

/** Runs `feature …` on a sandbox. */
async function feature(sandbox: TestSandbox, argv: readonly string[], world: World = {}) {
  const env = { ...sandbox.env, NO_COLOR: '1' }
  const { clock } = patientClock(sandbox.now())
  return anonymous(sandbox, await flagadm(['feature', ...argv], { env, clock, ...world }))
}

const shop = ['--project', 'shop', '-e', 'production']
const now = [...shop, '--yes']

/** Where a flag is on. */
async function placesOf({ url, keys }: TestSandbox, name: string, project = 'shop') {
  const path = `/api/admin/projects/${project}/features/${name}`
  const response = await fetch(`${url}${path}`, { headers: { Authorization: keys.full } })
  const { environments }: { environments: { name: string; enabled: boolean }[] } = JSON.parse(
    await response.text(),
  )
  return environments.flatMap((one) => (one.enabled ? [one.name] : []))
}

describe('feature off', () => {
  it('switches a flag off, reads it back, and shows the way back', async () => {
    const sandbox = await start()
    expect(await feature(sandbox, ['off', 'pay', ...now])).toMatchObject({
      code: 0,
      stdout: `project shop on S
pay in production: switched off
Flags that need it on evaluate to off as well, where they are on: cards
To undo:
  flagadm feature on --project shop -e production pay
`,
      stderr: '',
    })
    const path = '/api/admin/projects/shop/features/pay'
    expect(sandbox.requests()).toEqual([
      `GET ${path} 200`,
      `POST ${path}/environments/production/off 200`,
      `GET ${path} 200`,
      'GET /api/admin/ui-config 200',
    ])
    expect(await placesOf(sandbox, 'pay')).toEqual(['staging'])
    const undone = await feature(sandbox, ['on', 'pay', ...now])
    expect(undone.code).toBe(0)
    expect(await placesOf(sandbox, 'pay')).toEqual(['production', 'staging'])
  })

  it('switches several flags with one request for each environment, in the given order', async () => {
    const sandbox = await start()
    const argv = ['off', 'pay', 'cards', 'idle', '--project', 'shop', '--yes']
    const outcome = await feature(sandbox, [...argv, '-e', 'staging', '-e', 'production'])
    expect(outcome).toMatchObject({
      code: 0,
      stdout: `project shop on S
pay in staging: switched off
cards in staging: unchanged: off already
idle in staging: unchanged: off already
pay in production: switched off
cards in production: switched off
idle in production: unchanged: off already
To undo:
  flagadm feature on --project shop -e staging pay
  flagadm feature on --project shop -e production pay cards
`,
    })
    expect(sandbox.writes()).toEqual([
      'POST /api/admin/projects/shop/features/pay/environments/staging/off 200',
      'POST /api/admin/projects/shop/bulk_features/environments/production/off 200',
    ])
  })

  it('sends nothing for flags that are off', async () => {
    const sandbox = await start()
    expect(await feature(sandbox, ['off', 'idle', ...shop])).toMatchObject({
      code: 0,
      stdout: 'project shop on S\nidle in production: unchanged: off already\n',
    })
    expect(sandbox.writes()).toEqual([])
  })

  it('shows before the question what the flag does', async () => {
    const sandbox = await start()
    const question =
      'pay is on in production (gradual rollout 25%, segment beta): 1,707 evaluations since 09:00 UTC by api, web, 39.0% on. Switch it off in production on http://'
    const { code, stderr } = await feature(sandbox, ['off', 'pay', ...shop], {
      dialog: [[question, 'y\r']],
      dialogColumns: 300,
    })
    expect(code).toBe(0)
    expect(stderr).toContain('Flags that need it on evaluate to off as well: cards\n')
    expect(await placesOf(sandbox, 'pay')).toEqual(['staging'])
  })

  it('shows before the question what several flags do', async () => {
    const sandbox = await start()
    const { code, stderr } = await feature(sandbox, ['off', 'pay', 'cards', ...shop], {
      dialog: [['Switch off 2 flags in production on http://', 'n']],
      dialogColumns: 300,
    })
    expect(code).toBe(130)
    expect(
      stderr,
    ).toContain(`pay is on in production (gradual rollout 25%, segment beta): 1,707 evaluations since 09:00 UTC by api, web, 39.0% on
cards is on in production (gradual rollout 25%, segment beta): no evaluations reported since 09:00 UTC
`)
    expect(sandbox.writes()).toEqual([])
  })

  it('does not name flags that depend on it but are off already', async () => {
    const sandbox = await start()
    const argv = ['off', 'pay', '--project', 'shop', '-e', 'staging', '--dry-run']
    const { stdout } = await feature(sandbox, argv)
    expect(stdout).not.toContain('SDKs get off')
    expect(sandbox.requests()).toContain('GET /api/admin/projects/shop/features 200')
  })

  it('names flags that depend on it if the list of the project is wrong', async () => {
    const argv = ['off', 'pay', '--project', 'shop', '-e', 'staging', '--dry-run']
    const { stdout } = await throughRelay(argv, ({ url }) =>
      url.endsWith('/shop/features') ? [200, { features: [] }] : undefined,
    )
    expect(stdout).toContain(
      'Flags that need it on evaluate to off as well, where they are on: cards\n',
    )
  })

  it('needs no project for one flag, which it searches for', async () => {
    const sandbox = await start()
    const outcome = await feature(sandbox, ['off', 'foreign', '-e', 'production', '--yes'])
    expect(outcome.stdout).toMatch(/^project other on S\nforeign in production: switched off\n/)
    expect(sandbox.requests()[0]).toBe('GET /api/admin/search/features 200')
  })

  it('takes names from a list', async () => {
    const sandbox = await start()
    const argv = ['off', '--names-from', '-', ...now]
    expect((await feature(sandbox, argv, { stdin: 'pay\ncards\n' })).code).toBe(0)
    expect(sandbox.writes()).toHaveLength(1)
  })

  it('shows the requests of a dry run', async () => {
    const sandbox = await start()
    expect(await feature(sandbox, ['off', 'pay', ...shop, '--dry-run'])).toMatchObject({
      code: 0,
      stdout: `project shop on S
pay: on in production (gradual rollout 25%, segment beta): 1,707 evaluations since 09:00 UTC by api, web, 39.0% on
Flags that need it on evaluate to off as well: cards

POST S/api/admin/projects/shop/features/pay/environments/production/off
`,
      stderr: 'note: dry run: nothing was sent\n',
    })
    expect(sandbox.writes()).toEqual([])
  })

  it('prints JSON', async () => {
    const sandbox = await start()
    const { stdout } = await feature(sandbox, ['off', 'pay', 'idle', ...now, '--json'])
    expect(JSON.parse(stdout)).toEqual({
      projectId: 'shop',
      baseUrl: 'S',
      dryRun: false,
      flags: [
        {
          flag: 'pay',
          environment: 'production',
          status: 'off',
          added: [],
          dependents: ['cards'],
        },
        {
          flag: 'idle',
          environment: 'production',
          status: 'unchanged',
          reason: 'off already',
          added: [],
          dependents: [],
        },
      ],
      undo: ['flagadm feature on --project shop -e production pay'],
    })
  })

  it('says that switching on again would add a strategy', async () => {
    const sandbox = await start()
    const argv = ['off', 'bare', '--project', 'shop', '-e', 'staging', '--yes']
    expect((await feature(sandbox, argv)).stdout).toBe(`project shop on S
bare in staging: switched off
No strategy was enabled, so switching on again would add one: bare in staging
`)
  })

  test.each<[string, string[], number, string]>([
    [
      'an unknown name',
      ['off', 'pya', ...now],
      6,
      'error: pya: not a flag of project shop; did you mean pay?\n',
    ],
    [
      'one of several names that is archived',
      ['off', 'pay', 'gone', ...now],
      6,
      'error: nothing was switched: 1 of 2 flags cannot be: gone: archived in project shop\n',
    ],
    [
      'a flag of another project',
      ['off', 'foreign', ...now],
      6,
      'error: foreign: not a flag of project shop, but of project other (--project other)\n',
    ],
    [
      'an unknown environment',
      ['off', 'pay', '--project', 'shop', '-e', 'prodution', '--yes'],
      6,
      "error: unknown environment 'prodution' (known: production, staging)\nhint: did you mean 'production'?\n",
    ],
    [
      'environments in one value',
      ['off', 'pay', '--project', 'shop', '-e', 'production,staging', '--yes'],
      6,
      "error: unknown environment 'production,staging' (known: production, staging)\nhint: repeat the option for each name\n",
    ],
    [
      'an unknown name without a project',
      ['off', 'pya', '-e', 'production', '--yes'],
      6,
      'error: pya: no flag has this name\nhint: check the name, or use --project <id>\n',
    ],
    [
      'several names without a project',
      ['off', 'pay', 'cards', '-e', 'production', '--yes'],
      2,
      'error: --project is required with several names\nhint: use --project <id>\n',
    ],
    ['a pattern', ['off', 'p*', ...now], 2, "error: 'p*' is a pattern\nhint: pass whole names\n"],
    [
      'no names',
      ['off', ...now],
      2,
      'error: no flag names given\nhint: pass names, or use --names-from\n',
    ],
    [
      'no terminal to ask on',
      ['off', 'pay', ...shop],
      2,
      'error: confirmation required: this switches pay in production off\nhint: run the command on a terminal, or use --yes\n',
    ],
  ])('refuses %s', async (_, argv, code, stderr) => {
    const sandbox = await start()
    expect(await feature(sandbox, argv)).toMatchObject({ code, stderr, stdout: '' })
    expect(sandbox.writes()).toEqual([])
  })
})

describe('feature on', () => {
  it('says before the question what the strategies do', async () => {
    const sandbox = await start()
    const question =
      'idle is off in production (gradual rollout 25%, segment beta): no evaluations reported since 09:00 UTC. Switch it on in production on http://'
    const { code } = await feature(sandbox, ['on', 'idle', ...shop], {
      dialog: [[question, 'y\r']],
      dialogColumns: 300,
    })
    expect(code).toBe(0)
    expect(await placesOf(sandbox, 'idle')).toEqual(['production'])
  })

  it('is refused where Unleash would add a strategy', async () => {
    const sandbox = await start()
    expect(await feature(sandbox, ['on', 'bare', 'idle', ...now])).toMatchObject({
      code: 9,
      stdout: `project shop on S
bare in production: refused: off in production (no strategy is enabled: Unleash adds gradual rollout 100%, for everyone): no evaluations reported since 09:00 UTC
idle in production: refused: off in production (gradual rollout 25%, segment beta): no evaluations reported since 09:00 UTC
`,
      stderr:
        'error: nothing was switched on: no strategy is enabled for bare in production, so Unleash would add one (gradual rollout 100%, for everyone)\nhint: use --add-strategy if that is wanted\n',
    })
    expect(sandbox.writes()).toEqual([])
  })

  it('reports the strategy that was added', async () => {
    const sandbox = await start()
    expect(await feature(sandbox, ['on', 'bare', ...now, '--add-strategy'])).toMatchObject({
      code: 0,
      stdout: `project shop on S
bare in production: switched on; Unleash added gradual rollout 100%
Switching off does not remove the added strategy: bare in production
To undo:
  flagadm feature off --project shop -e production bare
`,
    })
  })
})

/** Runs `feature …` on a sandbox behind a server that may answer in its place. */
async function throughRelay(
  argv: readonly string[],
  respond: (request: Received, sandbox: TestSandbox) => Instead | Promise<Instead>,
  world: World = {},
) {
  const sandbox = await start()
  const answers = new Map<Received, Instead>()
  const server = await relay(sandbox.url, (request) => {
    const answer = respond(request, sandbox)
    if (answer instanceof Promise) throw new Error('not supported')
    answers.set(request, answer)
    return answer
  })
  const env = { ...environment(server.url, sandbox.keys.full), NO_COLOR: '1' }
  const { clock } = patientClock(sandbox.now())
  const outcome = await flagadm(['feature', ...argv], { env, clock, ...world })
  const asked = server.received.map(({ method, url }) => `${method} ${url}`)
  return { sandbox, asked, ...anonymous(server, outcome) }
}

const isSwitch = ({ method }: Received) => method === 'POST'

describe('a switch that fails', () => {
  const skip =
    'You don\'t have the required permissions to perform this operation. You need the "SKIP_CHANGE_REQUEST" permission.'
  const refused: Instead = [403, { name: 'PermissionError', message: skip }]

  it('has a hint about change requests', async () => {
    const { code, stdout, stderr } = await throughRelay(['off', 'pay', ...now], (request) =>
      isSwitch(request) ? refused : undefined,
    )
    expect(code).toBe(5)
    expect(stdout).toBe(
      `project shop on S\npay in production: failed: 403 PermissionError: ${skip}\n`,
    )
    expect(stderr).toBe(
      `error: project shop: pay: 403 PermissionError: ${skip}\nhint: this environment requires change requests: request the change in Unleash\n`,
    )
  })

  it('stops before the next environment', async () => {
    const argv = ['off', 'cards', 'pay', '--project', 'shop', '--yes']
    const environments = ['staging', 'production'].flatMap((one) => ['-e', one])
    const outcome = await throughRelay([...argv, ...environments], (request) =>
      isSwitch(request) && request.url.includes('staging') ? refused : undefined,
    )
    expect(outcome).toMatchObject({
      code: 5,
      stdout: `project shop on S
cards in staging: unchanged: off already
pay in staging: failed: 403 PermissionError: ${skip}
cards in production: left: not sent, because an earlier request failed
pay in production: left: not sent, because an earlier request failed
`,
      stderr: 'error: 1 of 2 requests failed\n',
    })
    expect(outcome.asked.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  })

  it('shows how to undo what was done before', async () => {
    const argv = ['off', 'pay', '--project', 'shop', '--yes', '-e', 'staging', '-e', 'production']
    const outcome = await throughRelay(argv, (request) =>
      isSwitch(request) && request.url.includes('production') ? refused : undefined,
    )
    expect(outcome).toMatchObject({
      code: 10,
      stdout: `project shop on S
pay in staging: switched off
pay in production: failed: 403 PermissionError: ${skip}
Flags that need it on evaluate to off as well, where they are on: cards
To undo:
  flagadm feature on --project shop -e staging pay
`,
      stderr: 'error: 1 of 2 requests failed\n',
    })
  })
})

describe('what cannot be read', () => {
  it('is said in the question, is not tried again, and stops nothing', async () => {
    const isSlow = ({ url }: Received) => /raw\?|segments|ui-config|overview/.test(url)
    const question =
      'pay is on in production (gradual rollout 25%, segment 1): its usage could not be read (503: overloaded). Switch it off in'
    const { code, stderr, asked, sandbox } = await throughRelay(
      ['off', 'pay', ...shop],
      (request) => (isSlow(request) ? [503, { message: 'overloaded' }] : undefined),
      { dialog: [[question, 'y\r']], dialogColumns: 300 },
    )
    expect(code).toBe(0)
    expect(stderr).toContain(
      'warning: it could not be read whether change requests stop this key\n',
    )
    expect(asked.filter((line) => line.includes('raw?'))).toHaveLength(1)
    expect(asked.filter((line) => line.includes('ui-config'))).toHaveLength(1)
    expect(await placesOf(sandbox, 'pay')).toEqual(['staging'])
  })

  it('is not asked for again for other flags after a failure of the connection', async () => {
    const argv = ['off', 'pay', 'cards', ...shop, '--dry-run', '--concurrency', '1']
    const { stdout, asked } = await throughRelay(argv, ({ url }) =>
      url.includes('raw?') ? [401, { message: 'no' }] : undefined,
    )
    expect(
      stdout,
    ).toContain(`pay: on in production (gradual rollout 25%, segment beta): its usage could not be read (401: no)
cards: on in production (gradual rollout 25%, segment beta): its usage could not be read (401: no)
`)
    expect(asked.filter((line) => line.includes('raw?'))).toHaveLength(1)
  })
})

describe('a search for the project that fails', () => {
  const without = 'with --project <id>, the flag is not searched for'

  test.each<[string, Instead, string[], number, string]>([
    [
      'takes too long',
      [504, { name: 'Timeout', message: 'no answer' }],
      ['--retries', '0'],
      8,
      `error: pay: 504 Timeout: no answer\nhint: try again later; ${without}\n`,
    ],
    [
      'is not permitted',
      [403, { name: 'NoAccessError', message: 'no' }],
      [],
      5,
      `error: pay: 403 NoAccessError: no\nhint: use a key that has this permission; ${without}\n`,
    ],
  ])('because it %s has a hint about that', async (_, answer, options, code, stderr) => {
    const argv = ['off', 'pay', '-e', 'production', '--yes', ...options]
    const outcome = await throughRelay(argv, ({ url }) =>
      url.includes('search/features') ? answer : undefined,
    )
    expect(outcome).toMatchObject({ code, stderr, stdout: '' })
  })
})

describe('on Enterprise', () => {
  const respond = ({ url }: Received): Instead =>
    url.endsWith('/ui-config') ? [200, { version: '8.2.0', environment: 'Enterprise' }] : undefined

  it('the question says that change requests do not stop an admin key', async () => {
    const { code, stderr } = await throughRelay(['off', 'pay', ...shop], respond, {
      dialog: [['Switch it off in', 'n']],
      dialogColumns: 300,
    })
    expect(code).toBe(130)
    expect(stderr).toContain('warning: this key is not stopped by change requests\n')
  })

  it('a note says it after a switch without a question', async () => {
    const { code, stderr, asked } = await throughRelay(['off', 'pay', ...now], respond)
    expect([code, stderr]).toEqual([0, 'note: this key is not stopped by change requests\n'])
    expect(asked.map((line) => line.replace(/\/api\/admin\/(projects\/shop\/)?/, ''))).toEqual([
      'GET features/pay',
      'POST features/pay/environments/production/off',
      'GET features/pay',
      'GET ui-config',
      'GET user',
    ])
  })

  it('nothing is said about a key that they stop', async () => {
    const { stderr } = await throughRelay(['off', 'pay', ...now], (request) =>
      request.url.endsWith('/user')
        ? [200, { user: {}, permissions: [{ permission: 'UPDATE_FEATURE_ENVIRONMENT' }] }]
        : respond(request),
    )
    expect(stderr).toBe('')
  })
})

describe('a change during the question', () => {
  /** Answers yes after a request that someone else makes meanwhile. */
  const meanwhile = (sandbox: TestSandbox, path: string, question: string): World => ({
    dialog: [
      [
        question,
        async () => {
          const headers = { Authorization: sandbox.keys.full }
          await fetch(`${sandbox.url}/api/admin/projects/shop/features/${path}`, {
            method: 'POST',
            headers,
          })
          return 'y\r'
        },
      ],
    ],
    dialogColumns: 300,
  })

  it('by someone who switches the flag off as well, leaves nothing to do', async () => {
    const sandbox = await start()
    const world = meanwhile(sandbox, 'pay/environments/production/off', 'Switch it off in')
    expect(await feature(sandbox, ['off', 'pay', ...shop], world)).toMatchObject({
      code: 0,
      stdout: 'project shop on S\npay in production: unchanged: off already\n',
    })
    expect(sandbox.writes()).toHaveLength(1)
  })

  it('of the strategies leaves the flag off', async () => {
    const sandbox = await start()
    const other = { name: 'default', parameters: {} }
    let documents = 0
    const server = await relay(
      sandbox.url,
      () => undefined,
      ({ url }, text) => {
        if (!url.endsWith('/features/idle') || ++documents < 2) return text
        const { environments, ...document } = JSON.parse(text)
        const changed = environments.map((one: object) => ({ ...one, strategies: [other] }))
        return JSON.stringify({ ...document, environments: changed })
      },
    )
    const env = { ...environment(server.url, sandbox.keys.full), NO_COLOR: '1' }
    const { clock } = patientClock(sandbox.now())
    const dialog = [['Switch it on in', 'y\r']] as const
    const world = { env, clock, dialog, dialogColumns: 300 }
    const { code, stdout, stderr } = await flagadm(['feature', 'on', 'idle', ...shop], world)
    expect(code).toBe(9)
    expect(stdout).toContain('idle in production: left: changed since the question\n')
    expect(stderr).toContain(
      'error: 1 flag left as is, because of changes since the question: idle in production\nhint: run it again\n',
    )
    expect(sandbox.writes()).toEqual([])
  })
})
