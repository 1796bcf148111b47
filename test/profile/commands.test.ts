import { describe, expect, it } from 'vitest'
import { CANARY, flagadm } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

const usage = ['api', 'client-metrics/features/some-flag']
const userFile = 'home/.config/flagadm/config.json'

/** Runs with a profile that has this apiKeyCommand; returns the keys that the service received. */
async function withCommand(apiKeyCommand: readonly string[], options: readonly string[] = []) {
  const server = await serve((response) => json(response, 200, someUsage))
  const config = { baseUrl: server.url, apiKeyCommand }
  const { code, stderr, folder } = await flagadm([...usage, ...options], {
    env: { PART: CANARY.slice(4), PATH: process.env.PATH ?? '' },
    files: { [userFile]: JSON.stringify(config), 'home/.config/flagadm/part': '*:*.' },
  })
  const keys = server.received.map(({ headers }) => headers.authorization)
  return { code, keys, stderr: stderr.replaceAll(folder, 'F') }
}

const script = (text: string) => [process.execPath, '-e', text]
// The background process ends when the test does, which removes the folder.
const background = `echo '${CANARY}'; while [ -e "$PWD/part" ]; do sleep 0.1; echo x >&2; done &`

describe('apiKeyCommand', () => {
  it.each<[string, string[], string]>([
    [
      'runs beside the configuration, with the environment',
      ['sh', '-c', 'cat part; echo "$PART"'],
      CANARY,
    ],
    ['gets its arguments without a shell', ['printf', '%s', '*:*.$PART|'], '*:*.$PART|'],
    [
      'may print more lines',
      ['sh', '-c', "echo a-key; head -c 900000 /dev/zero | tr '\\0' x"],
      'a-key',
    ],
    ['has an empty standard input', ['sh', '-c', `cat; echo '${CANARY}'`], CANARY],
    ['may leave a background process', ['sh', '-c', background], CANARY],
  ])('%s', async (_what, command, key) => {
    const { code, keys } = await withCommand(command)
    expect([code, keys]).toEqual([0, [key]])
  })

  it.each<[string, string[], string]>([
    ['is unknown', ['no-such-program'], 'cannot be run: no such file'],
    ['is not executable', ['./part'], 'cannot be run: permission denied'],
    ['has arguments that are too long', ['echo', 'x'.repeat(3_000_000)], 'cannot be run: E2BIG'],
    ['exits with 4 after a line', ['sh', '-c', `echo '${CANARY}'; exit 4`], 'ended with 4'],
    [
      'prints more than 1 MiB, at whose end may be half a key',
      ['sh', '-c', `echo key; yes '${CANARY}' | head -n 50000 >&2`],
      'printed more than 1 MiB',
    ],
  ])('that %s is reported', async (_what, command, problem) => {
    const { code, keys, stderr } = await withCommand(command)
    expect({ code, keys, stderr }).toEqual({
      code: 3,
      keys: [],
      stderr:
        `error: apiKeyCommand of profile 'default': the command ${problem}\n` +
        'hint: run the command by hand to see why\n',
    })
  })

  it('that prints nothing is reported', async () => {
    const { code, stderr } = await withCommand(['true'])
    expect([code, stderr.split('\n')[0]]).toEqual([
      3,
      "error: the API key from apiKeyCommand of profile 'default' is empty",
    ])
  })
})

describe('messages of apiKeyCommand', () => {
  const secret = 'secret-0123456789abcdef'
  const encoded = Buffer.from(secret).toString('base64')

  it.each([
    [
      'are masked if they come before the key',
      `console.error('key ${secret}'); setImmediate(() => console.log('${secret}'))`,
      'key [redacted]',
    ],
    [
      'are masked if they come after it',
      `console.log('${secret}'); console.error('${encoded}')`,
      '[redacted]=',
    ],
    [
      'are made printable',
      `console.log('${secret}'); console.error('a\\u001b[31mb\\r::error::c\\u202e')`,
      String.raw`a\x1b[31mb\x0d::error::c\u202e`,
    ],
    [
      'are masked if the key is refused',
      `console.log(' ${secret}'); console.error('[ ${secret}]')`,
      '[[redacted]]',
    ],
    [
      'are masked if the command fails',
      `process.stdout.write('${secret}'); console.error('- ${secret}'); process.exitCode = 1`,
      '- [redacted]',
    ],
  ])('%s', async (_what, text, shown) => {
    const { stderr } = await withCommand(script(text))
    expect(stderr.split('\n')[0]).toBe(`note: apiKeyCommand: ${shown}`)
    expect(stderr).not.toContain(secret)
  })

  it('are JSON with --json, and left out with --quiet', async () => {
    const command = ['sh', '-c', `echo ${secret}; printf 'one\\n\\ntwo ${secret}\\n' >&2`]
    const { stderr } = await withCommand(command, ['--json'])
    const lines = stderr.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { note: { message: 'apiKeyCommand: one' } },
      { note: { message: 'apiKeyCommand: two [redacted]' } },
    ])
    expect((await withCommand(command, ['--quiet'])).stderr).toBe('')
  })
})
