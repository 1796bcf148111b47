import { describe, expect, it, test } from 'vitest'
import { writes } from '../support/operations.ts'
import { CANARY, flagadm, type World } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag', '-o', 'jsonl']
const userFile = 'home/.config/flagadm/config.yaml'
const other = 'another-key-0123456789'

async function service() {
  return serve((response, { method }) =>
    method === 'GET' ? json(response, 200, someUsage) : response.end(),
  )
}

/** Runs with two services, a profile for each, and everything exported for the second. */
async function withExports(argv: readonly string[], keys = true, more: World['files'] = {}) {
  const [staging, production] = [await service(), await service()]
  const apiKey = keys ? [`, apiKey: ${other}`, `, apiKey: '${CANARY}'`] : ['', '']
  const profiles = `{staging: {baseUrl: ${staging.url}${apiKey[0]}}, production: {baseUrl: ${production.url}${apiKey[1]}}}`
  const outcome = await flagadm(argv, {
    env: {
      FLAGADM_BASE_URL: production.url,
      FLAGADM_API_KEY: CANARY,
      FLAGADM_PROFILE: 'production',
    },
    files: { [userFile]: `profiles: ${profiles}\n`, ...more },
  })
  const keysOf = ({ received }: typeof staging) =>
    received.map(({ headers }) => headers.authorization)
  return { ...outcome, staging, production, sent: [keysOf(staging), keysOf(production)] }
}

describe('a profile chosen with -p', () => {
  test('overrides FLAGADM_BASE_URL, FLAGADM_API_KEY and FLAGADM_PROFILE', async () => {
    const { code, sent } = await withExports(['-p', 'staging', ...usage])
    expect([code, sent]).toEqual([0, [[other], []]])
  })

  test('overrides them for writes', async () => {
    const argv = [
      'project',
      'settings',
      'set',
      'p',
      '--mode',
      'open',
      '--no-read',
      '--profile',
      'staging',
    ]
    const { code, stdout, sent, staging } = await withExports(argv)
    expect([code, sent]).toEqual([0, [[other], []]])
    expect(stdout).toBe(`Updated project p on staging, ${staging.url}\n  mode         open\n`)
  })

  test('uses FLAGADM_API_KEY if it has no key', async () => {
    const { code, sent } = await withExports(['-p', 'staging', ...usage], false)
    expect([code, sent]).toEqual([0, [[CANARY], []]])
  })

  test('is overridden by --api-key-file', async () => {
    const argv = ['-p', 'staging', '--api-key-file', 'key', ...usage]
    const { code, sent } = await withExports(argv, true, { 'work/key': 'a-third-key-0123456789' })
    expect([code, sent]).toEqual([0, [['a-third-key-0123456789'], []]])
  })

  test('does not send its key to --base-url', async () => {
    const server = await service()
    const argv = ['-p', 'staging', '--base-url', server.url, ...usage]
    const { code, stderr } = await withExports(argv)
    expect([code, server.received]).toEqual([3, []])
    expect(stderr).toBe(
      `error: the API key from apiKey is not sent to ${server.url} (from --base-url)\n` +
        'hint: specify both: --base-url and --api-key-file, or FLAGADM_BASE_URL and FLAGADM_API_KEY\n',
    )
  })
})

test('without -p, the environment overrides the configuration', async () => {
  const { code, sent } = await withExports(usage)
  expect([code, sent]).toEqual([0, [[], [CANARY]]])
})

/** A user with two profiles, in a repository that chooses one of them. */
const files = (url: string) => ({
  'work/.flagadmrc': 'profile: a\n',
  [userFile]: `profiles: {a: {baseUrl: ${url}, apiKey: '${CANARY}'}, b: {baseUrl: https://b.test}}\n`,
})

