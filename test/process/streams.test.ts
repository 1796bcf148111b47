import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ended, shell, start } from '../support/binary.ts'
import { environment } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag', '--json']

async function someService() {
  const { url } = await serve((response) => json(response, 200, someUsage))
  return environment(url)
}

async function largeService(records: number) {
  const lastHourUsage = Array.from({ length: records }, (_, index) => ({ appName: `app-${index}` }))
  const { url } = await serve((response) => json(response, 200, { lastHourUsage }))
  return environment(url)
}

describe('a closed pipe does not change the exit code', () => {
  /** Runs a command line whose stdout is a closed pipe. */
  const intoClosedPipe = (command: string, env: Record<string, string> = {}) =>
    shell(
      `{ while [ ! -e closed ]; do sleep 0.02; done; ${command}; echo "code $?" >&2; } | ` +
        '{ exec <&-; touch closed; }',
      env,
    )

  test.each([
    ["naming check Bad --pattern '[a-z]+'", 9, 'error: 1 of 1 name breaks the rule\n'],
    ["naming lint --pattern 'a b' --example a --description d", 9, /^error: the naming rule has/],
    [
      'naming diff --from pattern:a --to pattern:b --fail-on any',
      9,
      'error: names become rejected and accepted\n',
    ],
    ['feature usage checkout-new-basket -p sandbox', 0, ''],
    ['feature usage checkout-new-basket -p sandbox --watch', 0, ''],
    ['project settings set default --mode open -p sandbox', 0, ''],
    ['--help', 0, ''],
    ['project settings set', 2, /^error: /],
  ])('of %s', async (command, code, report) => {
    const { stderr } = await intoClosedPipe(`flagadm ${command}`)
    const [, text = '', exit] = /^(.*)code (\d+)\n$/s.exec(stderr) ?? []
    expect(Number(exit)).toBe(code)
    if (typeof report === 'string') expect(text).toBe(report)
    else expect(text).toMatch(report)
  })

  test('of a run in which another flag cannot be read', async () => {
    const { url } = await serve((response, request) =>
      request.url.endsWith('/b') ? json(response, 404, {}) : json(response, 200, someUsage),
    )
    const command = 'flagadm feature usage a b --json --concurrency 1'
    const { stderr } = await intoClosedPipe(command, environment(url))
    expect(stderr).toMatch(/"exitCode":10,.*\ncode 10\n$/)
  })
})

describe('a reader that closes the pipe', () => {
  test('early ends the run with 0 and without a message', async () => {
    const child = await start(usage, await largeService(5000))
    child.stdout?.once('data', () => child.stdout?.destroy())
    const { code, stderr } = await ended(child)
    expect([code, stderr]).toEqual([0, ''])
  })

  test('after the first line, as head -1 does, gets that line', async () => {
    const script = '{ flagadm feature usage f -o csv; echo "code $?" >&2; } | head -1'
    expect(await shell(script, await largeService(5000))).toEqual({
      code: 0,
      stdout: 'flag,application,environment,timestamp,enabled,disabled,variants\r\n',
      stderr: 'code 0\n',
    })
  })
})

test('a slow reader gets everything', async () => {
  const script = 'flagadm feature usage f -o jsonl | { sleep 0.5; wc -l; }'
  const { code, stdout, stderr } = await shell(script, await largeService(10_000))
  expect([code, stdout.trim(), stderr]).toEqual([0, '10000', ''])
})

describe('without', () => {
  test('standard input, a key from it is reported as empty', async () => {
    const { FLAGADM_BASE_URL = '' } = await someService()
    const script = 'flagadm feature usage some-flag --api-key-file - <&-'
    expect(await shell(script, { FLAGADM_BASE_URL })).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'error: the API key from --api-key-file is empty\n' +
        'hint: use the key alone, without quotation marks, spaces or line breaks\n',
    })
  })

  test('standard input, a list from it is reported as empty', async () => {
    expect(await shell('flagadm feature usage --names-from - <&-', await someService())).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: no flag names in standard input\nhint: write one name per line\n',
    })
  })

  test('standard output, the exit code is the same', async () => {
    const script = 'flagadm feature usage some-flag >&-'
    expect(await shell(script, await someService())).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('standard error, the exit code is the same', async () => {
    expect(await shell('flagadm feature usage some-flag 2>&-')).toMatchObject({ code: 3 })
  })
})

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  const hint = 'the output is incomplete'
  const message = 'the output cannot be written: the disk is full'

  test('is reported as text', async () => {
    const script = 'flagadm feature usage some-flag > /dev/full'
    expect(await shell(script, await someService())).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${message}\nhint: ${hint}\n`,
    })
  })

  test('is reported as JSON', async () => {
    const script = 'flagadm feature usage some-flag --json > /dev/full'
    const error = { kind: 'unexpected', exitCode: 1, message, hint }
    expect(await shell(script, await someService())).toEqual({
      code: 1,
      stdout: '',
      stderr: `${JSON.stringify({ error })}\n`,
    })
  })

  test('under the help is reported', async () => {
    expect(await shell('flagadm --help > /dev/full')).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${message}\nhint: ${hint}\n`,
    })
  })

  test('under standard error leaves standard output complete', async () => {
    const script = 'flagadm feature usage some-flag --json --verbose 2> /dev/full'
    const { code, stdout } = await shell(script, await someService())
    expect([code, JSON.parse(stdout)]).toEqual([0, someUsage])
  })

  test('under standard error does not change the exit code of a failure', async () => {
    const { url } = await serve((response) => json(response, 404, {}))
    const script = 'flagadm feature usage some-flag 2> /dev/full'
    expect(await shell(script, environment(url))).toEqual({ code: 6, stdout: '', stderr: '' })
  })

  test('under both is a failure', async () => {
    const script = 'flagadm feature usage some-flag > /dev/full 2>&1'
    expect(await shell(script, await someService())).toEqual({ code: 1, stdout: '', stderr: '' })
  })
})
