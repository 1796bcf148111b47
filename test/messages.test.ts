import { describe, expect, it } from 'vitest'
import { createStyle } from '../src/old/output/style.ts'
import { safe } from '../src/old/output/text.ts'
import { flagadm, type World } from './support/flagadm.ts'

// Escape sequences as text: `<31m` for ESC [31m.
async function stderrOf(argv: readonly string[], world: World = {}): Promise<string> {
  return (await flagadm(argv, world)).stderr.replaceAll('\u001b[', '<')
}

const wrong = ['feature', 'usage', '--since', 'soon']
const config = {
  'home/.config/flagadm/config.yaml':
    'defaultProfile: productoin\nprofiles: { production: { baseUrl: "https://flags.example.com" } }',
}

describe('messages on a terminal', () => {
  it('have coloured labels', async () => {
    expect(await stderrOf(wrong, { talksToTerminal: true })).toBe(
      "<31merror:<39m --since: 'soon' is not a duration\n<2mhint:<22m use a positive number with s, m, h or d: 90s, 65m, 2h or 30d\n",
    )
    const warned = await stderrOf(['profile', 'list'], { talksToTerminal: true, files: config })
    expect(warned).toContain("<38;5;130mwarning:<39m the default profile 'productoin'")
  })

  it('have warnings that can be read on a light and on a dark terminal', () => {
    const { yellow } = createStyle(true)
    const [, index = ''] = /38;5;(\d+)m/.exec(yellow(safe`x`)) ?? []
    // The levels of red, green and blue in the palette of 256 colours.
    const levels = [36, 6, 1].map((place) => Math.floor((Number(index) - 16) / place) % 6)
    const [red = 0, green = 0, blue = 0] = levels.map((level) => {
      const share = level === 0 ? 0 : (55 + 40 * level) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    expect(1.05 / (luminance + 0.05)).toBeGreaterThan(4.4)
    expect((luminance + 0.05) / 0.05).toBeGreaterThan(4.4)
  })

  it('follow the colour settings of their own stream', async () => {
    const plain =
      "error: --since: 'soon' is not a duration\nhint: use a positive number with s, m, h or d: 90s, 65m, 2h or 30d\n"
    const colored = await stderrOf(wrong, { talksToTerminal: true })
    const none = { env: { NO_COLOR: '1' }, talksToTerminal: true }
    expect(await stderrOf(wrong, { columns: 80 })).toBe(plain)
    expect(await stderrOf(wrong, none)).toBe(plain)
    expect(await stderrOf(['--no-color', ...wrong], { talksToTerminal: true })).toBe(plain)
    expect(await stderrOf(['--color', 'always', ...wrong])).toBe(colored)
    expect(await stderrOf(wrong, { env: { FORCE_COLOR: '1' } })).toBe(colored)
  })

  it('wrap at words, in a pipe they do not', async () => {
    const argv = ['naming', 'lint', '--pattern', 'checkout-[a-z]+|.*pay|[a-z.]+(a+)+', '--example']
    const message =
      'error: the naming rule has problems: example-mismatch, loose-alternation, catastrophic\n'
    expect(await stderrOf([...argv, 'x'])).toBe(message)
    expect(await stderrOf([...argv, 'x', '--no-color'], { talksToTerminal: true })).toBe(
      'error: the naming rule has problems: example-mismatch, loose-alternation,\n  catastrophic\n',
    )
  })

  it('are JSON without colours if the output is JSON', async () => {
    expect(await stderrOf([...wrong, '--json'], { talksToTerminal: true })).not.toContain('<')
  })
})

describe('commands in hints', () => {
  const all = 'flagadm feature list -p sandbox --all-projects lists those that exist'

  it.each([
    [
      'feature usage a -p sandbox',
      `error: 404 NotFoundError: No feature flag with the name a exists\nhint: check the name (${all}) and the address (http://service)\n`,
    ],
    [
      'feature usage a dark-mode --profile sandbox',
      `error: 404 NotFoundError: No feature flag with the name a exists\nhint: check the name (${all}) and the address (http://service)\nerror: 1 of 2 flags could not be read\n`,
    ],
    ['-p sandbox feature usage a b', `error: 2 flags not found: a, b\nhint: ${all}\n`],
    [
      'feature usage a --project default -p sandbox',
      'error: a: not a flag of project default\nhint: check the name; flagadm feature list -p sandbox --project default lists the flags\n',
    ],
    [
      'feature list --project default -e prodction -p sandbox',
      "error: --environment: unknown value 'prodction'\nhint: did you mean flagadm feature list --project default -e production -p sandbox?\n",
    ],
  ])('have the profile of the run: %s', async (line, expected) => {
    const stderr = await stderrOf(line.split(' '))
    expect(stderr.replace(/http:\/\/127\.0\.0\.1:\d+/, 'http://service')).toBe(expected)
  })

  it.each([
    ['sandbox', 'get -p sandbox --all'],
    ['a b', 'get --all'],
    ['$(id)', 'get --all'],
  ])('have only the name of a profile that needs no quotation marks: %s', async (profile, get) => {
    const argv = ['project', 'settings', 'plan', '-f', '-', '-p', profile]
    expect(await stderrOf(argv, { stdin: '{' })).toBe(
      `error: standard input:1:2: not valid YAML or JSON: a missing quotation mark, bracket, colon or comma\nhint: correct the file at that place; flagadm project settings ${get} -o yaml prints a valid one\n`,
    )
  })
})
