import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { branchOf, worldIn } from '../support/branch.ts'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'
import { git } from '../support/git.ts'
import { ending } from '../support/text.ts'
import { feature, type FeatureWorld, type FlagSeed, type Projects } from '../flags/service.ts'

/** Calls of an SDK with some arguments, one per line. */
function calls(...names: readonly string[]): string {
  return names.map((name) => `isEnabled(${name})\n`).join('')
}

const before = { 'src/a.ts': calls("'kept'", "'moved'", "'gone'", 'old') }
const changes = { 'src/a.ts': calls("'kept'", "'new'", 'old'), 'src/b.ts': calls("'moved'") }

async function references(root: string, ...argv: readonly string[]) {
  const scan = ['feature', 'references', '--scan', 'src']
  const { code, stdout, stderr } = await flagadm([...scan, ...argv], worldIn(root))
  return { code, stdout, stderr }
}

/** The rows that are added, as `new src/a.ts:2` and, for a lookup without a name, `unresolved src/a.ts:2`. */
async function added(root: string, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await references(
    root,
    '--added-since',
    'main',
    ...argv,
    '--json',
  )
  const rows: Record<string, string>[] = JSON.parse(stdout).references
  return {
    code,
    rows: rows.map(
      ({ name, kind, file, line }) => `${name ?? kind} ${file}${line ? `:${line}` : ''}`,
    ),
    stderr,
  }
}

