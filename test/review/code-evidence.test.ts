import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flagadm, repositoryIn, temporaryFolder } from '../support/flagadm.ts'
import { git } from '../support/git.ts'
import { feature, type FeatureWorld, type Projects } from '../flags/service.ts'

const projects: Projects = {
  shop: {
    'in-code': {},
    'new-design': {},
    old: {},
  },
}

/** The work tree of a repository with some files. */
function files(own: Record<string, string>): Record<string, string> {
  const paths = Object.entries(own).map(([path, text]) => [`work/${path}`, text])
  return { ...repositoryIn('work'), ...Object.fromEntries(paths) }
}

const review = (argv: readonly string[], world: FeatureWorld = {}, seed = projects) =>
  feature(['review', '--project', 'shop', '--scan', '.', ...argv], seed, world)

interface Judged {
  flag: string
  verdict: string
  reasons: string[]
}

/** The verdict and the first reason of each flag, and what is incomplete. */
async function verdicts(own: Record<string, string>, ...argv: string[]) {
  const { code, stdout } = await review([...argv, '--json'], { files: files(own) })
  const { flags, incomplete = [] } = JSON.parse(stdout)
  return {
    code,
    flags: Object.fromEntries(
      flags.flatMap(({ flag, verdict, reasons }: Judged) =>
        flag.startsWith('neighbour') ? [] : [[flag, `${verdict}: ${reasons[0]}`]],
      ),
    ),
    incomplete: incomplete.map(({ message }: { message: string }) => message),
  }
}

const removable = 'removable: no usage in 48 h'

describe('code that is not there', () => {
  const code = { 'src/a.ts': "isEnabled('old')", 'src/b.ts': '' }

  it.each<[string, readonly string[], Record<string, string>]>([
    ['by --scan', ['--scan', '!src'], {}],
    ['by the configuration', ['--scan', 'src'], { '.flagadmrc': 'scan: { exclude: [src] }' }],
  ])('proves nothing if all of it is excluded %s', async (_, argv, own) => {
    const all = ['review', '--project', 'shop', '--json', '--scan', 'src', ...argv]
    const { code: exit, stderr } = await feature(all, projects, {
      files: files({ ...code, ...own }),
    })
    expect(exit).toBe(2)
    expect(JSON.parse(stderr).error).toMatchObject({
      message: '--scan: 2 files excluded, no other left',
      hint: "check --scan '!…', and scan.exclude of the project configuration",
    })
  })

  it('is said if a part of it is excluded', async () => {
    const { flags } = await verdicts(code, '--scan', '!src/a.ts')
    expect(flags.old).toBe(removable)
    const argv = ['--verdict', 'removable', '-o', 'csv', '--scan', '!src/a.ts']
    const { stdout } = await review(argv, { files: files(code) })
    expect(stdout).toContain('""no usage in 48 h"",""not in the code (1 file excluded)"",')
  })

  it('proves nothing if all of it is deleted from the work tree', async () => {
    const root = await temporaryFolder(code)
    git(root, 'init', '--quiet')
    git(root, 'add', '--all')
    rmSync(join(root, 'src'), { recursive: true })
    const run = (path: string) =>
      flagadm(['feature', 'references', 'old', '--scan', path], { cwd: root })
    expect(await run('src')).toMatchObject({
      code: 2,
      stderr: `error: --scan: src/a.ts and 1 other tracked file: deleted from the work tree, no other left
hint: check the path
`,
    })
    writeFileSync(join(root, 'c.ts'), '')
    expect(await run('.')).toMatchObject({
      code: 0,
      stderr: 'note: src/a.ts and 1 other tracked file: deleted from the work tree\n',
    })
  })
})