describe('--verbose shows the sources of address and key', () => {
  it.each<[string, string[], Record<string, string>, string, string]>([
    ['options', ['--api-key-file', 'key'], {}, '--base-url', '--api-key-file'],
    ['variables', [], { FLAGADM_API_KEY: CANARY }, '--base-url', 'FLAGADM_API_KEY'],
  ])('%s', async (_what, argv, env, from, keyFrom) => {
    const { url } = await service()
    const world = { env, files: { 'work/key': CANARY } }
    const { stderr } = await flagadm([...usage, '-v', '--base-url', url, ...argv], world)
    expect(stderr.split('\n')[0]).toBe(
      `debug: address ${url} from ${from}; API key from ${keyFrom}`,
    )
  })

  it.each<[string, Record<string, string>]>([
    ['./.flagadmrc', {}],
    ['FLAGADM_PROFILE', { FLAGADM_PROFILE: 'a' }],
  ])('a profile chosen by %s', async (chooser, env) => {
    const { url } = await service()
    const { stderr } = await flagadm([...usage, '-v'], { env, files: files(url) })
    expect(stderr.split('\n')[0]).toBe(
      `debug: address ${url} from ~/.config/flagadm/config.yaml; API key from apiKey; profile a chosen by ${chooser}`,
    )
  })
})

describe('a write', () => {
  test('is allowed with a profile that the environment chose', async () => {
    const { url } = await service()
    const set = ['project', 'settings', 'set', 'p', '--mode', 'open', '--no-read']
    const world = { env: { FLAGADM_PROFILE: 'a' }, files: files(url) }
    expect(await flagadm(set, world)).toMatchObject({
      code: 0,
      stdout: `Updated project p on a, ${url}\n  mode         open\n`,
    })
  })

  test('to an address from another source is reported without the profile', async () => {
    const { url } = await service()
    const set = ['project', 'settings', 'set', 'p', '--mode', 'open', '--no-read', '-p', 'a']
    const argv = [...set, '--base-url', url, '--api-key-file', 'key']
    const all = { ...files('https://a.test'), 'work/key': CANARY }
    expect(await flagadm(argv, { files: all })).toMatchObject({
      code: 0,
      stdout: `Updated project p on ${url}\n  mode         open\n`,
    })
  })
})

describe('without a chosen profile', () => {
  test('the only one is used', async () => {
    const server = await service()
    const { code, stdout } = await flagadm(usage.slice(0, 3), {
      files: {
        [userFile]: `profiles: {production: {baseUrl: ${server.url}, apiKey: '${CANARY}'}}\n`,
      },
    })
    expect([code, stdout.includes(`on production, ${server.url}`)]).toEqual([0, true])
  })

  test('several in a project file are listed', async () => {
    const { code, stderr } = await flagadm(usage, {
      files: {
        'work/.flagadmrc':
          'profiles: {a: {baseUrl: https://a.test}, b: {baseUrl: https://b.test}}\n',
      },
    })
    expect([code, stderr]).toEqual([
      3,
      'error: there are several profiles and no default\n' +
        'hint: choose one with -p or flagadm profile use\n',
    ])
  })

  test('several are listed', async () => {
    const { code, stderr } = await flagadm(usage, {
      files: {
        [userFile]: 'profiles: {a: {baseUrl: https://a.test}, b: {baseUrl: https://b.test}}\n',
      },
    })
    expect([code, stderr]).toEqual([
      3,
      'error: there are several profiles and no default\n' +
        'hint: choose one with -p or flagadm profile use\n',
    ])
  })
})

