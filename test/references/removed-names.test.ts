import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'
import { git } from '../support/git.ts'
import { ending } from '../support/text.ts'

const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n'

describe('--removed-since', () => {
  /** A repository whose work tree lacks two of three flags of its commit. */
  async function repository(own: Record<string, string> = {}): Promise<string> {
    const root = await temporaryFolder({
      ...own,
      'src/a.ts': "isEnabled('a')\nisEnabled('b')\nisEnabled('c-beta')\n",
    })
    git(root, 'init', '--quiet', '--initial-branch', 'main')
    git(root, 'add', '--all')
    git(root, 'commit', '--quiet', '--message', 'm')
    writeFileSync(join(root, 'src/a.ts'), "isEnabled('b')\nconst x = `${y}-beta`\n")
    return root
  }

  async function removed(root: string, ...argv: string[]) {
    const scan = ['feature', 'references', '--scan', 'src', '--removed-since', 'main']
    const { code, stdout, stderr } = await flagadm([...scan, ...argv], {
      cwd: join('..', basename(root)),
      env: { PATH: process.env.PATH ?? '' },
    })
    return { code, stdout, stderr }
  }

  it('shows names that lookups used, where they were', async () => {
    expect((await removed(await repository(), '-o', 'csv')).stdout.split('\r\n')).toEqual([
      'name,project,status,file,line,column,kind,text,inCode,change,verdict',
      "a,,not in the code,src/a.ts,1,12,text,isEnabled('a'),false,removed,",
      "c-beta,,unclear: a composed text may be its name,src/a.ts,3,12,text,isEnabled('c-beta'),,removed,",
      '',
    ])
  })

  const mentions = {
    'src/CHANGELOG.md': '- Add shop-cards\n',
    'src/b.ts':
      "if (unleash.isEnabled('shop-cards')) show()\nif (unleash.isEnabled('kept')) show()\n",
  }

  /** A repository whose work tree no longer looks up a flag that it mentions. */
  async function mentioning(later: Record<string, string> = {}): Promise<string> {
    const root = await repository(mentions)
    writeFileSync(join(root, 'src/b.ts'), "if (unleash.isEnabled('kept')) show()\n")
    for (const [file, text] of Object.entries(later)) writeFileSync(join(root, file), text)
    return root
  }

  it.each([
    ['of lookups', []],
    ['known ones', ['shop-cards', 'kept']],
  ])('shows names that are only mentioned now: %s', async (_, names) => {
    const root = await mentioning({ 'src/CHANGELOG.md': '- Remove shop-cards\n- Add shop-cards\n' })
    const { stdout } = await removed(root, ...names, '--json')
    const { references } = JSON.parse(stdout)
    expect(references.find(({ name }: { name: string }) => name === 'shop-cards')).toEqual({
      name: 'shop-cards',
      project: null,
      status: 'no longer looked up, still in the text at src/CHANGELOG.md:1, src/CHANGELOG.md:2',
      file: 'src/b.ts',
      line: 1,
      column: 24,
      kind: 'text',
      text: "isEnabled('shop-cards')",
      inCode: true,
      change: 'removed',
      verdict: null,
    })
    expect((await removed(root, ...names, '-o', 'names')).stdout).toContain('shop-cards\n')
  })

  it.each([
    ['another lookup uses it', "isEnabled('shop-cards')", undefined],
    ['a lookup may use it', 'isEnabled(`shop-${x}`)', 'unclear: a composed text may be its name'],
    ['a lookup may use any', 'isEnabled(process.env.X)', 'unclear: some lookups could not be read'],
  ])('says so if %s', async (_, text, doubt) => {
    const { stdout } = await removed(await mentioning({ 'src/c.ts': text }), '--json')
    const { references } = JSON.parse(stdout)
    const row = references.find(({ name }: { name: string }) => name === 'shop-cards')
    const mention = 'no longer looked up, still in the text at src/CHANGELOG.md:1'
    expect(row?.status).toBe(doubt && `${mention}; ${doubt}`)
  })

  it('shows known names that were anywhere, and calls composed ones unclear', async () => {
    const root = await repository({ 'src/old.bin': pointer })
    rmSync(join(root, 'src/old.bin'))
    writeFileSync(join(root, 'src/x.ts'), 'a')
    const argv = ['a', 'b', 'c-beta', 'other', '-o', 'names', '--scan', '!src/x.ts']
    expect(await removed(root, ...argv)).toEqual({
      code: 0,
      stdout: 'a\n',
      stderr: `note: 1 file excluded
warning: left out because they may be in the code: c-beta
warning: Incomplete: 1 file could not be read (src/old.bin: Git LFS pointer, at main)
`,
    })
  })

  it.each(['main..', 'main...', 'HEAD'])('accepts the revision %s', async (revision) => {
    const root = await repository()
    const { stdout } = await removed(root, 'a', '--removed-since', revision, '-o', 'names')
    expect(stdout).toBe('a\n')
  })

  it('compares with where the branch left the revision', async () => {
    const root = await repository()
    git(root, 'stash', '--quiet')
    git(root, 'checkout', '--quiet', '-b', 'topic')
    git(root, 'checkout', '--quiet', 'main')
    writeFileSync(join(root, 'src/b.ts'), "isEnabled('later')")
    git(root, 'add', '--all')
    git(root, 'commit', '--quiet', '--message', 'later')
    git(root, 'checkout', '--quiet', 'topic')
    git(root, 'stash', 'pop', '--quiet')
    expect((await removed(root, 'a', 'later', '-o', 'names')).stdout).toBe('a\n')
  })

  it('refuses a revision without a common commit', async () => {
    const root = await repository()
    git(root, 'checkout', '--quiet', '--orphan', 'other')
    git(root, 'commit', '--quiet', '--all', '--message', 'n')
    expect(ending(await removed(root))).toBe(
      "2 error: --removed-since: no common commit of HEAD and 'main'\nhint: a shallow clone lacks older commits: run git fetch --unshallow, or use fetch-depth: 0 with actions/checkout\n",
    )
  })

  it('warns if a path did not exist', async () => {
    const root = await repository()
    mkdirSync(join(root, 'lib'))
    renameSync(join(root, 'src/a.ts'), join(root, 'lib/a.ts'))
    const { stderr } = await removed(root, '--scan', 'lib', '-o', 'names')
    expect(stderr).toContain('warning: lib matches no file at main: was it renamed?\n')
    rmSync(join(root, 'lib'), { recursive: true })
    const { code, stderr: error } = await removed(root, '--scan', 'none')
    expect({ code, error }).toEqual({
      code: 2,
      error:
        'error: --scan: no file matches none\nhint: check the path; it matches no file at main either\n',
    })
  })
})
