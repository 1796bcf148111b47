import { describe, expect, test } from 'vitest'
import { environment, flagadm, repositoryIn, type World } from '../support/flagadm.ts'
import { serve } from '../support/server.ts'
import { table, words } from '../support/text.ts'

const loose =
  'mode: open\nfeatureNaming:\n  pattern: feat-[a-z]+|fix-[a-z]+\n  example: feat-a\n  description: d\n'
const sound =
  'featureNaming:\n  pattern: (?:feat|fix)-[a-z]+\n  example: feat-a\n  description: d\n'
const files = { 'work/loose.yaml': loose, 'work/sound.yaml': sound }

async function naming(argv: readonly string[], world: World = {}) {
  const { code, stdout, stderr } = await flagadm(['naming', ...argv], {
    ...world,
    files: { ...repositoryIn('work'), ...files, ...world.files },
  })
  return { code, stdout, stderr }
}

describe('naming lint', () => {
  test('reports the line of the rule file and exits with 9', async () => {
    expect(await naming(['lint', '--rule', 'loose.yaml'])).toEqual({
      code: 9,
      stdout: `loose.yaml
  3:3  error  loose-alternation  ^ and $ bind only to the outer branches: "zzz-fix-checkout" passes  did you mean (?:feat-[a-z]+|fix-[a-z]+)
`,
      stderr: 'error: the naming rule has problems: loose-alternation\n',
    })
  })

  test('shows names that a rule without errors accepts and rejects', async () => {
    expect(await naming(['lint', '--rule', 'sound.yaml'])).toEqual({
      code: 0,
      stdout: `✓ the rule has no errors
accepts  feat-a  fix-checkout  fix-search
rejects  Feat-a  feat_a  a
`,
      stderr: '',
    })
  })

  test('has the rule, its findings and no samples in JSON', async () => {
    const { code, stdout } = await naming(['lint', '--pattern', 'a b', '-o', 'json'])
    expect(code).toBe(9)
    expect(JSON.parse(stdout)).toMatchObject({
      rule: { pattern: 'a b' },
      findings: [{ code: 'whitespace', severity: 'error' }, { code: 'unsatisfiable' }, {}, {}],
      accepts: [],
      rejects: [],
    })
  })

  test('reports that checks could not be decided', async () => {
    const argv = ['lint', '--pattern', '(?!(.*)x\\1$)x', '--description', 'd']
    const { code, stdout } = await naming(argv)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      / {2}info {2}cannot-decide {2}unsatisfiable, matches-everything could not be decided: a back-reference cannot be analysed\n\? no errors found, but some checks could not be decided\n/,
    )
  })

  test.each([
    [
      'the line of the project configuration',
      [],
      { files: { 'work/.flagadmrc': 'retries: 1\nnaming:\n  pattern: .*\n' } },
      '::warning file=.flagadmrc,line=3,col=3,title=matches-everything::every',
    ],
    ['no place for options', ['--pattern', '.*'], {}, '::warning title=matches-everything::every'],
  ])('has %s in annotations', async (_what, argv, world, start) => {
    const { stdout } = await naming(['lint', ...argv, '-o', 'github'], world)
    expect(stdout.slice(0, start.length)).toBe(start)
  })

  test('has a location in SARIF for options, which code scanning requires', async () => {
    const { stdout } = await naming(['lint', '--pattern', 'a|b', '-o', 'sarif'])
    expect(JSON.parse(stdout).runs[0].results[0].locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'naming' }, region: { startLine: 1 } } },
    ])
  })

  test.each([
    ['error', 0],
    ['warning', 9],
  ])('with --fail-on %s exits with %i for a warning', async (severity, exit) => {
    const argv = ['lint', '--pattern', '.*', '--example', 'a', '--description', 'd']
    expect((await naming([...argv, '--fail-on', severity])).code).toBe(exit)
  })
})

