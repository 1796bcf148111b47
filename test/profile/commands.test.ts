import { describe, expect, test } from 'vitest'
import { CANARY, flagadm } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag']
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

function script(text: string): string[] {
  return [process.execPath, '-e', text]
}

describe('apiKeyCommand', () => {
  test('runs in the folder of the configuration file, with the environment', async () => {
    const { code, keys, stderr } = await withCommand(
      script("console.log(require('node:fs').readFileSync('part', 'utf8') + process.env.PART)"),
    )
    expect([code, keys, stderr]).toEqual([0, [CANARY], ''])
  })

  test('is found on the path, gets its arguments and no shell', async () => {
    const { keys } = await withCommand(['printf', '%s', `${CANARY.slice(0, 4)}$PART|`])
    expect(keys).toEqual(['*:*.$PART|'])
  })

  test('may print a key of 10,000 characters', async () => {
    const { code, keys } = await withCommand(script("process.stdout.write('x'.repeat(10_000))"))
    expect([code, keys]).toEqual([0, ['x'.repeat(10_000)]])
  })

  test('may print any number of lines after the first one', async () => {
    const { code, keys } = await withCommand(
      script("process.stdout.write('some-key\\n' + 'x'.repeat(100_000))"),
    )
    expect([code, keys]).toEqual([0, ['some-key']])
  })

  test('does not wait for a background process that writes to stderr', async () => {
    const background = 'while [ -e "$PWD/part" ]; do sleep 1; echo x >&2; done &'
    const { code, keys } = await withCommand(['sh', '-c', `printf '%s' '${CANARY}'; ${background}`])
    expect([code, keys]).toEqual([0, [CANARY]])
  })

  test('that fails after its first line is reported', async () => {
    const { code, keys, stderr } = await withCommand(script("console.log('x'); process.exit(4)"))
    expect([code, keys]).toEqual([3, []])
    expect(stderr).toContain('the command ended with 4\n')
  })

  test('may print its line in pieces, with a carriage return', async () => {
    const { keys } = await withCommand(
      script(
        `process.stdout.write('${CANARY.slice(0, 9)}'); setTimeout(() => console.log('${CANARY.slice(9)}\\r'), 50)`,
      ),
    )
    expect(keys).toEqual([CANARY])
  })

  test('has an empty standard input', async () => {
    const { keys } = await withCommand(
      script(`process.stdin.on('end', () => console.log('${CANARY}')).resume()`),
    )
    expect(keys).toEqual([CANARY])
  })

  test('does not wait for a background process that keeps its output open', async () => {
    // It ends when the test does, which removes the folder.
    const background = 'while [ -e "$PWD/part" ]; do sleep 1; done &'
    const { keys } = await withCommand(['sh', '-c', `echo '${CANARY}'; ${background}`])
    expect(keys).toEqual([CANARY])
  })

  test('that prints a lot is not interrupted', async () => {
    const { keys } = await withCommand(
      script(`process.stdout.write('${CANARY}\\n' + 'x'.repeat(1_000_000))`),
    )
    expect(keys).toEqual([CANARY])
  })

  const hand = 'hint: run the command by hand to see why\n'
  test.each<[string, string[], string]>([
    ['is unknown', ['no-such-program'], 'cannot be run: no such file'],
    ['is a folder', ['/'], 'cannot be run: permission denied'],
    ['is not executable', ['./part'], 'cannot be run: permission denied'],
    ['is in a file', ['./part/program'], 'cannot be run: no such file'],
    ['has a name that is too long', ['x'.repeat(5000)], 'cannot be run: ENAMETOOLONG'],
    [
      'has arguments that are too long',
      ['echo', 'x'.repeat(3_000_000)],
      'cannot be run: E2BIG',
    ],
    ['exits with 4', script('process.exit(4)'), 'ended with 4'],
    ['is killed', script("process.kill(process.pid, 'SIGTERM')"), 'ended with SIGTERM'],
  ])('that %s is reported', async (_what, command, problem) => {
    const { code, keys, stderr } = await withCommand(command)
    expect([code, keys, stderr]).toEqual([
      3,
      [],
      `error: apiKeyCommand of profile 'default': the command ${problem}\n${hand}`,
    ])
  })

  test('that prints nothing is reported', async () => {
    const { code, stderr } = await withCommand(script(''))
    expect([code, stderr]).toEqual([
      3,
      `error: the API key from apiKeyCommand of profile 'default' is empty\n` +
        'hint: use the key alone, without quotation marks, spaces or line breaks\n',
    ])
  })

  describe('writes messages to stderr, which', () => {
    const secret = 'secret-0123456789abcdef'
    const encoded = Buffer.from(secret).toString('base64')

    test.each([
      [
        'are masked if they come before the key',
        `console.error('key ${secret}'); setTimeout(() => console.log('${secret}'), 300)`,
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

    test('are JSON with --json', async () => {
      const text = `console.log('${secret}'); console.error('one\\n\\ntwo ${secret}')`
      const { stderr } = await withCommand(script(text), ['--json'])
      expect(
        stderr
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual([
        { note: { message: 'apiKeyCommand: one' } },
        { note: { message: 'apiKeyCommand: two [redacted]' } },
      ])
    })

    test('are not shown after more than 1 MiB of output, whose end may be half a key', async () => {
      const text = `console.log('${secret}'); console.error('${secret}\\n'.repeat(100_000))`
      expect(await withCommand(script(text))).toEqual({
        code: 3,
        keys: [],
        stderr:
          `error: apiKeyCommand of profile 'default': the command printed more than 1 MiB\n` +
          'hint: run the command by hand to see why\n',
      })
    })

    test('are left out with --quiet', async () => {
      const text = `console.log('${secret}'); console.error('one')`
      expect((await withCommand(script(text), ['--quiet'])).stderr).toBe('')
    })
  })
})
