import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ended, shell, start } from '../support/binary.ts'
import { environment } from '../support/flagadm.ts'
import { json, serve, someUsage, usageOnly } from '../support/server.ts'
import { ending } from '../support/text.ts'

const usage = 'flagadm feature usage some-flag'

async function someService() {
  const { url } = await serve((response, request) => usageOnly(response, request, someUsage))
  return environment(url)
}

async function largeService(records: number) {
  const lastHourUsage = Array.from({ length: records }, (_, index) => {
    return { appName: `app-${index}`, yes: 1, no: 0 }
  })
  const { url } = await serve((response, request) =>
    usageOnly(response, request, { lastHourUsage }),
  )
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

  it.each([
    ["naming check Bad --pattern '[a-z]+'", 9, /^error: 1 of 1 name breaks the rule\n$/],
    [
      'naming diff --from-pattern a --pattern b --fail-on any',
      9,
      /^error: names become rejected and accepted\n$/,
    ],
    ['feature usage checkout-new-basket -p sandbox --watch', 0, /^$/],
    ['project settings set default --mode open -p sandbox', 0, /^$/],
    ['project settings set', 2, /^error: /],
  ])('of %s', async (command, code, report) => {
    const { stderr } = await intoClosedPipe(`flagadm ${command}`)
    const [, text = '', exit] = /^(.*)code (\d+)\n$/s.exec(stderr) ?? []
    expect(Number(exit)).toBe(code)
    expect(text).toMatch(report)
  })

  it('of a run in which another flag cannot be read', async () => {
    const { url } = await serve((response, request) =>
      request.url.endsWith('/b') ? json(response, 403, {}) : json(response, 200, someUsage),
    )
    const command = 'flagadm feature usage a b --json --concurrency 1'
    const { stderr } = await intoClosedPipe(command, environment(url))
    expect(stderr).toMatch(/"exitCode":10,.*\ncode 10\n$/)
  })
})

describe('a reader', () => {
  it('that closes the pipe early ends the run with 0 and without a message', async () => {
    const argv = ['feature', 'usage', 'some-flag', '--json']
    const child = await start(argv, await largeService(5000))
    child.stdout?.once('data', () => child.stdout?.destroy())
    expect(ending(await ended(child))).toBe('0 ')
  })

  it('that ends after the first line, as head -1 does, gets that line', async () => {
    const script = '{ flagadm feature usage f -o csv; echo "code $?" >&2; } | head -1'
    expect(await shell(script, await largeService(5000))).toEqual({
      code: 0,
      stdout: 'flag,application,environment,timestamp,enabled,disabled,variants\r\n',
      stderr: 'code 0\n',
    })
  })
})

describe('without', () => {
  it('standard input, a key from it is reported as empty', async () => {
    const { FLAGADM_BASE_URL = '' } = await someService()
    expect(await shell(`${usage} --api-key-file - <&-`, { FLAGADM_BASE_URL })).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'error: the API key from --api-key-file is empty\n' +
        'hint: use the key alone, without quotation marks, spaces or line breaks\n',
    })
  })

  it('standard output or standard error, the exit code is the same', async () => {
    const nothing = { stdout: '', stderr: '' }
    expect(await shell(`${usage} >&-`, await someService())).toEqual({ code: 0, ...nothing })
    expect((await shell(`${usage} 2>&-`)).code).toBe(3)
  })
})

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  const hint = 'the output is incomplete'
  const message = 'the output cannot be written: the disk is full'
  const text = `error: ${message}\nhint: ${hint}\n`
  const error = { kind: 'unexpected', exitCode: 1, message, hint }

  it.each([
    [`${usage} > /dev/full`, text],
    [`${usage} --json > /dev/full`, `${JSON.stringify({ error })}\n`],
    ['flagadm --help > /dev/full', text],
  ])('is reported: %s', async (script, stderr) => {
    expect(await shell(script, await someService())).toEqual({
      code: 1,
      stdout: '',
      stderr,
    })
  })

  it('under standard error leaves standard output complete', async () => {
    const script = `${usage} --json --verbose 2> /dev/full`
    const { code, stdout } = await shell(script, await someService())
    expect([code, JSON.parse(stdout)]).toEqual([0, someUsage])
  })

  it('under standard error does not change the exit code of a failure', async () => {
    const { url } = await serve((response) => json(response, 404, {}))
    const outcome = await shell(`${usage} 2> /dev/full`, environment(url))
    expect(outcome).toEqual({
      code: 6,
      stdout: '',
      stderr: '',
    })
  })
})