describe('naming check', () => {
  test('accepts names that match', async () => {
    expect(await naming(['check', 'feat-a', 'fix-b', '--rule', 'sound.yaml'])).toEqual({
      code: 0,
      stdout: '✓ 2 names checked: all follow the rule\n',
      stderr: '',
    })
  })

  test.each([
    ['text', 'Names must match ^(?:feat|fix)-[a-z]+$\n<stdin>\n  2  error  Bad\n'],
    ['github', '::error file=<stdin>,line=2,title=naming::Bad: does not match'],
    ['junit', '<testcase name="Bad (2)" classname="&lt;stdin&gt;">'],
    ['sarif', '"artifactLocation":{"uri":"%3Cstdin%3E"},"region":{"startLine":2}'],
  ])('shows standard input and the line in %s', async (format, expected) => {
    const argv = ['check', '--names-from', '-', '--rule', 'sound.yaml', '-o', format]
    const { code, stdout } = await naming(argv, { stdin: 'feat-a\nBad\n' })
    expect(code).toBe(9)
    expect(stdout).toContain(expected)
  })

  test('ignores names of --allow, for which -o names makes the list, and reports other ones', async () => {
    const argv = ['check', 'Legacy', 'feat-a', 'Legacy', 'Old', '--rule', 'sound.yaml']
    const { code, stdout } = await naming([...argv, '-o', 'names'])
    expect([code, stdout]).toEqual([9, 'Legacy\nOld\n'])
    const files = { 'work/allow.txt': `${stdout}Gone\nOlder\n` }
    expect(await naming([...argv, '--allow', 'allow.txt'], { files })).toEqual({
      code: 0,
      stdout: '✓ 1 name checked: all follow the rule, 2 ignored\n',
      stderr: 'warning: allow.txt: these names no longer occur: Gone, Older\n',
    })
  })

  test.each([
    ['text', '✓ there are no names to check\n'],
    ['csv', 'name,reasons,suggestion,project,file,line,column\r\n'],
    ['junit', 'tests="1" failures="0"'],
    ['sarif', '"results":[]'],
  ])('reports nothing in %s without names, and explains why it passes', async (format, text) => {
    const argv = ['check', '--allow-empty', '--rule', 'sound.yaml', '-o', format]
    const { code, stdout, stderr } = await naming(argv)
    expect([code, stdout]).toEqual([0, text === '' ? '' : expect.stringContaining(text)])
    expect(stderr).toContain('note: nothing to check: no names to check\n')
  })
})

describe('naming check --scan', () => {
  const source = {
    'work/src/a.ts': "isEnabled('feat-a')\nisEnabled(flag)\nuseFlag('Feat-B')\n",
    'work/src/b.py': 'client.is_enabled(name)\nclient.is_enabled(\n    "Feat-B")\n',
  }
  const argv = ['check', '--scan', 'src', '--rule', 'sound.yaml']
  const check = (...words: string[]) => naming([...argv, ...words], { files: source })
  const gap = '2 of 5 lookups could not be read'
  const unread = `${gap} (src/a.ts:2:1 isEnabled(flag), src/b.py:1:8 is_enabled(name))`
  const reason = 'does not match ^(?:feat|fix)-[a-z]+$'

  test('groups its report by file, counts a name once, and lookups that could not be read', async () => {
    expect(await check()).toEqual({
      code: 9,
      stdout: `Names must match ^(?:feat|fix)-[a-z]+$
src/a.ts
  3:10  error  Feat-B  did you mean feat-b

src/b.py
  3:6  error  Feat-B  did you mean feat-b

Incomplete: ${unread}
`,
      stderr: 'error: 1 of 2 names breaks the rule\n',
    })
  })

  test.each([
    ['json', '"checked":2,"violations":[{"name":"Feat-B",'],
    ['github', `::warning title=incomplete::${unread}\n`],
    ['csv', `Feat-B,${reason},feat-b,,src/a.ts,3,10\r\nFeat-B,${reason},feat-b,,src/b.py,3,6\r\n`],
    ['csv', `\nwarning: Incomplete: ${unread}\n`],
    ['names', `Feat-B\nwarning: Incomplete: ${unread}\n`],
    ['markdown', '$` | `feat-b` | `src/a.ts:3:10` |\n'],
    ['gitlab', `{"description":"${unread}",`],
    ['junit', 'tests="3" failures="2" errors="0" skipped="1"'],
    ['junit', `<skipped message="${unread}">${unread}</skipped>`],
  ])('has in %s the part %s', async (format, part) => {
    const { code, stdout, stderr } = await check('-o', format)
    expect([code, stdout + stderr]).toEqual([9, expect.stringContaining(part)])
  })

  test('has a notification in SARIF for lookups that could not be read', async () => {
    const { stdout } = await check('-o', 'sarif')
    const [{ results, invocations }] = JSON.parse(stdout).runs
    const place = (uri: string, startLine: number, startColumn: number) => ({
      physicalLocation: { artifactLocation: { uri }, region: { startLine, startColumn } },
    })
    const locations = [place('src/a.ts', 2, 1), place('src/b.py', 1, 8)]
    const notification = { level: 'note', message: { text: gap }, locations }
    expect(results).toHaveLength(2)
    expect(invocations).toEqual([
      { executionSuccessful: true, toolExecutionNotifications: [notification] },
    ])
  })

  test('lists lookups that could not be read with --verbose, and fails with --fail-on', async () => {
    const files = { 'work/src/a.ts': "isEnabled('feat-a')\nisEnabled(flag)\n" }
    expect((await naming(argv, { files })).code).toBe(0)
    const failing = await naming([...argv, '--fail-on', 'unresolved', '--verbose'], { files })
    expect(failing.code).toBe(9)
    expect(failing.stderr).toContain('debug: src/a.ts:2:1: could not be read: isEnabled(flag)\n')
    expect(failing.stderr).toContain(
      `error: 1 of 2 lookups could not be read\nhint: --call or --match can make them readable; a comment flagadm-ignore leaves one out\n`,
    )
  })

  test('reports a constant once, where its text is, in the order of files and lines', async () => {
    const files = {
      'work/b.ts': "isEnabled('B')",
      'work/a.ts': "const FLAG = 'Z'\nisEnabled(FLAG)\nisEnabled('A')\nisEnabled(FLAG)\n",
    }
    const argv = ['check', '--scan', '.', '--pattern', '[a-z]', '-o', 'csv']
    const { stdout } = await naming(argv, { files })
    const rows = stdout.replaceAll(/,does.*?,,/g, ' ').split('\r\n')
    expect(rows.slice(1)).toEqual(['Z a.ts,1,15', 'A a.ts,3,12', 'B b.ts,1,12', ''])
  })
})

