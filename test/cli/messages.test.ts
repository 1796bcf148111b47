import { describe, expect, it } from 'vitest'
import { flagadm, type World } from '../support/flagadm.ts'

// Escape sequences as text: `<31m` for ESC [31m.
async function stderrOf(argv: readonly string[], world: World = {}): Promise<string> {
  return (await flagadm(argv, world)).stderr.replaceAll('\u001b[', '<')
}

const wrong = ['feature', 'usage', '--since', 'soon']

describe('messages on a terminal', () => {
  it('have coloured labels', async () => {
    expect(await stderrOf(wrong, { talksToTerminal: true })).toBe(
      "<31merror:<39m --since: 'soon' is not a duration\n<2mhint:<22m use a positive number with s, m, h, d or w: 90s, 65m, 2h, 30d or 1w\n",
    )
  })

  it('follow the colour settings of their own stream', async () => {
    const plain =
      "error: --since: 'soon' is not a duration\nhint: use a positive number with s, m, h, d or w: 90s, 65m, 2h, 30d or 1w\n"
    const colored = await stderrOf(wrong, { talksToTerminal: true })
    const none = { env: { NO_COLOR: '1' }, talksToTerminal: true }
    expect(await stderrOf(wrong, { columns: 80 })).toBe(plain)
    expect(await stderrOf(wrong, none)).toBe(plain)
    expect(await stderrOf(['--no-color', ...wrong], { talksToTerminal: true })).toBe(plain)
    expect(await stderrOf(['--color', 'always', ...wrong])).toBe(colored)
    expect(await stderrOf(wrong, { env: { FORCE_COLOR: '1' } })).toBe(colored)
  })

  it('are wrapped at words, but not within a command', async () => {
    const world = { env: { NO_COLOR: '1' }, talksToTerminal: true, columns: 44 }
    expect(await stderrOf(wrong, world)).toBe(
      `error: --since: 'soon' is not a duration
hint: use a positive number with s, m, h, d
or w: 90s, 65m, 2h, 30d or 1w
`,
    )
    expect(await stderrOf(['feature', 'usage', 'x'], { ...world, columns: 60 })).toBe(
      `error: no service is configured
hint: set FLAGADM_BASE_URL and FLAGADM_API_KEY, try it with
-p sandbox, or add a profile:
  flagadm profile add
`,
    )
  })

  it('have a command to copy on a line of its own, which is not wrapped', async () => {
    const world = { env: { NO_COLOR: '1' }, talksToTerminal: true, columns: 30 }
    expect(await stderrOf(['project', 'settings', 'set'], world)).toBe(
      `error: <project-id> is
required
hint: for example:
  flagadm project settings set checkout --mode open -p sandbox
`,
    )
  })

  it('are JSON without colours if the output is JSON', async () => {
    expect(await stderrOf([...wrong, '--json'], { talksToTerminal: true })).not.toContain('<')
  })
})