describe('--added-since', () => {
  it('shows the names that lookups use and did not use', async () => {
    const root = await branchOf(before, changes)
    expect(await references(root, '--added-since', 'main')).toEqual({
      code: 0,
      stdout: `Flag  Change  Place          Kind  Text
───────────────────────────────────────────────────
new   added   src/a.ts:2:12  call  isEnabled('new')

1 name, 1 place; 2 files read
`,
      stderr: '',
    })
  })

  it('also shows what is not committed, and each place of a new name', async () => {
    const root = await branchOf(before, changes)
    writeFileSync(join(root, 'src/c.ts'), calls("'new'", "'newer'"))
    expect((await added(root)).rows).toEqual([
      'new src/a.ts:2',
      'new src/c.ts:1',
      'newer src/c.ts:2',
    ])
  })

  it('reads what was in a file that has no lookups any more', async () => {
    const root = await branchOf(
      { 'src/a.ts': calls("'moved'") },
      { 'src/a.ts': 'let a\n', 'src/b.ts': calls("'moved'") },
    )
    expect((await added(root)).rows).toEqual([])
  })

  it('knows the SDK that a file used', async () => {
    const files = {
      'src/a.ts': "unleash.isEnabled('x')\n",
      'src/own.ts': 'export function isEnabled(name) { return name }\n',
      'src/sdk.ts': "import { useFlag } from '@unleash/nextjs'\n",
    }
    const root = await branchOf(files, { 'src/sdk.ts': 'let sdk\n' })
    const { stdout } = await references(root, '--removed-since', 'main', '-o', 'csv')
    expect(stdout.split('\r\n')[1]).toBe(
      `x,,"no longer looked up, still in the text at src/a.ts:1",src/a.ts,1,20,text,isEnabled('x'),true,removed,`,
    )
  })

  it('with --removed-since, shows both', async () => {
    const root = await branchOf(before, changes)
    const both = ['--added-since', 'main', '--removed-since', 'main']
    const { stdout } = await references(root, ...both, '-o', 'csv')
    expect(stdout.split('\r\n')).toEqual([
      'name,project,status,file,line,column,kind,text,inCode,change,verdict',
      "new,,,src/a.ts,2,12,call,isEnabled('new'),true,added,",
      "gone,,unclear: some lookups could not be read,src/a.ts,3,12,text,isEnabled('gone'),,removed,",
      ',,could not be read at main,src/a.ts,4,1,unresolved,isEnabled(old),,,',
      '',
    ])
    const check = await references(root, ...both, '--fail-on', 'unresolved', '-o', 'github')
    expect(check.code).toBe(0)
    expect(check.stdout).toContain('title=unresolved::could not be read at main\n')
    expect(check.stdout).toContain('title=reference::new: added\n')
    expect(await references(root, ...both, '-o', 'names')).toEqual({
      code: 0,
      stdout: 'new\n',
      stderr: `warning: left out because they may be in the code: gone
warning: Incomplete: 1 of 4 lookups could not be read, in src/a.ts:3:1, so flags that the code does not contain are unclear
warning: Incomplete: 1 of 4 lookups could not be read at main (src/a.ts:4:1 isEnabled(old))
`,
    })
  })

  it('looks for given names in all texts', async () => {
    const root = await branchOf(before, { ...changes, 'src/x.md': 'other, and moved' })
    const both = [
      '--added-since',
      'main',
      '--removed-since',
      'main',
      'other',
      'gone',
      'moved',
      'kept',
    ]
    const { stdout } = await references(root, ...both, '-o', 'names')
    expect(stdout).toBe('other\n')
    expect((await added(root, 'other', 'moved', 'none')).rows).toEqual(['other src/x.md:1'])
  })

  it('finds what an unchanged file uses of a changed one', async () => {
    const files = {
      'src/a.ts': "import { Flags } from './flags'\nisEnabled(Flags.Basket)\nisOn('y')\n",
      'src/flags.ts': "export const Flags = { Basket: 'basket' }\n",
      'src/other.ts': 'export const x = 1\n',
    }
    const root = await branchOf(files, {
      'src/flags.ts': "export const Flags = { Basket: 'new-basket' }\n",
      'src/wrapper.ts': 'export function isOn(name) { return isEnabled(name) }\n',
    })
    expect((await added(root)).rows).toEqual(['new-basket src/a.ts:2', 'y src/a.ts:3'])
  })

  it('reads custom patterns and calls in files of any kind, the same or not', async () => {
    const own = {
      'src/a.conf': 'flag:old',
      'src/b.ts': "isOn('kept')",
      'src/c.ts': "isEnabled('c')",
    }
    const root = await branchOf(own, { 'src/d.conf': 'flag:new', 'src/e.ts': "isOn('added')" })
    const options = ['--match', String.raw`flag:(?<flag>\w+)`, '--call', 'isOn']
    expect((await added(root, ...options)).rows).toEqual(['added src/e.ts:1', 'new src/d.conf:1'])
  })

  it.each([
    ['names', [], 'No names were added to the code.\n'],
    [
      'of both kinds',
      ['--removed-since', 'main'],
      'No names were added to the code or removed from it.\n',
    ],
  ])('succeeds without changes: %s', async (_, argv, text) => {
    const root = await branchOf({ 'src/a.ts': calls("'kept'") }, { 'README.md': 'x' })
    const { code, stdout } = await references(root, '--added-since', 'main', ...argv)
    expect([code, stdout]).toEqual([0, `${text}\n0 names, 0 places; 1 file read\n`])
    const check = ['--fail-on', 'unresolved,unread']
    expect((await references(root, '--added-since', 'main', ...check)).code).toBe(0)
  })

  it('is not a check without any lookups', async () => {
    const root = await branchOf({ 'src/a.ts': 'none' }, { 'src/a.ts': 'other' })
    const { code, stderr } = await references(root, '--added-since', 'main')
    const why =
      'no lookup of a flag in 1 file; --call, or scan: { calls: [isOn] } in .flagadmrc, adds functions that take a flag name\n'
    expect([code, stderr]).toEqual([0, `note: ${why}`])
    const check = await added(root, '--fail-on', 'unresolved')
    expect(check.code).toBe(2)
  })

  it('accepts one revision', async () => {
    const root = await branchOf(before, changes)
    const two = ['--added-since', 'main', '--removed-since', 'topic']
    expect(ending(await references(root, ...two))).toBe(
      '2 error: --added-since and --removed-since require the same revision\nhint: give both the same one, or run the command twice\n',
    )
    expect(ending(await references(root, '--added-since', 'nope'))).toContain(
      "2 error: --added-since: unknown revision 'nope'\n",
    )
    expect(ending(await references(root, '--added-since', 'main', '--unknown'))).toContain(
      '2 error: --unreferenced, --unknown and --added-since cannot be combined\n',
    )
  })

  it('warns if a path did not exist', async () => {
    const root = await branchOf(before, changes)
    mkdirSync(join(root, 'lib'))
    renameSync(join(root, 'src/b.ts'), join(root, 'lib/b.ts'))
    const { stderr } = await references(root, '--added-since', 'main', '--scan', 'lib')
    expect(stderr).toBe('warning: lib matches no file at main: was it renamed?\n')
  })
})

