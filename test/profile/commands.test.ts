import { describe, expect, test } from 'vitest'
import { CANARY, flagadm } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag', '--json']
const userFile = 'home/.config/flagadm/config.json'

/** Runs with a profile that has this apiKeyCommand; returns the keys that the service received. */
async function withCommand(apiKeyCommand: readonly string[], signal?: AbortSignal) {
  const server = await serve((response) => json(response, 200, someUsage))
  const config = { baseUrl: server.url, apiKeyCommand }
  const { code, stderr, folder } = await flagadm(usage.slice(0, 3), {
    env: { PART: CANARY.slice(4), PATH: process.env.PATH ?? '' },
    files: { [userFile]: JSON.stringify(config), 'home/.config/flagadm/part': '*:*.' },
    ...(signal && { signal }),
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

  test('is killed when its line is longer than a key may be', async () => {
    const { code, keys, stderr } = await withCommand(
      script("setInterval(() => process.stdout.write('x'.repeat(5001)))"),
    )
    expect([code, keys, stderr]).toEqual([
      3,
      [],
      "error: apiKeyCommand of profile 'default' in F/home/.config/flagadm/config.json: " +
        'the command printed more than 10000 characters\nhint: run the command by hand to see why\n',
    ])
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
  test.each([
    [['no-such-program'], `the command cannot be run: no such file\n${hand}`],
    [['/'], `the command cannot be run: permission denied\n${hand}`],
    [script('process.exit(4)'), `the command ended with 4\n${hand}`],
    [script("process.kill(process.pid, 'SIGTERM')"), `the command ended with SIGTERM\n${hand}`],
  ])('%j that fails is reported', async (command, problem) => {
    const { code, keys, stderr } = await withCommand(command)
    expect([code, keys, stderr]).toEqual([
      3,
      [],
      `error: apiKeyCommand of profile 'default' in F/${userFile}: ${problem}`,
    ])
  })

  test('that prints nothing is reported', async () => {
    const { code, stderr } = await withCommand(script(''))
    expect([code, stderr]).toEqual([
      3,
      `error: the API key from apiKeyCommand of profile 'default' in F/${userFile} is empty\n` +
        'hint: look for a line break, a space or a quotation mark that was copied with it\n',
    ])
  })

  test('ends when the run is interrupted', async () => {
    const interruption = new AbortController()
    setTimeout(() => interruption.abort(), 300)
    const { code, stderr } = await withCommand(['sleep', '60'], interruption.signal)
    expect([code, stderr]).toEqual([130, ''])
  })
})