describe('a write with a profile that a project file chose', () => {
  const set = ['project', 'settings', 'set', 'p', '--mode', 'open']
  const blind = [...set, '--no-read', '--quiet']

  /** A user with one key, in a repository that chooses the profile. */
  async function inRepository(argv: readonly string[], env = {}) {
    const server = await service()
    const profile = `{baseUrl: ${server.url}, apiKey: '${CANARY}'}`
    const outcome = await flagadm(argv, {
      env,
      files: {
        'work/.flagadmrc': 'profile: my-profile\n',
        [userFile]: `profiles: {my-profile: ${profile}}\n`,
      },
    })
    return { ...outcome, server }
  }

  test('is refused', async () => {
    const { code, stdout, stderr, server } = await inRepository(set)
    expect([code, stdout, server.received]).toEqual([3, '', []])
    expect(stderr).toBe(
      "error: project p: profile 'my-profile' was chosen by ./.flagadmrc, so it can only be used for reading\n" +
        'hint: choose it yourself with -p my-profile\n',
    )
  })

  test.each(writes)('is refused before it asks: %s', async (_name, { argv }) => {
    const { code, stderr, server } = await inRepository(argv.filter((arg) => arg !== '--yes'))
    expect([code, server.received]).toEqual([3, []])
    expect(stderr).toContain('so it can only be used for reading')
  })

  test.each([
    ['with -p', ['-p', 'my-profile', ...blind], {}],
    ['with FLAGADM_PROFILE', blind, { FLAGADM_PROFILE: 'my-profile' }],
    ['for reading', usage, {}],
  ])('is allowed %s', async (_when, argv, env) => {
    const { code, stderr, server } = await inRepository(argv, env)
    expect([code, stderr, server.received.length]).toEqual([0, '', 1])
  })
})

describe('an address and a literal key in one file of a project', () => {
  const write = ['project', 'settings', 'set', 'p', '--mode', 'protected', '--no-read', '--quiet']

  it.each([
    ['.flagadmrc.json', (pair: object) => JSON.stringify(pair)],
    ['.flagadmrc.json', (pair: object) => JSON.stringify({ profiles: { a: pair } })],
    ['.flagadmrc.json', (pair: object) => JSON.stringify({ profile: 'a', profiles: { a: pair } })],
    ['package.json', (pair: object) => JSON.stringify({ name: 'shop', flagadm: pair })],
    ['.flagadmrc', (pair: object) => JSON.stringify(pair)],
  ])('are used for reads and writes without -p: %s', async (file, textOf) => {
    const server = await service()
    const files = { [`work/${file}`]: textOf({ baseUrl: server.url, apiKey: CANARY }) }
    for (const argv of [usage, write]) {
      const { code, stderr } = await flagadm(argv, { files })
      expect([code, stderr]).toEqual([0, ''])
    }
    expect(server.received.map(({ method, headers }) => [method, headers.authorization])).toEqual([
      ['GET', CANARY],
      ['PUT', CANARY],
    ])
  })

  it('are used from a folder inside the repository', async () => {
    const server = await service()
    const pair = JSON.stringify({ baseUrl: server.url, apiKey: CANARY })
    const files = { 'work/.flagadmrc.json': pair, 'work/.git/HEAD': '' }
    const { code } = await flagadm(write, { files, cwd: 'work/src/app' })
    expect([code, server.received.length]).toEqual([0, 1])
  })

  it('are used for a write if the default of the user is that profile', async () => {
    const server = await service()
    const { code } = await flagadm(write, {
      files: {
        'work/.flagadmrc': `profiles: {a: {baseUrl: ${server.url}, apiKey: '${CANARY}'}}\n`,
        [userFile]: 'defaultProfile: a\nprofiles: {b: {baseUrl: https://b.test}}\n',
      },
    })
    expect([code, server.received.length]).toEqual([0, 1])
  })

  it('do not belong to the user, so the user chooses with -p or FLAGADM_PROFILE', async () => {
    const [theirs, mine] = [await service(), await service()]
    const world = {
      files: {
        'work/.flagadmrc': `baseUrl: ${theirs.url}\napiKey: ${other}\n`,
        [userFile]: `profiles: {own: {baseUrl: ${mine.url}, apiKey: '${CANARY}'}}\n`,
      },
    }
    expect((await flagadm([...write, '-p', 'own'], world)).code).toBe(0)
    expect((await flagadm(write, { ...world, env: { FLAGADM_PROFILE: 'own' } })).code).toBe(0)
    expect([theirs.received.length, mine.received.length]).toEqual([0, 2])
  })

  it.each([
    ['FLAGADM_BASE_URL', [], { FLAGADM_BASE_URL: 'https://elsewhere.test' }],
    ['--base-url', ['--base-url', 'https://elsewhere.test'], {}],
    ['--base-url', ['-p', 'default', '--base-url', 'https://elsewhere.test'], {}],
  ])('do not part: the key is not sent to the address of %s', async (name, argv, env) => {
    const files = { 'work/.flagadmrc': `baseUrl: https://a.test\napiKey: '${CANARY}'\n` }
    const { code, stderr } = await flagadm([...write, ...argv], { env, files })
    expect([code, stderr.split('\n')[0]]).toEqual([
      3,
      `error: the API key from apiKey is not sent to https://elsewhere.test (from ${name})`,
    ])
  })

  it.each([
    ['FLAGADM_API_KEY', [], { FLAGADM_API_KEY: other }],
    ['--api-key-file', ['--api-key-file', 'key'], {}],
  ])('do not part: the key from %s is not sent to the address', async (name, argv, env) => {
    const server = await service()
    const files = {
      'work/key': other,
      'work/.flagadmrc': `baseUrl: ${server.url}\napiKey: '${CANARY}'\n`,
    }
    const { code, stderr } = await flagadm([...usage, ...argv], { env, files })
    expect([code, stderr, server.received]).toEqual([
      3,
      `error: the API key from ${name} is not sent to ${server.url} (from ./.flagadmrc)\n` +
        'hint: specify both: --base-url and --api-key-file, or FLAGADM_BASE_URL and FLAGADM_API_KEY\n',
      [],
    ])
  })
})

