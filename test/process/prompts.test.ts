import { describe, expect, test } from 'vitest'
import { ended, startOnTerminal } from '../support/binary.ts'

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
    ['Ctrl-D', '\u0004'],
    ['Ctrl-Z', '\u001a'],
  ])('ends with 130 on %s, and shows the cursor again', async (_name, key) => {
    const { code, stdout } = await answer(key)
    expect(code).toBe(130)
    expect(stdout).toContain('error: interrupted; nothing was changed')
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
  })

  test('is an error if an option has read standard input', async () => {
    const child = await startOnTerminal(['profile', 'add', 'a', '--api-key-stdin'])
    child.stdin?.end('some-long-key\n\u0004')
    const { code, stdout } = await ended(child)
    expect([code, stdout.slice(stdout.indexOf('error:'))]).toEqual([
      2,
      'error: cannot ask, since standard input has ended\r\nhint: give all options or --yes (see --help)\r\n',
    ])
  })

  const CYAN = '\u001b[36m'

  test('is coloured', async () => {
    expect((await answer('\u0003')).stdout).toContain(CYAN)
  })

  test.each([
    [['--no-color'], {}],
    [['--color', 'never'], {}],
    [[], { NO_COLOR: '1' }],
    [[], { TERM: 'dumb' }],
  ])('is not coloured with %j %j', async (argv, env) => {
    const { stdout } = await answer('\u0003', argv, env)
    expect(stdout).toContain('Name of the profile')
    expect(stdout).not.toMatch(/\u001b\[[349]\dm/)
  })
})