describe('a lookup that could not be read', () => {
  it('makes the flags unclear whose names it may have', async () => {
    const own = { 'a.ts': "isEnabled('in-code'); isEnabled(kind ? `new-${x}` : `${x}-other`)" }
    expect(await verdicts(own)).toEqual({
      code: 0,
      flags: {
        'in-code': 'unclear: in the code: a.ts:1',
        'new-design': 'unclear: a composed text may be its name: a.ts:1',
        old: removable,
      },
      incomplete: [],
    })
  })

  it.each([
    ["const AREA = 'new'", 'isEnabled(`${AREA}-${x}`)'],
    ['const name = `${area}sign`', 'isEnabled(name)'],
    ['', "isEnabled(area + 'gn')"],
    ["const flags = new Map([['a', other]])", "isEnabled(area + '-' + x)"],
  ])('makes them unclear by constants and by short texts: %s %s', async (before, lookup) => {
    const { flags } = await verdicts({ 'a.ts': `in-code\n${before}\n${lookup}` })
    expect(flags).toEqual({
      'in-code': 'unclear: in the code: a.ts:1',
      'new-design': expect.stringMatching(
        /^unclear: a (?:lookup|composed text) may .*: a.ts:[23]$/,
      ),
      old: removable,
    })
  })

  it('makes all flags unclear that the code does not contain if nothing is known of it, and is said once', async () => {
    const own = { 'a.ts': "isEnabled('in-code')\nisEnabled(x)\n", 'b.ts': '\nisEnabled(y)' }
    expect(await verdicts(own)).toEqual({
      code: 0,
      flags: {
        'in-code': 'unclear: in the code: a.ts:1',
        'new-design': 'unclear: some lookups could not be read',
        old: 'unclear: some lookups could not be read',
      },
      incomplete: [
        '2 of 3 lookups could not be read, the first in a.ts:2:1, so flags that the code does not contain are unclear',
      ],
    })
  })

  it.each([
    [['--call', 'get'], 'class Reader { get(name) { return isEnabled(name) } }\nservice.get("x")'],
    [['--match', 'of\\("(?<flag>\\w+)'], 'isEnabled(Flags.of("x"))'],
    [[], 'isEnabled(name) // flagadm-ignore'],
  ])('is settled by %j and by comments', async (argv, text) => {
    const { flags, incomplete } = await verdicts({ 'a.ts': `${text}\nin-code` }, ...argv)
    expect([flags.old, incomplete]).toEqual([removable, []])
  })

  it('is settled by the configuration', async () => {
    const text = 'class Reader { get(name) { return isEnabled(name) } }\nservice.get("x")'
    const own = { 'a.ts': text, 'b.ts': 'isEnabled(x)' }
    const scan = { calls: ['get'], exclude: ['b.ts'] }
    const configured = { ...own, '.flagadmrc': JSON.stringify({ scan }) }
    expect((await verdicts(own)).flags.old).toBe('unclear: some lookups could not be read')
    expect((await verdicts(configured)).flags.old).toBe(removable)
  })

  it('makes flags of joined constants ones that are in the code', async () => {
    const own = { 'a.ts': "const A = 'o'\nconst B = 'ld'\nisEnabled(A + B)\n" }
    expect((await verdicts(own)).flags.old).toBe('unclear: in the code: a.ts:3')
  })

  it('is not read for flags that are all in the code', async () => {
    const own = { 'a.ts': 'in-code new-design old neighbour-shop\nisEnabled(x)' }
    expect((await verdicts(own)).incomplete).toEqual([])
  })

  it('stops archive, which warns of it once', async () => {
    const argv = ['archive', 'old', 'new-design', '--project', 'shop', '--scan', '.', '--yes']
    const own = files({ 'a.ts': 'isEnabled(x)' })
    const outcome = await feature(argv, projects, { files: own })
    expect(outcome.code).toBe(9)
    expect(outcome.stderr.match(/^warning.*/gm)).toEqual([
      'warning: 1 of 1 lookup could not be read, in a.ts:1:1, so flags that the code does not contain are unclear',
    ])
    expect(outcome.asked.filter((path) => path.endsWith('/archive'))).toEqual([])
    const settled = await feature([...argv, '--scan', '!a.ts', '--scan', 'b.ts'], projects, {
      files: { ...own, 'work/b.ts': '' },
    })
    expect(settled.code).toBe(0)
  })
})