test.each([
  ['FLAGADM_API_KEY', []],
  ['--api-key-file', ['--api-key-file', 'key']],
])('a key from %s is not sent to a profile that a project file chose', async (name, argv) => {
  const server = await service()
  const world = {
    env: argv.length === 0 ? { FLAGADM_API_KEY: CANARY } : {},
    files: {
      'work/.flagadmrc': 'profile: a\n',
      'work/key': CANARY,
      [userFile]: `profiles: {a: {baseUrl: ${server.url}}, b: {baseUrl: https://b.test}}\n`,
    },
  }
  const { code, stderr } = await flagadm([...usage, ...argv], world)
  expect([code, server.received]).toEqual([3, []])
  expect(stderr).toBe(
    `error: the API key from ${name} is not sent to ${server.url} (from ~/.config/flagadm/config.yaml)\n` +
      'hint: specify both: --base-url and --api-key-file, or FLAGADM_BASE_URL and FLAGADM_API_KEY\n',
  )
  expect((await flagadm([...usage, ...argv, '-p', 'a'], world)).code).toBe(0)
})

describe('NODE_DEBUG', () => {
  test.each(['http', 'fs,TLS', '*', 'ht*p'])(
    'with the value %s makes flagadm refuse to send a key',
    async (value) => {
      const server = await service()
      const env = { FLAGADM_BASE_URL: server.url, FLAGADM_API_KEY: CANARY, NODE_DEBUG: value }
      const { code, stderr } = await flagadm(usage, { env })
      expect([code, stderr, server.received]).toEqual([
        3,
        'error: the API key is not sent: NODE_DEBUG would print it\n' +
          'hint: unset NODE_DEBUG, or remove http, https, net and tls from it\n',
        [],
      ])
    },
  )

  test('with the value fs does not stop the key from being sent', async () => {
    const server = await service()
    const env = { FLAGADM_BASE_URL: server.url, FLAGADM_API_KEY: CANARY, NODE_DEBUG: 'fs' }
    expect((await flagadm(usage, { env })).code).toBe(0)
  })

  test('does not stop the key of the embedded sandbox, which is public', async () => {
    const argv = ['feature', 'usage', 'dark-mode', '-p', 'sandbox']
    expect((await flagadm(argv, { env: { NODE_DEBUG: 'http' } })).code).toBe(0)
  })
})