test.each(
  table(`
    lint --rule none.yaml | --rule: cannot read none.yaml: no such file | check the path
    lint | no naming rule given | use --project <id> for the stored rule of a project, --rule <file> or --pattern <regex>, or add naming to the project configuration
    check --rule sound.yaml | no names to check | pass names, or use --names-from <file> or --scan <path>; --allow-empty accepts that
    check --scan other --rule sound.yaml | no flag names in 1 scanned file | --call, or scan: { calls: [isOn] } in .flagadmrc, adds functions that take a flag name; --allow-empty accepts that
    check --scan none --rule sound.yaml | --scan: no file matches none | check the path, and whether .gitignore hides it
    check a --pattern a --fail-on unresolved | --fail-on requires --scan | use --scan <path>
    diff --project shop | no naming rule given | use --rule <file> or --pattern <regex>, or add naming to the project configuration
    diff --pattern a | no old rule given | use --from <file> or --from-pattern <regex>, or --project <id> for the stored rule of a project
  `),
)('the command line %j is refused', async (argv, problem, hint) => {
  expect(await naming(words(argv), { files: { 'work/other/a.ts': 'run()\n' } })).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${problem}\nhint: ${hint}\n`,
  })
})

describe('naming diff', () => {
  const broken =
    'old rule        does not compile (Unterminated group), so the service accepts every name\n'
  const open = 'how the rules relate could not be decided: a back-reference cannot be analysed'

  test.each([
    [
      '(',
      'a+',
      `new rule: every name was accepted before\n${broken}newly rejected  names such as checkout, search, banner-login\n`,
    ],
    [
      '',
      'a+',
      'new rule: every name was accepted before\nnewly rejected  names such as checkout, search, banner-login\n',
    ],
    [
      'a+',
      '',
      'no rule: every name will be accepted\nnewly accepted  names such as checkout, search, banner-login\n',
    ],
    ['(a)\\1', 'aa', `undecided: ${open}\n`],
    [
      'feat-.+|fix-.+',
      '(feat|fix)-.+',
      'narrower: the new rule accepts only some of the names that the old one accepts\nnewly rejected  names such as afix-a\n',
    ],
  ])('explains the change from %j to %j', async (from, to, text) => {
    const files = {
      'work/old.yaml': JSON.stringify({ featureNaming: { pattern: from } }),
      'work/new.yaml': JSON.stringify({ featureNaming: { pattern: to } }),
    }
    const argv = ['diff', '--from', 'old.yaml', '--rule', 'new.yaml']
    const { code, stdout } = await naming(argv, { files })
    expect([code, stdout]).toEqual([0, text])
  })

  describe('of existing names', () => {
    const argv = ['diff', '--from-pattern', '[a-z-]+', '--pattern', '[a-m-]+']
    const names = ['alpha', 'zulu-one', 'zulu-two', 'zulu-one', 'alm']
    const files = { 'work/names.txt': `# legacy\n${names.join('\n')}\n` }
    const diff = (words: readonly string[], world: World = {}) =>
      naming([...argv, '--names-from', 'names.txt', ...words], { files, ...world })

    test('lists them with their places, and counts them', async () => {
      const { stdout } = await diff([], { columns: 80, env: { NO_COLOR: '1' } })
      expect(stdout.split('\n').slice(1)).toEqual([
        'names.txt',
        '  2  warning  alpha     newly rejected',
        '  3  warning  zulu-one  newly rejected',
        '  4  warning  zulu-two  newly rejected',
        '  5  warning  zulu-one  newly rejected',
        'newly accepted  0 existing names',
        'newly rejected  3 existing names; names such as checkout, search, banner-login',
        'compared        5 existing names',
        '',
      ])
    })

    test('has them with their places in JSON', async () => {
      const { stdout } = await diff(['--json'])
      const uses = ['alpha', 'zulu-one', 'zulu-two', 'zulu-one']
      expect(JSON.parse(stdout)).toEqual({
        relation: 'narrower',
        compared: 5,
        newlyAccepted: { witnesses: [], names: [], uses: [] },
        newlyRejected: {
          witnesses: ['checkout', 'search', 'banner-login'],
          names: ['alpha', 'zulu-one', 'zulu-two'],
          uses: uses.map((name, index) => ({ name, file: 'names.txt', line: index + 2 })),
        },
      })
    })

    test('annotates their places on GitHub, and fails with --fail-on', async () => {
      const { code, stdout } = await diff(['-o', 'github', '--fail-on', 'rejected'])
      const lines = stdout.trimEnd().split('\n')
      expect([code, lines.filter((line) => !line.includes('title=summary'))]).toEqual([
        9,
        ['alpha', 'zulu-one', 'zulu-two', 'zulu-one'].map((name, index) => {
          return `::warning file=names.txt,line=${index + 2},title=naming-diff::${name}: newly rejected`
        }),
      ])
      expect(lines).toContain(
        '::notice title=summary::newly rejected: 3 existing names; names such as checkout, search, banner-login',
      )
    })
  })

  test.each([
    [['--rule', 'sound.yaml', '--fail-on', 'rejected'], 9, 'error: names become rejected\n'],
    [['--rule', 'sound.yaml', '--fail-on', 'accepted'], 0, ''],
    [['--rule', 'sound.yaml', '--fail-on', 'any', '--names-from', '-'], 0, ''],
    [['--fail-on', 'any', '--names-from', '-', '--pattern', 'x'], 9, /existing names become/],
    [['--fail-on', 'accepted', '--pattern', '(a)\\1'], 9, /names may become accepted/],
  ])('with %j exits with %i', async (argv, exit, message) => {
    const rule = ['--from', 'loose.yaml']
    const { code, stderr } = await naming(['diff', ...rule, ...argv], { stdin: 'feat-a\n' })
    expect(code).toBe(exit)
    expect(stderr).toMatch(typeof message === 'string' ? RegExp(`^${message}$`) : message)
  })

  test('notes that there are no existing names', async () => {
    const argv = ['diff', '--from-pattern', 'a', '--pattern', 'b', '--names-from', '-']
    const { code, stderr } = await naming(argv, { stdin: '' })
    expect([code, stderr]).toEqual([
      0,
      'note: nothing to compare: no flag names in standard input\n',
    ])
  })
})

test.each([
  [['--pattern', '('], 'pattern', 'no-compile', 'correct it'],
  [['--pattern', 'a', '--example', 'b'], 'example', 'example-mismatch', 'correct it'],
  [['--pattern', 'a.*|b.*'], 'pattern', 'loose-alternation', 'write (?:a.*|b.*)'],
  [['--pattern', '(a+)+'], 'pattern', 'catastrophic', 'correct it'],
])(
  'project settings set %j is refused before anything is sent',
  async (argv, field, finding, hint) => {
    const server = await serve((response) => response.writeHead(200).end())
    const { code, stderr } = await flagadm(['project', 'settings', 'set', 'p', ...argv], {
      env: environment(server.url),
    })
    expect([code, server.received]).toEqual([2, []])
    expect(stderr).toMatch(new RegExp(`^error: --${field}: .* \\(${finding}\\)\n`))
    expect(stderr).toContain(`\nhint: ${hint}, or send it with --no-verify\n`)
  },
)
