import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { CANARY, flagadm, temporaryFolder } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag', '--json']
const userFile = 'home/.config/flagadm/config.yaml'

async function service() {
  return serve((response) => json(response, 200, someUsage))
}

function keysOf({ received }: Awaited<ReturnType<typeof service>>) {
  return received.map(({ headers }) => headers.authorization)
}

describe('address and key come', () => {
  test('from the environment', async () => {
    const server = await service()
    const { code } = await flagadm(usage, {
      env: { FLAGADM_BASE_URL: server.url, FLAGADM_API_KEY: CANARY },
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test('from --base-url and --api-key-file, which override the environment', async () => {
    const server = await service()
    const { code } = await flagadm([...usage, '--base-url', server.url, '--api-key-file', 'key'], {
      files: { 'work/key': `${CANARY}\n` },
      env: { FLAGADM_BASE_URL: 'http://127.0.0.1:1', FLAGADM_API_KEY: 'another-key' },
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test('from standard input with --api-key-file -', async () => {
    const server = await service()
    const { code } = await flagadm([...usage, '--base-url', server.url, '--api-key-file', '-'], {
      stdin: `${CANARY}\n`,
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test('from the default profile of the user configuration', async () => {
    const server = await service()
    const { code } = await flagadm(usage, {
      files: { [userFile]: `baseUrl: ${server.url}\napiKey: '${CANARY}'\n` },
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test('from the profile of defaultProfile', async () => {
    const server = await service()
    const profiles = { staging: { baseUrl: server.url, apiKey: CANARY } }
    const { code } = await flagadm(usage, {
      files: {
        'home/.config/flagadm/config.json': JSON.stringify({ defaultProfile: 'staging', profiles }),
      },
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test('from the profile that the project chooses, with the key of the user', async () => {
    const server = await service()
    const { code } = await flagadm(usage, {
      cwd: 'work/deep/down',
      files: {
        'work/.git/HEAD': '',
        'work/.flagadmrc': 'profile: staging\n',
        [userFile]: `profiles:\n  staging:\n    baseUrl: ${server.url}\n    apiKey: '${CANARY}'\n`,
      },
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test('from --profile, which overrides FLAGADM_PROFILE', async () => {
    const server = await service()
    const config = {
      profiles: {
        one: { baseUrl: 'http://127.0.0.1:1', apiKey: 'another-key' },
        two: { baseUrl: server.url, apiKey: CANARY },
      },
    }
    const { code } = await flagadm(['-p', 'two', ...usage], {
      env: { FLAGADM_PROFILE: 'one' },
      files: { [userFile]: JSON.stringify(config) },
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test('from the folder of XDG_CONFIG_HOME', async () => {
    const server = await service()
    const folder = await temporaryFolder({
      'flagadm/config.yml': `baseUrl: ${server.url}\napiKey: '${CANARY}'\n`,
    })
    const { code } = await flagadm(usage, { env: { XDG_CONFIG_HOME: folder } })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test('from the file of --config only', async () => {
    const server = await service()
    const { code } = await flagadm([...usage, '--config', 'own.yaml'], {
      files: {
        'work/own.yaml': `baseUrl: ${server.url}\napiKey: '${CANARY}'\n`,
        'work/.flagadmrc': 'not: a configuration\n',
        [userFile]: 'not: a configuration\n',
      },
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test.each([
    '.flagadmrc',
    '.flagadmrc.json',
    '.flagadmrc.yaml',
    '.flagadmrc.yml',
    'flagadm.config.json',
    'flagadm.config.yaml',
    'flagadm.config.yml',
  ])('from the project file %s when its profile contains the key', async (file) => {
    const server = await service()
    const { code } = await flagadm(usage, {
      files: { [`work/${file}`]: JSON.stringify({ baseUrl: server.url, apiKey: CANARY }) },
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test('from the field flagadm of package.json', async () => {
    const server = await service()
    const manifest = { name: 'x', flagadm: { baseUrl: server.url, apiKey: CANARY } }
    const { code } = await flagadm(usage, {
      files: { 'work/package.json': JSON.stringify(manifest) },
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })
})

describe('the key of a user profile comes', () => {
  test('from the variable of apiKeyEnv', async () => {
    const server = await service()
    const { code } = await flagadm(usage, {
      env: { STAGING_KEY: CANARY },
      files: { [userFile]: `baseUrl: ${server.url}\napiKeyEnv: STAGING_KEY\n` },
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test('from no inherited property with the name of its variable', async () => {
    const { code, stderr } = await flagadm(usage.slice(0, 3), {
      files: { [userFile]: 'baseUrl: https://a.test\napiKeyEnv: constructor\n' },
    })
    expect([code, stderr.split('\n')[0]]).toEqual([
      3,
      expect.stringMatching(
        /^error: apiKeyEnv of profile 'default': the environment variable constructor is not set$/,
      ),
    ])
  })

  test('from the file of apiKeyFile, relative to the configuration', async () => {
    const server = await service()
    const { code } = await flagadm(usage, {
      files: {
        [userFile]: `baseUrl: ${server.url}\napiKeyFile: staging.key\n`,
        'home/.config/flagadm/staging.key': `${CANARY}\r\n`,
      },
    })
    expect([code, keysOf(server)]).toEqual([0, [CANARY]])
  })

  test('from the first line that apiKeyCommand prints, whose stderr is shown', async () => {
    const server = await service()
    const script = `console.log('${CANARY}\\nsecond line'); console.error('unlocked')`
    const config = { baseUrl: server.url, apiKeyCommand: [process.execPath, '-e', script] }
    const { code, stderr } = await flagadm(usage.slice(0, 3), {
      files: { [userFile]: JSON.stringify(config) },
    })
    expect([code, keysOf(server), stderr]).toEqual([0, [CANARY], 'note: apiKeyCommand: unlocked\n'])
  })
})

test('--verbose shows the sources of address and key, without the key', async () => {
  const server = await service()
  const { stderr } = await flagadm([...usage.slice(0, 3), '--verbose'], {
    env: { FLAGADM_API_KEY: CANARY },
    files: { [userFile]: `baseUrl: ${server.url}\n` },
  })
  expect(stderr.split('\n')[0]).toBe(
    `debug: address ${server.url} from ~/.config/flagadm/config.yaml; API key from FLAGADM_API_KEY; profile default chosen by ~/.config/flagadm/config.yaml`,
  )
})

test('timeout and retries come from the option, then the environment, then the project, then the user', async () => {
  const server = await serve((response) => json(response, 503, {}))
  const world = {
    env: { FLAGADM_BASE_URL: server.url, FLAGADM_API_KEY: CANARY },
    files: { 'work/.flagadmrc': 'retries: 1\n', [userFile]: 'retries: 3\ntimeout: 8\n' },
    clock: patientClock().clock,
  }
  const attempts = async (argv: string[], env = {}) => {
    const before = server.received.length
    await flagadm(argv, { ...world, env: { ...world.env, ...env } })
    return server.received.length - before
  }
  expect([
    await attempts(usage),
    await attempts(usage, { FLAGADM_RETRIES: '0' }),
    await attempts([...usage, '--retries', '4'], { FLAGADM_RETRIES: '0' }),
  ]).toEqual([2, 1, 5])
})

test.each([
  ['the option', ['--timeout', '0.2s'], {}, ''],
  ['the environment', [], { FLAGADM_TIMEOUT: '0.2s' }, ''],
  ['a file', [], {}, 'timeout: 0.2s\n'],
])('%s accepts a timeout with a unit', async (_, argv, env, file) => {
  const server = await serve(() => {})
  const { code, stderr } = await flagadm(['feature', 'usage', 'f', ...argv, '--retries', '0'], {
    env: { FLAGADM_BASE_URL: server.url, FLAGADM_API_KEY: CANARY, ...env },
    files: { 'work/.flagadmrc': file },
  })
  expect([code, stderr.split('\n')[0]]).toEqual([
    8,
    `error: f: no complete response from ${server.url} within 0.2 s`,
  ])
})

test('settings missing from the project come from the user', async () => {
  const server = await serve((response) => json(response, 503, {}))
  const { code } = await flagadm(usage, {
    env: { FLAGADM_BASE_URL: server.url, FLAGADM_API_KEY: CANARY },
    files: { 'work/.flagadmrc': 'timeout: 8\n', [userFile]: 'retries: 4\n' },
    clock: patientClock().clock,
  })
  expect([code, server.received.length]).toEqual([8, 5])
})