describe('what could not be read', () => {
  it('counts if the lookup is new, not if it has moved', async () => {
    const files = { 'src/a.ts': calls('x', 'y', 'y', 'z') }
    const root = await branchOf(files, {
      'src/a.ts': `// A line more.\n${calls('y', 'y', 'y', 'w')}`,
      'src/b.ts': calls('x'),
    })
    const { code, rows, stderr } = await added(root, '--fail-on', 'unresolved')
    expect({ code, rows }).toEqual({
      code: 9,
      rows: ['unresolved src/a.ts:4', 'unresolved src/a.ts:5'],
    })
    expect(JSON.parse(stderr).error.message).toBe('unresolved: src/a.ts:4:1, src/a.ts:5:1')
    const { stdout } = await references(root, '--added-since', 'main')
    expect(stdout).toContain(
      'Incomplete: 2 new lookups could not be read (src/a.ts:4:1 isEnabled(y), src/a.ts:5:1 isEnabled(w))\n',
    )
  })

  it('counts only in files that have changed', async () => {
    const files = {
      'src/a.ts': "isOn('shop-cards')\n",
      'src/on.ts': 'export function isOn(name) { return isEnabled(name) }\n',
    }
    const root = await branchOf(files, { 'src/a.ts': '' })
    expect(await added(root, '--fail-on', 'unresolved')).toEqual({ code: 0, rows: [], stderr: '' })
  })

  const pointer = (size: number) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize ${size}\n`

  it('counts if the file is new or has changed', async () => {
    const files = {
      'src/a.ts': calls("'kept'"),
      'src/old.ts': pointer(1),
      'src/changed.ts': pointer(1),
    }
    const root = await branchOf(files, { 'src/changed.ts': pointer(2), 'src/new.ts': pointer(3) })
    const { code, rows } = await added(root, '--fail-on', 'unread')
    expect({ code, rows }).toEqual({
      code: 9,
      rows: ['unread src/changed.ts', 'unread src/new.ts', 'unread src/changed.ts'],
    })
  })

  it('leaves open whether a name is new', async () => {
    const root = await branchOf({ 'src/a.ts': pointer(1) }, { 'src/a.ts': calls("'name'") })
    const { stdout } = await references(root, '--added-since', 'main', '--json')
    expect(JSON.parse(stdout).references[0]).toMatchObject({
      name: 'name',
      status: 'unclear: src/a.ts could not be read at main',
    })
    const names = await references(root, '--added-since', 'main', '-o', 'names')
    expect([names.stdout, names.stderr]).toEqual([
      '',
      `warning: left out because they may have been in the code: name
warning: Incomplete: 1 file could not be read (src/a.ts: Git LFS pointer, at main)
`,
    ])
  })

  it('is not new in a submodule that is the same', async () => {
    const inner = await temporaryFolder({ 'a.ts': calls("'inner'", 'x') })
    git(inner, 'init', '--quiet', '--initial-branch', 'main')
    git(inner, 'add', '--all')
    git(inner, 'commit', '--quiet', '--message', 'm')
    const root = await branchOf({ 'src/a.ts': calls("'kept'") }, {})
    git(root, 'submodule', '--quiet', 'add', inner, 'src/sub')
    git(root, 'commit', '--quiet', '--message', 'sub')
    expect((await added(root)).rows).toEqual(['inner src/sub/a.ts:1', 'unresolved src/sub/a.ts:2'])
    git(root, 'branch', '--force', 'main')
    expect(await added(root, '--fail-on', 'unread,unresolved')).toEqual({
      code: 0,
      rows: [],
      stderr: '',
    })
  })
})

describe('what a reviewer wants to know', () => {
  const finished: FlagSeed = {
    production: { on: true, seen: 0.1 },
    usage: [{ hoursAgo: 3, yes: 9, no: 0 }],
    days: Array.from({ length: 29 }, (_, index) => ({ daysAgo: index + 2, yes: 9, no: 0 })),
  }
  const projects: Projects = {
    shop: {
      done: finished,
      gone: {},
      used: { usage: [{ hoursAgo: 1, yes: 1, no: 0 }] },
      known: {},
    },
    other: { past: { archived: true } },
  }

  /** A branch that adds and removes names, with a rule. */
  async function world(rule = 'naming: { pattern: "[a-z-]+" }\n'): Promise<FeatureWorld> {
    const names = { 'src/a.ts': calls("'gone'", "'used'", "'done'"), '.flagadmrc': rule }
    const root = await branchOf(names, { 'src/a.ts': calls("'known'", "'past'", "'Fresh'") })
    return { ...worldIn(root), keepsDays: true }
  }

  const argv = ['references', '--scan', 'src', '--added-since', 'main', '--removed-since', 'main']

  it('is in the Markdown for a pull request', async () => {
    const all = [...argv, '--all-projects', '-o', 'markdown']
    const { code, stdout, stderr } = await feature(all, projects, await world())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`<!-- flagadm feature references -->
| Flag | Change | Project | Verdict | Status | Place | Kind | Text |
| --- | --- | --- | --- | --- | --- | --- | --- |
| \`Fresh\` | added |  |  | no flag yet: not a flag of any project that the service lists; breaks the naming rule: does not match \`^[a-z-]+$\` (did you mean fresh?) | \`src/a.ts:3:12\` | call | isEnabled('Fresh') |
| \`known\` | added | \`shop\` |  |  | \`src/a.ts:1:12\` | call | isEnabled('known') |
| \`past\` | added |  |  | archived in project other | \`src/a.ts:2:12\` | call | isEnabled('past') |
| \`done\` | removed | \`shop\` | finished | keep on: on for all 30 d in production; 270 evaluations in 30 d; last used 2 h ago by web in production | \`src/a.ts:3:12\` | text | isEnabled('done') |
| \`gone\` | removed | \`shop\` | removable | no usage in 30 d; not in the code; off everywhere; created 9 mo ago; not seen in its project's environments (production) | \`src/a.ts:1:12\` | text | isEnabled('gone') |
| \`used\` | removed | \`shop\` | in use | 1 evaluation in 30 d; last used 1 h ago by web in production | \`src/a.ts:2:12\` | text | isEnabled('used') |

6 names, 6 places; 1 file read
`)
  })

  it('fails with the flags whose usage could not be read', async () => {
    const failing = { shop: { gone: { status: 500 } } }
    const all = [...argv, '--project', 'shop', '-o', 'names']
    const { code, stdout } = await feature(all, failing, await world())
    expect([code, stdout]).toEqual([8, 'Fresh\nknown\npast\ngone\n'])
  })

  it('needs no service for the rule', async () => {
    const { stdout } = await feature([...argv, '-o', 'tsv'], {}, await world())
    expect(stdout).toContain('Fresh\t\tbreaks the naming rule: does not match')
  })

  it('refuses a rule without a pattern', async () => {
    const { code, stderr } = await feature(argv, {}, await world('naming: { pattern: "(" }\n'))
    expect([code, stderr]).toEqual([2, expect.stringContaining('not a valid regular expression')])
  })
})
