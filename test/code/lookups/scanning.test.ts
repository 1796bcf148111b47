import { describe, expect, it } from 'vitest'
import { flagadm, repositoryIn } from '../../support/flagadm.ts'
import { ending, words } from '../../support/text.ts'

const check = ['naming', 'check', '--pattern', '[a-z-]+']

async function names(argv: readonly string[], files: Record<string, string>, cwd = 'work') {
  const { code, stdout, stderr } = await flagadm(
    ['feature', 'references', ...argv, '-o', 'names'],
    { files, cwd },
  )
  return { code, names: stdout.split('\n').slice(0, -1), stderr }
}

describe('--call', () => {
  const files = {
    ...repositoryIn('work'),
    'work/a.ts': "isOn('a'); has(user, 'b'); on({ flag: 'c' })\n",
  }

  it.each([
    ['--call isOn', ['a']],
    ['--call isOn --call has:2', ['a', 'b']],
    ['--call on:flag', ['c']],
  ])('%j finds %j', async (argv, found) => {
    expect(await names(['--scan', '.', ...words(argv)], files)).toEqual({
      code: 0,
      names: found,
      stderr: '',
    })
  })

  it.each(['a b', 'isOn:0', 'isOn:'])('refuses %j', async (call) => {
    expect(await names(['--scan', '.', '--call', call], files)).toEqual({
      code: 2,
      names: [],
      stderr: `error: --call: invalid function '${call}'
hint: use the name as in the code: isOn, or isOn:2 or isOn:key for another argument
`,
    })
  })

  it('requires something to scan', async () => {
    expect(ending(await flagadm([...check, 'a', '--call', 'isOn']))).toBe(
      '2 error: nothing to scan\nhint: use --scan <path>, or add scan.paths to the project configuration\n',
    )
  })
})

describe('files after --scan, as from a glob without quotation marks', () => {
  const files = { 'work/a/x.ts': "isEnabled('a')\n", 'work/b/x.ts': "isEnabled('b')\n" }

  it.each([
    ['feature', 'references'],
    ['naming', 'check', '--pattern', '.*'],
  ])('are refused: %j %j', async (...command) => {
    const argv = [...command, '--scan', 'a/x.ts', 'b/x.ts']
    const { code, stdout, stderr } = await flagadm(argv, { files })
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: b/x.ts is a file, not the name of a flag\n' +
        'hint: write the glob of --scan in quotation marks, or --scan before each file\n',
    })
  })

  it('may have the names of flags if they are folders or other words', async () => {
    const argv = ['--scan', 'a/x.ts', 'a', 'b/', 'c.ts', 'd.'.repeat(5000)]
    expect((await names(argv, files)).code).toBe(0)
  })
})

it('lists unread files and unread lookups with --verbose', async () => {
  const files = {
    ...repositoryIn('work'),
    'work/.gitignore': 'gen\n',
    'work/gen/a.ts': "isEnabled('x')",
    'work/a.ts': "const isOn = (name) => client.isEnabled(name)\nisOn('a'); isEnabled(b)\n",
    'work/a.kt':
      'fun Toggle.isOn() = unleash.isEnabled(key)\nenum class Toggle(val key: String) { C("c") }',
    'work/large.ts': `${' '.repeat(1024 * 1024)}isEnabled(x)`,
  }
  const { stderr } = await names(['--scan', '.', '-v'], files)
  expect(stderr).toBe(`debug: a.kt:1:29: could not be read: isEnabled(key)
debug: a.ts:2:12: could not be read: isEnabled(b)
warning: Incomplete: 2 of 3 lookups could not be read (a.kt:1:29 isEnabled(key), a.ts:2:12 isEnabled(b))
warning: Incomplete: 1 file could not be read (large.ts: larger than 1 MiB)
`)
})

it('refuses a glob that takes long to compile', async () => {
  const glob = `${'('.repeat(4000)}*`
  const world = { files: { 'work/src/a.ts': "isEnabled('a')" } }
  const outcome = await flagadm(['feature', 'references', 'a', '--scan', glob], world)
  expect(ending(outcome)).toBe(
    `2 error: --scan ${'('.repeat(100)}: not a valid glob\nhint: use a shorter glob\n`,
  )
})

it.each(['src/a.ts/x', 'a'.repeat(4000)])(
  'refuses a path that no file can have: %s',
  async (path) => {
    const world = { files: { 'work/src/a.ts': "isEnabled('a')" } }
    const outcome = await flagadm(['feature', 'references', 'a', '--scan', path], world)
    expect(ending(outcome)).toBe(
      `2 error: --scan: no file matches ${path}\nhint: check the path, and whether .gitignore hides it\n`,
    )
  },
)

it('refuses a path that matches no file, even with --allow-empty', async () => {
  expect(ending(await flagadm([...check, '--scan', 'nosuchdir', '--allow-empty']))).toBe(
    '2 error: --scan: no file matches nosuchdir\nhint: check the path, and whether .gitignore hides it\n',
  )
})