describe('code that could not be read', () => {
  const pointer = 'version https://hawser.github.com/spec/v1\n'

  it('is in the report once, and fails the check that asks for it', async () => {
    const own = { 'a.ts': 'in-code', 'b.ts': pointer }
    const argv = ['--fail-on', 'unread', '--fail-on', 'not-a-flag']
    const { code, stdout, stderr } = await review(argv, { files: files(own) })
    expect([code, stderr]).toEqual([9, 'error: unread: b.ts\n'])
    expect(stdout).toContain('\nIncomplete: 1 file could not be read (b.ts: Git LFS pointer)\n')
    expect((await review(argv, { files: files({ 'a.ts': 'in-code' }) })).code).toBe(0)
  })

  it('has a link out of the repository', async () => {
    const folder = await temporaryFolder({ ...files({ 'a.ts': '' }), 'mine/b.ts': 'old' })
    symlinkSync('../mine', join(folder, 'work/lib'))
    git(join(folder, 'work'), 'init', '--quiet')
    git(join(folder, 'work'), 'add', '.')
    const world = { cwd: `../${basename(folder)}/work`, env: { PATH: process.env.PATH ?? '' } }
    const { stdout } = await review(['--json'], world)
    expect(JSON.parse(stdout).flags[0]).toMatchObject({
      verdict: 'unclear',
      reasons: [
        '1 file could not be read: lib/ (a link out of the repository)',
        expect.anything(),
        expect.anything(),
      ],
    })
  })

  it.each(['--fail-on unread', '--call f', '--match (?<flag>a)'])(
    '%s requires --scan',
    async (option) => {
      const argv = ['review', '--project', 'shop', ...option.split(' ')]
      const { code, stderr } = await feature(argv, projects)
      const needing = option.startsWith('--fail') ? option : option.split(' ')[0]
      expect([code, stderr]).toEqual([
        2,
        `error: ${needing} requires --scan\nhint: add --scan <path>\n`,
      ])
    },
  )

  it('leaves names unclear that cannot be searched for', async () => {
    const seed: Projects = { shop: { 'größe-neu': {}, [`a${'-b'.repeat(60)}`]: {}, old: {} } }
    const { stdout } = await review(['--json'], { files: files({ 'a.ts': 'größe-neu' }) }, seed)
    const flags = JSON.parse(stdout).flags as { verdict: string; reasons: string[] }[]
    const judged = flags.filter(({ verdict }) => verdict !== 'in-use')
    expect(judged.map(({ verdict, reasons }) => `${verdict}: ${reasons[0]}`)).toEqual([
      removable,
      'unclear: names that are not legal cannot be found in code',
      'unclear: names that are not legal cannot be found in code',
    ])
  })
})

describe('--removed-since', () => {
  /** A branch on which a file is gone. */
  async function branch(text: string, other = ''): Promise<FeatureWorld> {
    const folder = await temporaryFolder(files({ 'a.ts': other, 'b.ts': text }))
    const cwd = join(folder, 'work')
    const lines = ['init -b main', 'add .', 'commit -m a', 'checkout -b topic', 'rm b.ts']
    for (const line of [...lines, 'commit -m b']) git(cwd, ...line.split(' '))
    return { cwd: `../${basename(folder)}/work`, env: { PATH: process.env.PATH ?? '' } }
  }

  const note = 'note: no flag was removed from the code since main\n'

  it('counts a flag that the code only mentions', async () => {
    const world = await branch("isEnabled('old')", '// old')
    const argv = ['--removed-since', 'main', '--fail-on', 'removable', '--json']
    const { code, stdout } = await review(argv, world, { shop: { old: {} } })
    const [flag] = JSON.parse(stdout).flags
    expect([code, flag.verdict, flag.reasons]).toEqual([
      9,
      'removable',
      expect.arrayContaining(['no longer looked up, still in the text at a.ts:1']),
    ])
  })

  it('is a note without flags', async () => {
    const { code, stderr } = await review(['--removed-since', 'main'], await branch('other'))
    expect([code, stderr]).toEqual([0, note])
  })

  it('exits with 9 if something could not be read there', async () => {
    const world = await branch('version https://git-lfs.github.com/spec/v1\n')
    const { code, stdout, stderr } = await review(['--removed-since', 'main'], world)
    const what = 'flags may have been removed from the code: 1 file could not be read at main'
    expect([code, stderr]).toEqual([9, `${note}error: ${what}\n`])
    expect(stdout).toContain(
      'Incomplete: 1 file could not be read (b.ts: Git LFS pointer, at main)',
    )
  })
})
