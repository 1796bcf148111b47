import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'
import { loadCommands } from '../support/program.ts'
import { hostileFileName, hostileText, KEY } from './hostile.ts'
import { expectSound, type Kind } from './sound.ts'

const { all } = await loadCommands()
const { formats = [] } = all.find(({ path }) => path === 'flagadm feature usage') ?? {}

const nowhere = environment('http://127.0.0.1:1', KEY)

async function run(argv: readonly string[], world: World, kind?: Kind) {
  const outcome = await flagadm(['--no-color', ...argv], { env: nowhere, ...world })
  expectSound(outcome, kind)
  return outcome
}

const rule = fc.record({ pattern: hostileText, example: hostileText, description: hostileText })
const texts = fc.array(hostileText, { minLength: 1, maxLength: 4 })

test('a project id and settings of any text are sent or refused', async () => {
  const { url } = await serve((response) => response.end())
  const modes = fc.oneof(fc.constant('open'), hostileText)
  const more = fc.constantFrom(
    ...[['--json'], ['--dry-run'], ['--dry-run', '--json'], ['--no-verify'], ['--verbose']],
  )
  await fc.assert(
    fc.asyncProperty(hostileText, modes, rule, more, async (id, mode, naming, options) => {
      const given = [
        ...[`--mode=${mode}`, `--naming-pattern=${naming.pattern}`],
        ...[`--naming-example=${naming.example}`, `--naming-description=${naming.description}`],
      ]
      const argv = ['project', 'settings', 'set', ...options, ...given, '--', id]
      await run(argv, { env: environment(url, KEY) })
    }),
  )
})

test('settings of any text in a file of any name are sent or refused', async () => {
  const { url } = await serve((response) => response.end())
  await fc.assert(
    fc.asyncProperty(hostileText, rule, hostileFileName, async (mode, featureNaming, name) => {
      const files = { [`work/${name}`]: stringify({ mode, featureNaming }) }
      const argv = ['project', 'settings', 'set', 'p', '--no-verify', '--no-read']
      const given = [...argv, `--file=./${name}`]
      const { code } = await run(given, { files, env: environment(url, KEY) })
      expect(code).toBe(0)
    }),
  )
})

test('the usage of flags of any name is read in every format', async () => {
  const { url } = await serve((response, { url: path }) =>
    path.length % 3 === 0
      ? json(response, 404, { message: `no ${path}` })
      : json(response, 200, someUsage),
  )
  const shapes = fc.constantFrom(...formats.map((name) => ['-o', name]), ['--expect', 'used'])
  await fc.assert(
    fc.asyncProperty(texts, texts, shapes, async (names, listed, shape) => {
      const argv = ['feature', 'usage', ...shape, '--names-from', 'names', '--', ...names]
      const kinds: Record<string, Kind> = { csv: 'csv', json: 'json' }
      const world = { files: { 'work/names': listed.join('\n') }, env: environment(url, KEY) }
      await run(argv, { ...world, clock: patientClock().clock }, kinds[shape[1] ?? ''])
    }),
  )
})

test('profiles, addresses and variables of any text are used or refused', async () => {
  const profile = fc.record({ name: hostileText, other: hostileText })
  const address = fc
    .tuple(
      fc.constantFrom(
        '',
        'http://127.0.0.1:1/',
        'https://',
        'http://',
        'ftp://',
        'http://127.0.0.1:',
      ),
      hostileText,
      fc.constantFrom('', '.invalid', '/api', '?a#b'),
    )
    .map((parts) => parts.join(''))
    .filter((text) => !URL.canParse(text) || isNear(new URL(text).hostname))
  const variables = fc.constantFrom(
    ...['FLAGADM_TIMEOUT', 'FLAGADM_RETRIES', 'FLAGADM_CONFIG', 'FLAGADM_PROFILE', 'NO_COLOR'],
    ...['XDG_CONFIG_HOME', 'TERM', 'FLAGADM_BASE_URL'],
  )
  const more = fc.constantFrom([], ['--json'], ['--verbose'], ['--allow-http'])
  await fc.assert(
    fc.asyncProperty(
      ...[profile, address, variables, hostileText, more],
      async ({ name, other }, baseUrl, variable, value, options) => {
        const config = { profiles: { [name]: { baseUrl, apiKeyEnv: 'FLAGADM_API_KEY' } } }
        const files = { 'home/.config/flagadm/config.json': JSON.stringify(config) }
        const env = { ...nowhere, FLAGADM_RETRIES: '0', [variable]: value }
        const set = ['project', 'settings', 'set', 'p', '--mode', 'open', ...options]
        await run([...set, `--profile=${name}`], { files, env })
        await run([...set, `--profile=${other}`, '--dry-run'], { files, env })
        await run([...set, `--base-url=${baseUrl}`, '--dry-run'], { files, env })
      },
    ),
  )
})

/** Whether a host is this machine or does not exist. */
function isNear(host: string): boolean {
  return host === '127.0.0.1' || host.endsWith('.invalid')
}