describe('the scan of the configuration', () => {
  const code = {
    'work/src/a.ts': "isOn('a'); isEnabled('b')\n",
    'work/src/gen/b.ts': "isEnabled('generated')\n",
    'work/lib/c.ts': "isEnabled('c'); look('d')\n",
    'work/pkg/e.ts': '',
  }
  const configured = (scan: object) => ({
    ...code,
    ...repositoryIn('work'),
    'work/.flagadmrc': JSON.stringify({ scan }),
  })

  it('is used without options', async () => {
    const files = configured({ paths: ['src'], exclude: ['src/gen'], calls: ['isOn'] })
    expect(await names([], files)).toEqual({
      code: 0,
      names: ['a', 'b'],
      stderr: 'note: 1 file excluded\n',
    })
  })

  it('has paths that --scan replaces', async () => {
    const files = configured({ paths: ['src'], exclude: ['src/gen'] })
    const argv = ['--scan', 'lib', '--match', String.raw`look\('(?<flag>\w+)'`]
    expect((await names(argv, files)).names).toEqual(['c', 'd'])
  })

  it('has patterns, and paths from the folder of its file', async () => {
    const files = configured({ paths: ['lib'], match: [String.raw`look\('(?<flag>\w+)'`] })
    expect((await names([], files, 'work/pkg')).names).toEqual(['c', 'd'])
  })

  const opaque = 'export const hasFlag = (flag) => unleash.isEnabled(known(flag))\n'
  it.each([
    'feature references',
    'feature references none',
    'feature review billing-statements --scan src -p sandbox',
    'naming check --pattern [a-z-]+',
  ])('settles what it covers: %s', async (command) => {
    const pattern = String.raw`hasFlag\('(?<flag>[^']+)`
    for (const scan of [{ calls: ['hasFlag'] }, { match: [pattern] }]) {
      const own = { 'work/src/flags.ts': opaque, 'work/src/use.ts': "hasFlag('new-ui')\n" }
      const open = { ...configured({ paths: ['src'] }), ...own }
      const settled = { ...configured({ paths: ['src'], ...scan }), ...own }
      const argv = words(command)
      const [before, now] = [
        await flagadm(argv, { files: open }),
        await flagadm(argv, { files: settled }),
      ]
      expect(before.stdout + before.stderr).toContain('could not be read')
      expect(now.stdout + now.stderr).not.toContain('could not be read')
    }
  })

  it.each([
    [[], 1],
    [['x', 'y'], 2],
  ])('is used by naming check unless other names are given: %j', async (argv, checked) => {
    const own = { 'work/src/u.ts': "isEnabled('dark-mode')\n" }
    const files = { ...configured({ paths: ['src/u.ts'] }), ...own }
    const { stdout } = await flagadm([...check, ...argv, '-o', 'json'], { files })
    expect(JSON.parse(stdout)).toMatchObject({ checked })
  })

  it.each([
    [{ calls: ['a b'] }, "scan.calls: invalid function 'a b'"],
    [{ match: ['x'] }, 'scan.match: x: the pattern has no group named flag or constant'],
    [{ path: 'src' }, 'scan.path: unknown field'],
  ])('refuses %j', async (scan, problem) => {
    const { code, stderr } = await names([], configured(scan))
    expect(code).toBe(3)
    expect(stderr.split('\n')[0]).toMatch(/^error: \S+\/\.flagadmrc: /)
    expect(stderr).toContain(problem)
  })
})

describe('in a folder of a repository', () => {
  const files = {
    'work/pkg/src/a.ts': "isEnabled('A')\n",
    'work/pkg/rule.yaml': 'featureNaming:\n  pattern: "[a-z"\n',
    ...repositoryIn('work'),
  }

  async function inPackage(argv: readonly string[]) {
    return flagadm(argv, { files, cwd: 'work/pkg' })
  }

  it.each(['github', 'gitlab', 'junit', 'sarif'])('%s has paths from its root', async (format) => {
    const { stdout } = await inPackage([...check, '--scan', 'src', '-o', format])
    expect(stdout).toContain('pkg/src/a.ts')
    const lint = ['naming', 'lint', '--rule', 'rule.yaml', '-o', format]
    if (format !== 'junit') expect((await inPackage(lint)).stdout).toContain('pkg/rule.yaml')
  })

  it('text and JSON have paths from the working directory', async () => {
    expect((await inPackage([...check, '--scan', 'src'])).stdout).toMatch(/^src\/a.ts\n/m)
    const { stdout } = await inPackage([...check, '--scan', 'src', '-o', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({ violations: [{ file: 'src/a.ts' }] })
  })
})

it('reading names from a terminal prints a note', async () => {
  const argv = [...check, '--names-from', '-', '--no-color']
  expect((await flagadm(argv, { stdin: 'new-ui\n', dialog: [] })).stderr).toBe(
    'note: reading names from the terminal, one per line; Ctrl-D ends the list\n',
  )
  expect((await flagadm(argv, { stdin: 'new-ui\n' })).stderr).toBe('')
})
