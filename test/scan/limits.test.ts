import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ignore from 'ignore'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isIgnored } from '../../src/scan/gitignore.ts'
import { selectFiles } from '../../src/scan/globs.ts'
import { createMatcher } from '../../src/scan/match.ts'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'

const { signal } = new AbortController()
const check = ['naming', 'check', '--pattern', '[a-z-]+']

describe('gitignore', () => {
  const deep = `${'a/'.repeat(40)}b.ts`

  it('matches rules with many wildcards', async () => {
    const rules = [`**/a/**/${'a/'.repeat(60)}x`, `${'*a'.repeat(60)}x`, `${'*a*/'.repeat(60)}x`]
    const folder = await temporaryFolder({
      '.gitignore': rules.join('\n'),
      [deep]: '',
      ['a'.repeat(200)]: '',
    })
    const { files, unusable } = await selectFiles(['.'], folder, signal)
    expect(files).toEqual(['.gitignore', deep, 'a'.repeat(200)].sort())
    expect(unusable).toEqual(new Map())
  })

  it("skips patterns with more than two '**/' with a warning", async () => {
    const folder = await temporaryFolder({
      'src/.gitignore': `no.ts\n${'**/a/'.repeat(9)}x\n**/d/***/e/**/f.ts\n**/d/**/c.ts\n`,
      'src/a.ts': "isEnabled('a')",
      'src/no.ts': "isEnabled('B')",
      'src/d/e/c.ts': "isEnabled('C')",
      [`src/${deep}`]: "isEnabled('d')",
    })
    const { code, stdout, stderr } = await flagadm([...check, '--scan', folder])
    expect([code, stdout]).toEqual([0, '✓ 2 names checked, none breaks the rule\n'])
    expect(stderr.replaceAll(/\S+\/src/g, 'src')).toBe(
      "warning: src/.gitignore:2 is not used: the pattern has more than 2 '**/'\n" +
        "warning: src/.gitignore:3 is not used: the pattern has more than 2 '**/'\n" +
        'note: not scanned: 2 ignored (--verbose lists them)\n',
    )
  })

  it('refuses rules that take too long', () => {
    const match = (milliseconds: number) => {
      const rules = { matcher: ignore().add('*.ts'), path: 'src/', budget: { milliseconds } }
      return isIgnored(rules, 'a.ts', false)
    }
    expect(match(1000)).toBe(true)
    expect(() => match(0)).toThrow('.gitignore: matching its rules takes too long')
  })

  it.each([
    ['a symbolic link', (path: string) => symlink('/dev/zero', path), 'it is a symbolic link'],
    ['a directory', undefined, 'it is not a regular file'],
    ['a large file', undefined, 'it is larger than 256 KiB'],
  ])('warns of %s and uses the other rules', async (what, make, reason) => {
    const folder = await temporaryFolder({
      '.gitignore': 'b.ts\n',
      'src/a.ts': "isEnabled('a')",
      'src/b.ts': "isEnabled('B')",
      ...(what === 'a directory' && { 'src/.gitignore/x': '' }),
      ...(what === 'a large file' && { 'src/.gitignore': '#'.repeat(256 * 1024 + 1) }),
    })
    await make?.(join(folder, 'src/.gitignore'))
    const { code, stdout, stderr } = await flagadm([...check, '--scan', folder])
    expect([code, stdout]).toEqual([0, '✓ 1 name checked, none breaks the rule\n'])
    expect(stderr).toMatch(
      new RegExp(
        `^warning: \\S+/src/\\.gitignore is not used: ${reason}\nnote: not scanned: .*1 ignored.*\n$`,
      ),
    )
  })
})

describe('globs', () => {
  it.each([`${'*a'.repeat(12)}x`, `!${'*a'.repeat(12)}x`])(
    'refuses %s, which takes too long to match',
    async (glob) => {
      const files = { [`work/${'a'.repeat(200)}`]: '' }
      const { code, stderr } = await flagadm([...check, '--scan', '*', '--scan', glob], { files })
      expect([code, stderr]).toEqual([
        2,
        `error: --scan ${glob}: takes more than 1 s to match\nhint: use fewer wildcards\n`,
      ])
    },
  )

  it.each([
    ['an ignored file', { 'work/.gitignore': 'a*\n' }, undefined],
    ['a symbolic link', {}, (file: string) => symlink('/dev/null', file)],
  ])('refuses a glob that takes too long to match %s', async (_, rules, makeLink) => {
    const name = 'a'.repeat(200)
    const folder = await temporaryFolder({ 'work/b.ts': '', ...rules })
    const file = join(folder, 'work', name)
    await (makeLink ?? ((path: string) => writeFile(path, '')))(file)
    const glob = `${folder}/work/${'*a'.repeat(12)}x`
    const { code, stderr } = await flagadm([...check, '--scan', glob])
    expect([code, stderr]).toEqual([
      2,
      `error: --scan ${glob}: takes more than 1 s to match\nhint: use fewer wildcards\n`,
    ])
  })

  it('refuses a glob that is too long', async () => {
    const { code, stderr } = await flagadm([...check, '--scan', `*${'a'.repeat(70_000)}`])
    expect([code, stderr]).toEqual([
      2,
      `error: --scan *${'a'.repeat(99)}: not a valid glob\nhint: use a shorter glob\n`,
    ])
  })
})

describe('--match', () => {
  it('refuses a pattern that takes too long', async () => {
    const { match, close } = createMatcher(['x(?<flag>y)', '(?<flag>(a+)+)$b'], signal, 1)
    onTestFinished(close)
    expect(await match('xy', 'src/a.ts')).toEqual([{ kind: 'flag', text: 'y', offset: 1 }])
    await expect(match(`${'a'.repeat(60)}!`, 'src/b.ts')).rejects.toMatchObject({
      kind: 'usage',
      message: '--match (?<flag>(a+)+)$b: takes more than 1 s for src/b.ts',
      hint: 'avoid repetitions within repetitions, or leave the file out with --scan "!<file>"',
    })
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
    const argv = [
      ...check,
      '--scan',
      '.',
      '--match',
      '^flag: (?<flag>.*)$',
      '--match',
      '(?<flag>x*)',
    ]
    const { code, stdout } = await flagadm([...argv, '--match', '(?:(?<flag>b)|)'], {
      files: { 'work/a.yaml': 'flag: a\nflag: b\n' },
    })
    expect([code, stdout]).toEqual([0, '✓ 2 names checked, none breaks the rule\n'])
  })
})
