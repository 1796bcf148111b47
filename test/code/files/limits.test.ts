import { describe, expect, it } from 'vitest'
import { flagadm, temporaryFolder } from '../../support/flagadm.ts'
import { ending } from '../../support/text.ts'
import { realPath } from '../../../src/repository.ts'
import { search, utf16 } from '../text/searching.ts'

const check = ['naming', 'check', '--pattern', '[a-z-]+']

describe('globs', () => {
  it.each([`${'*a'.repeat(12)}x`, `!${'*a'.repeat(12)}x`])(
    'refuses %s, which takes too long to match',
    async (glob) => {
      const files = { [`work/${'a'.repeat(200)}`]: '' }
      expect(ending(await flagadm([...check, '--scan', '*', '--scan', glob], { files }))).toBe(
        `2 error: --scan ${glob}: takes more than 1 s to match\nhint: use fewer wildcards\n`,
      )
    },
  )

  it.each([
    ['a glob', `*${'a'.repeat(70_000)}`],
    ['a path', 'a/'.repeat(30_000)],
  ])('refuses %s that is too long', async (_what, glob) => {
    expect(ending(await flagadm([...check, '--scan', glob]))).toBe(
      `2 error: --scan ${glob.slice(0, 100)}: not a valid glob\nhint: use a shorter glob\n`,
    )
  })

  it.each([2000, 30_000])('have a real path even with %i levels that do not exist', (levels) => {
    const path = `/none${'/a'.repeat(levels)}`
    expect(realPath(path)).toBe(path)
  })
})

describe('--match', () => {
  const missing = 'the pattern has no group named flag or constant'
  it.each([
    ['(', 'not a valid regular expression: Unterminated group'],
    ['(?<flag>a)\\', 'not a valid regular expression: \\ at end of pattern'],
    ['(flag)', missing],
    ['(?<Flag>a)', missing],
    ['\\(?<flag>a\\)', missing],
  ])('refuses %j: %s', async (source, reason) => {
    expect(ending(await flagadm([...check, '--scan', '.', '--match', source]))).toBe(
      `2 error: --match ${source}: ${reason}\nhint: mark the flag with a group: --match 'flag\\("(?<flag>[^"]+)"'\n`,
    )
  })

  it('refuses a pattern that takes too long', async () => {
    const patterns = ['x(?<flag>y)', '(?<flag>(a+)+)$b']
    const argv = patterns.flatMap((pattern) => ['--match', pattern])
    const files = { 'work/a.ts': 'xy', 'work/b.ts': `${'a'.repeat(60)}!` }
    const fast = await flagadm([...check, '--scan', 'a.ts', ...argv], { files })
    expect(fast.stdout).toBe('✓ 1 name checked: all follow the rule\n')
    expect(ending(await flagadm([...check, '--scan', '.', ...argv], { files }))).toBe(
      `2 error: --match (?<flag>(a+)+)$b: takes more than 2 s for b.ts
hint: avoid repetitions within repetitions, or leave the file out with --scan "!<file>"
`,
    )
  })

  it('finds names in addition to those of calls, each place once', async () => {
    const own = "(?:feature|isEnabled)\\('(?<flag>[^']+)'"
    const { stdout } = await flagadm(
      ['naming', 'check', '--pattern', 'x', '--scan', '.', '--match', own, '-o', 'jsonl'],
      { files: { 'work/a.ts': "feature('a')\nisEnabled('b')\nfeature('c')\n" } },
    )
    const places = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(places.map(({ name, line, column }) => [name, line, column])).toEqual([
      ['a', 1, 10],
      ['b', 2, 12],
      ['c', 3, 10],
    ])
  })

  it('matches at line ends, and ends with a pattern that matches the empty string', async () => {
    const patterns = ['^flag: (?<flag>.*)$', '(?<flag>x*)', '(?:(?<flag>b)|)']
    const argv = patterns.flatMap((pattern) => ['--match', pattern])
    const { code, stdout } = await flagadm([...check, '--scan', '.', ...argv], {
      files: { 'work/a.yaml': 'flag: a\nflag: b\n' },
    })
    expect([code, stdout]).toEqual([0, '✓ 2 names checked: all follow the rule\n'])
  })
})

it('finds names at any place of a large file', async () => {
  const piece = 1024 * 1024
  const dotted = 'flag.on'
  for (const form of [dotted, 'flag\\x2eon']) {
    const adjacent = `${form}\n`
    const gap = 'ab c\n'.repeat((piece - 2800) / 5)
    const all = `${adjacent.repeat(200)}${gap}${adjacent.repeat(200)}${gap.slice(0, 5000)}`
    for (let shift = 0; shift < adjacent.length; shift++) {
      const text = '\n'.repeat(shift) + all
      const cwd = await temporaryFolder({ 'a.txt': text, 'b.txt': utf16(text) })
      const { names } = await search(cwd, [dotted], '.')
      const expected = text.split('\n').flatMap((line, index) => (line === form ? [index + 1] : []))
      const found = names.get(dotted)?.places ?? []
      expect(found.map((one) => one.line)).toEqual([...expected, ...expected])
      expect(new Set(found.map((one) => one.column))).toEqual(new Set([1]))
    }
  }
})

it.each(['\\x61', '%61', '%25', '&#97;', '&amp;', '\\n', '\\', '\\u', 'a\\-', 'a%61', '\\141{;'])(
  'reads much text of %j',
  async (part) => {
    const cwd = await temporaryFolder({
      'a.txt': `${part.repeat(1_000_000 / part.length)}\ndark-mode\n`,
    })
    // With quadratic work, it would not end.
    const { names } = await search(cwd, ['dark-mode', 'a'], '.')
    expect(names.get('dark-mode')?.places.map(({ line, column }) => [line, column])).toEqual([
      [2, 1],
    ])
  },
)
