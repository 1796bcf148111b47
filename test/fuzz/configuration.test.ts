import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CANARY, flagadm, type World } from '../support/flagadm.ts'
import { documentFor } from '../support/operations.ts'
import { json, serve, someUsage } from '../support/server.ts'
import { hostileText, KEY } from './hostile.ts'
import { almostArray, almostObject, jsonText } from './json.ts'
import { expectSound, kindOf } from './sound.ts'

const place = fc.constantFrom(
  ...['work/.flagadmrc', 'work/.flagadmrc.json', 'work/.flagadmrc.yaml', 'work/.flagadmrc.yml'],
  ...['work/flagadm.config.json', 'work/flagadm.config.yaml', 'work/flagadm.config.yml'],
  ...['work/package.json', 'home/.config/flagadm/config.yaml', 'home/.config/flagadm/config.json'],
)

const command = fc.constantFrom(
  ['feature', 'usage', 'f'],
  ['feature', 'usage', 'f', '--json'],
  ['feature', 'usage', 'f', '--verbose', '--profile', 'p'],
  ['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run'],
  ['naming', 'lint', '-o', 'github'],
  ['naming', 'check', 'f'],
  ['feature', 'usage', 'f', '--config', 'package.json'],
)

// No command of a configuration is found unless it is a path.
const env = { PATH: '/nonexistent', FLAGADM_RETRIES: '0' }

async function run(argv: readonly string[], files: World['files'] = {}, more: World['env'] = {}) {
  const outcome = await flagadm([...argv, '--no-color'], { files, env: { ...env, ...more } })
  expectSound(outcome, kindOf(argv))
}

// Without the key, because names of profiles and naming rules are printed.
const text = hostileText.map((words) => words.replaceAll(KEY, 'name'))

test('any text and any JSON in a configuration file are used or refused', async () => {
  const yaml = fc.string({ unit: fc.constantFrom(...'{}[]:,-&*!|>#"\'%@`? \na') })
  const document = jsonText.map((words) =>
    words.replaceAll(JSON.stringify(KEY).slice(1, -1), 'name'),
  )
  await fc.assert(
    fc.asyncProperty(command, place, fc.oneof(text, yaml), document, async (argv, path, a, b) => {
      await run(argv, { [path]: a })
      await run(argv, { [path]: `apiKey: ${CANARY}\n${a}` })
      await run(argv, { [path]: `${a}\nbaseUrl: [\napiKey: "${CANARY}"` })
      await run(argv, { [path]: `{"flagadm": ${b}}` })
      await run(argv, { [path]: `{"apiKey":"${CANARY}","profiles":${b}}` })
    }),
  )
})

const key = fc.oneof(
  { weight: 4, arbitrary: fc.constant(CANARY) },
  { weight: 1, arbitrary: hostileText.map((words) => words + CANARY) },
)
const quoted = (words: fc.Arbitrary<string>) => words.map((word) => JSON.stringify(word))

/** A profile for the service with possible mistakes, and with the key in likely and unlikely fields. */
function profileFor(url: string) {
  return {
    baseUrl: quoted(
      fc.oneof(
        { weight: 4, arbitrary: fc.constant(url) },
        fc.constantFrom(`${url}/api`, 'https://a.invalid', CANARY, ''),
      ),
    ),
    apiKey: quoted(key),
    apiKeyEnv: quoted(fc.constantFrom('OWN_KEY', CANARY)),
    apiKeyFile: quoted(fc.constantFrom('key', '-', CANARY)),
    apiKeyCommand: almostArray(quoted(fc.constantFrom('/bin/echo', CANARY))),
    caFile: quoted(fc.constantFrom('key', 'no-such-file')),
    allowHttp: fc.constantFrom('true', 'false'),
  }
}

test('a configuration with mistakes is used or refused without printing its key', async () => {
  const { url, received } = await serve((response, { method, url, headers }) => {
    const seenApplications = [headers.authorization]
    const isUsage = url.includes('/client-metrics/')
    const document = isUsage ? { ...someUsage, seenApplications } : documentFor(method, url)
    // Some commands also ask for what they can do without.
    return document ? json(response, 200, document) : json(response, 404, { message: 'no' })
  })
  const fields = profileFor(url)
  // With most of the fields every configuration would be refused for the first rule.
  const FEW = 25
  const profile = fc.oneof(
    almostObject(fields, FEW),
    almostObject({ baseUrl: fields.baseUrl, apiKey: fields.apiKey }),
  )
  const profiles = almostObject({ p: profile, default: profile })
  const configuration = fc.oneof(
    almostObject({ ...fields, profiles, retries: fc.constantFrom('0', '-1', '1.5') }, FEW),
    profile,
    profiles.map((named) => `{"profiles":${named},"profile":"p"}`),
  )
  const file = fc.tuple(place, configuration).map(([path, content]): [string, string] => {
    return [path, path.endsWith('package.json') ? `{"flagadm":${content}}` : content]
  })
  const files = fc.array(file, { minLength: 1, maxLength: 2 }).map(Object.fromEntries<string>)
  const more = fc.constantFrom({}, { FLAGADM_API_KEY: CANARY }, { FLAGADM_BASE_URL: url })
  await fc.assert(
    fc.asyncProperty(command, files, more, async (argv, written, variables) => {
      await run(argv, { 'work/key': CANARY, ...written }, { OWN_KEY: CANARY, ...variables })
    }),
    // Few of them are complete enough to send a request.
    { numRuns: 3 * (fc.readConfigureGlobal().numRuns ?? 20) },
  )
  expect(received.length).toBeGreaterThan(0)
})
