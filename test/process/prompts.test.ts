import type { ChildProcess } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ended, startOnTerminal } from '../support/binary.ts'
import { sandboxOf } from '../support/sandbox.ts'

/** Types keys once a text has appeared on the terminal of a process; returns all that it shows. */
async function typeAfter(child: ChildProcess, text: string, keys: string): Promise<string> {
  let shown = ''
  child.stdout?.setEncoding('utf8').on('data', (part) => {
    shown += part
    if (shown.includes(text)) child.stdin?.end(keys)
  })
  await ended(child)
  return shown
}

/** Types a key at the first question of `profile add`, on a terminal. */
async function answer(key: string, argv: readonly string[] = [], env: Record<string, string> = {}) {
  const child = await startOnTerminal(['profile', 'add', ...argv], env)
  let shown = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    shown += text
    // The prompt is ready once it has drawn its last line.
    if (shown.includes('└')) child.stdin?.end(key)
  })
  return ended(child)
}

describe.runIf(process.platform === 'linux')('a question on a terminal', () => {
  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-Z', '\u001a'],
  ])('ends with 130 on %s, and shows the cursor again', async (_name, key) => {
    const { code, stdout } = await answer(key)
    expect(code).toBe(130)
    expect(stripVTControlCharacters(stdout)).toContain('error: interrupted; nothing was changed')
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
  })

  test('is an error if an option has read standard input', async () => {
    const child = await startOnTerminal(['profile', 'add', 'a', '--api-key-stdin', '--no-color'])
    child.stdin?.end('some-long-key\n\u0004')
    const { code, stdout } = await ended(child)
    expect({ code, stdout: stdout.slice(stdout.indexOf('error:')) }).toEqual({
      code: 2,
      stdout:
        'error: cannot ask: standard input has ended, or Node.js is older than 20.12\r\nhint: give all options or --yes (see --help)\r\n',
    })
  })

  test.each([
    [['--no-color'], {}, false],
    [[], { NO_COLOR: '1' }, false],
    [[], {}, true],
  ])('with %j and %j is coloured: %s', async (argv, env, isColored) => {
    const { stdout } = await answer('\u0003', argv, env)
    expect(stdout).toContain('Address')
    expect(/\u001b\[[349]\dm/.test(stdout)).toBe(isColored)
  })
})

describe.runIf(process.platform === 'linux')('a change is confirmed on the terminal', () => {
  const set = ['project', 'settings', 'set', 'checkout', '--mode', 'private']

  test('not by what was typed before the question', async () => {
    const sandbox = await sandboxOf([{ id: 'checkout', mode: 'open' }])
    const child = await startOnTerminal(set, sandbox.env)
    child.stdin?.write('history')
    await typeAfter(child, 'No', '\r')
    expect(sandbox.project('checkout')?.mode).toBe('open')
  })

  test.each(['>out 2>errors', '2>&1 | cat'])(
    'if the output goes elsewhere: %s',
    async (redirection) => {
      const sandbox = await sandboxOf([{ id: 'checkout', mode: 'open' }])
      for (const [key, mode] of [
        ['n', 'open'],
        ['y', 'private'],
      ] as const) {
        const shown = await typeAfter(
          await startOnTerminal([...set, redirection], sandbox.env),
          'No',
          key,
        )
        expect(shown).toContain('open → private')
        expect(shown).toContain(`Update project checkout on ${sandbox.url}?`)
        expect(sandbox.project('checkout')?.mode).toBe(mode)
      }
    },
  )
})
