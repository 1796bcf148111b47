import { describe, expect, test } from 'vitest'
import { environment, flagadm, repositoryIn, type World } from '../support/flagadm.ts'
import { serve } from '../support/server.ts'

const loose =
  'mode: open\nfeatureNaming:\n  pattern: feat-[a-z]+|fix-[a-z]+\n  example: feat-a\n  description: d\n'
const sound =
  'featureNaming:\n  pattern: (?:feat|fix)-[a-z]+\n  example: feat-a\n  description: d\n'
const files = { 'work/loose.yaml': loose, 'work/sound.yaml': sound }

function naming(argv: readonly string[], world: World = {}) {
  return flagadm(['naming', ...argv], {
    ...world,
    files: { ...repositoryIn('work'), ...files, ...world.files },
  })
}

describe('naming lint', () => {
  test('reports the line of the rule file and exits with 9', async () => {
    const { code, stdout, stderr } = await naming(['lint', '--rule', 'loose.yaml'])
    expect([code, stderr]).toEqual([9, 'error: the naming rule has problems: loose-alternation\n'])
    expect(stdout).toMatch(
      /^loose\.yaml\n {2}3:12 {2}error {2}\^ and \$ bind only to the outer branches: .* {2}loose-alternation {2}did you mean \(\?:feat-\[a-z\]\+\|fix-\[a-z\]\+\)\n$/,
    )
  })

  test('shows names that a rule without errors accepts and rejects', async () => {
    const { code, stdout, stderr } = await naming(['lint', '--rule', 'sound.yaml'])
    expect([code, stderr]).toEqual([0, ''])
    const [verdict, accepts = '', rejects = ''] = stdout.split('\n')
    expect(verdict).toBe('✓ the rule has no errors')
    const rule = /^(?:feat|fix)-[a-z]+$/
    const [, ...accepted] = accepts.split(/ {2,}/)
    const [, ...rejected] = rejects.split(/ {2,}/)
    expect([accepted.length, rejected.length]).toEqual([3, 3])
    expect(accepted.every((name) => rule.test(name))).toBe(true)
    expect(rejected.some((name) => rule.test(name))).toBe(false)
  })

  test.each([
    ['no pattern', ['--pattern', ''], 'matches-everything', '✓ the rule has no errors'],
    [
      'a pattern that cannot be decided',
      ['--pattern', '(?!(.*)x\\1$)x', '--example', '', '--description', ''],
      'cannot-decide',
      '? no errors found, but some checks could not be decided',
    ],
  ])('prints the finding and the verdict for %s', async (_what, argv, finding, verdict) => {
    const { code, stdout } = await naming(['lint', ...argv])
    expect(code).toBe(0)
    expect(stdout).toContain(finding)
    expect(stdout).toContain(verdict)
  })

  test('takes a rule from options', async () => {
    const { code, stdout } = await naming(['lint', '--pattern', 'a b', '-o', 'json'])
    expect(code).toBe(9)
    expect(JSON.parse(stdout)).toMatchObject({
      rule: { pattern: 'a b' },
      findings: [{ code: 'whitespace', severity: 'error' }, { code: 'unsatisfiable' }, {}, {}],
      accepts: [],
      rejects: [],
    })
  })

  test('uses the rule of the project configuration and reports its line', async () => {
    const { stdout } = await naming(['lint', '-o', 'github'], {
      files: { 'work/.flagadmrc': 'retries: 1\nnaming:\n  pattern: .*\n' },
    })
    expect(stdout).toMatch(/^::warning file=\.flagadmrc,line=3,col=12,title=matches-everything::/)
  })

  test('reports no location for a rule on standard input', async () => {
    const { stdout } = await naming(['lint', '--rule', '-', '-o', 'github'], { stdin: loose })
    expect(stdout).toMatch(/^::error title=loose-alternation::/)
  })

  test.each([
    ['error', 0],
    ['warning', 9],
  ])('with --fail-on %s exits with %i for a warning', async (severity, exit) => {
    const argv = ['lint', '--pattern', '.*', '--example', 'a', '--description', 'd']
    expect((await naming([...argv, '--fail-on', severity])).code).toBe(exit)
  })

  test.each([
    [['--rule', 'none.yaml'], '--rule: cannot read none.yaml: no such file', 'check the path'],
    [
      [],
      'no naming rule given',
      'use --rule <file> or --pattern <regex>, or add naming to the project configuration',
    ],
    [
      ['--rule', 'mode.yaml'],
      'mode.yaml: featureNaming is missing',
      'put pattern, example and description under featureNaming',
    ],
    [
      ['--rule', 'a', '--pattern', 'b'],
      '--rule cannot be used with --pattern',
      'see flagadm naming lint --help',
    ],
  ])('rejects the command line %j', async (argv, problem, hint) => {
    const world = { files: { 'work/mode.yaml': 'mode: open\n' } }
    const { code, stderr } = await naming(['lint', ...argv], world)
    expect([code, stderr]).toEqual([2, `error: ${problem}\nhint: ${hint}\n`])
  })
})

describe('naming check', () => {
  test('takes --scan and --match several times', async () => {
    const words = ['--scan', 'a.h', '--scan', 'b.h', '--match', 'X\\("(?<flag>\\w+)', 'Argument']
    const argv = [
      'check',
      '--match',
      'Y\\("(?<flag>\\w+)',
      ...words,
      '--pattern',
      '[a-z]+',
      '--json',
    ]
    const files = { 'work/a.h': 'X("A")', 'work/b.h': 'Y("B")' }
    const { stdout } = await naming(argv, { files })
    const violations: { name: string }[] = JSON.parse(stdout).violations
    expect(violations.map(({ name }) => name)).toEqual(['Argument', 'A', 'B'])
  })

  test('accepts names that match', async () => {
    const { code, stdout, stderr } = await naming([
      'check',
      'feat-a',
      'fix-b',
      '--rule',
      'sound.yaml',
    ])
    expect([code, stdout, stderr]).toEqual([0, '✓ 2 names checked: all follow the rule\n', ''])
  })

  test('reports names from arguments, lists and source code with their places', async () => {
    const argv = [
      'check',
      'Feat_A',
      '--names-from',
      'names.txt',
      '--scan',
      'src',
      '--rule',
      'sound.yaml',
    ]
    const { code, stdout, stderr } = await naming([...argv, '-o', 'json'], {
      files: {
        'work/names.txt': '# names\r\nfeat-a\r\n\r\nbugfix\r\n',
        'work/src/a.py': 'client.is_enabled("feat-x")\nclient.is_enabled(\n    "FIX-Y")\n',
      },
    })
    expect(code).toBe(9)
    const reasons = ['does not match ^(?:feat|fix)-[a-z]+$']
    expect(JSON.parse(stdout)).toEqual({
      rule: { pattern: '(?:feat|fix)-[a-z]+', example: 'feat-a', description: 'd' },
      checked: 5,
      violations: [
        { name: 'Feat_A', reasons, suggestion: 'feat-a' },
        { name: 'bugfix', reasons, file: 'names.txt', line: 4 },
        { name: 'FIX-Y', reasons, suggestion: 'fix-y', file: 'src/a.py', line: 3, column: 6 },
      ],
      staleAllowed: [],
      unresolved: 0,
    })
    expect(JSON.parse(stderr)).toMatchObject({ error: { kind: 'checkFailed', exitCode: 9 } })
  })

  test.each([
    ['text', '<stdin>\n  2  error  does not match ^(?:feat|fix)-[a-z]+$  Bad\n'],
    ['jsonl', '"file":"<stdin>","line":2}\n'],
    ['github', '::error file=<stdin>,line=2,title=naming::Bad: does not match'],
    ['gitlab', '"location":{"path":"<stdin>","lines":{"begin":2}}'],
    ['junit', '<testcase name="Bad (2)" classname="&lt;stdin&gt;">'],
    ['sarif', '"artifactLocation":{"uri":"%3Cstdin%3E"},"region":{"startLine":2}'],
  ])('shows standard input and the line in %s', async (format, expected) => {
    const argv = ['check', '--names-from', '-', '--rule', 'sound.yaml', '-o', format]
    const { code, stdout } = await naming(argv, { stdin: 'feat-a\nBad\n' })
    expect(code).toBe(9)
    expect(stdout).toContain(expected)
  })

  test('groups its report by file', async () => {
    const { stdout, stderr } = await naming(['check', '--scan', 'src', '--rule', 'sound.yaml'], {
      files: { 'work/src/a.ts': "isEnabled('feat-a')\nuseFlag('Feat-B')\n" },
    })
    expect(stdout).toBe(
      'src/a.ts\n  2:10  error  does not match ^(?:feat|fix)-[a-z]+$  Feat-B  did you mean feat-b\n✗ 2 names checked: 1 failed\n',
    )
    expect(stderr).toBe('error: 1 of 2 names breaks the rule\n')
  })

  test('reports a constant once, where its text is, in the order of files and lines', async () => {
    const files = {
      'work/b.ts': "isEnabled('B')",
      'work/a.ts': "const FLAG = 'Z'\nisEnabled(FLAG)\nisEnabled('A')\nisEnabled(FLAG)\n",
    }
    const { stdout } = await flagadm(
      ['naming', 'check', '--scan', '.', '--pattern', '[a-z]', '-o', 'csv'],
      { files },
    )
    const places = stdout.trim().split('\r\n').slice(1)
    expect(places.map((row) => row.replaceAll(/,.*?(?=\w\.ts)/g, ' '))).toEqual([
      'Z a.ts,1,15',
      'A a.ts,3,12',
      'B b.ts,1,12',
    ])
  })

  test.each([
    ['in a list of legal characters', ['.', '..', 'a'.repeat(101)]],
    ['in a list with other characters', ['.', '..', 'a'.repeat(101), 'a b', 'a/b', '\u00e4']],
  ])('finds illegal names %s, among thousands of others', async (_, illegal) => {
    const legal = Array.from({ length: 20_000 }, (__, index) => `feat-${index}`)
    const stdin = ['', ...illegal, '', ...legal, ''].join('\n')
    const argv = ['check', '--names-from', '-', '--pattern', '[^]*', '-o', 'jsonl']
    const { stdout, stderr } = await naming(argv, { stdin })
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ name, line }) => [line, name])).toEqual(
      illegal.map((name, index) => [index + 2, name]),
    )
    expect(stderr).toBe(
      `error: ${illegal.length} of ${20_000 + illegal.length} names break the rule\n`,
    )
  })

  test.each(['lint', 'check'])('%s refuses a rule file with a duplicate key', async (command) => {
    const argv = [command, '--rule', 'r.json', ...(command === 'check' ? ['b'] : [])]
    const twice = '{"featureNaming": {"pattern": "a+"},\n"featureNaming": {"pattern": "b+"}}'
    const { code, stderr } = await naming(argv, { files: { 'work/r.json': twice } })
    expect([code, stderr]).toEqual([
      2,
      'error: r.json:2:1: not valid YAML or JSON: a duplicate key\nhint: remove one of them\n',
    ])
  })

  test('also checks whether names are legal for the service', async () => {
    const { stdout } = await naming(['check', 'a b', '..', '--pattern', '.*', '-o', 'jsonl'])
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).reasons),
    ).toEqual([
      ['contains a character that is not one of A-Z a-z 0-9 - _ . ! ~ * \' ( ): " "'],
      ['is ".."'],
    ])
  })

  test('ignores names of --allow and warns about those that no longer occur', async () => {
    const { code, stdout, stderr } = await naming(
      ['check', 'Legacy', 'feat-a', '--allow', 'allow.txt', '--rule', 'sound.yaml'],
      { files: { 'work/allow.txt': 'Legacy\nGone\n' } },
    )
    expect([code, stdout]).toEqual([0, '✓ 2 names checked: all follow the rule\n'])
    expect(stderr).toBe('warning: allow.txt: these names no longer occur: Gone\n')
  })

  test('warns once about several names of --allow that no longer occur', async () => {
    const { stderr } = await naming(
      ['check', 'feat-a', '--allow', 'allow.txt', '--rule', 'sound.yaml'],
      { files: { 'work/allow.txt': 'Gone\nOld\n' } },
    )
    expect(stderr).toBe('warning: allow.txt: these names no longer occur: Gone, Old\n')
  })

  test('finds names with a custom pattern', async () => {
    const argv = [
      'check',
      '--scan',
      'src',
      '--match',
      'FLAG\\("(?<flag>\\w+)"\\)',
      '--rule',
      'sound.yaml',
    ]
    const { stdout } = await naming([...argv, '-o', 'jsonl'], {
      files: { 'work/src/a.h': 'FLAG("oops")\n' },
    })
    expect(JSON.parse(stdout)).toMatchObject({ name: 'oops', file: 'src/a.h', line: 1, column: 7 })
  })

  test('skips what .gitignore hides', async () => {
    const { code } = await naming(['check', '--scan', '.', '--rule', 'sound.yaml'], {
      files: {
        ...repositoryIn('work'),
        'work/.gitignore': 'dist/\n',
        'work/dist/a.js': "isEnabled('bad')",
        'work/a.js': "isEnabled('feat-a')",
      },
    })
    expect(code).toBe(0)
  })

  test.each(['github', 'gitlab', 'junit', 'sarif'])('reports to %s with places', async (format) => {
    const { stdout } = await naming(
      ['check', '--scan', 'src', '--rule', 'sound.yaml', '-o', format],
      {
        files: { 'work/src/a.ts': "isEnabled('bad')\n" },
      },
    )
    expect(stdout).toContain('src/a.ts')
    expect(stdout).toContain('bad')
  })

  test.each([
    [
      ['check', '--rule', 'sound.yaml'],
      'no names to check',
      'pass names, or use --names-from <file> or --scan <path>; --allow-empty accepts that',
    ],
    [
      ['check', '--scan', 'other', '--rule', 'sound.yaml'],
      'no flag names in 1 scanned file',
      'for lookups that were not recognized, use --call or --match; --allow-empty accepts that',
    ],
    [
      ['check', 'a', '--rule', 'empty.yaml'],
      'empty.yaml: the pattern is missing',
      'add a pattern to the rule',
    ],
    [
      ['check', '--scan', 'none', '--rule', 'sound.yaml'],
      '--scan: no file matches none',
      'check the path, and whether .gitignore hides it',
    ],
    [
      ['check', 'a', '--pattern', '('],
      'pattern: not a valid regular expression: Unterminated group',
      'run flagadm naming lint to see where',
    ],
  ])('rejects the command line %j', async (argv, problem, hint) => {
    const files = {
      'work/empty.yaml': 'featureNaming:\n  example: a\n',
      'work/other/a.ts': 'run()\n',
    }
    const { code, stdout, stderr } = await naming(argv, { files })
    expect([code, stdout, stderr]).toEqual([2, '', `error: ${problem}\nhint: ${hint}\n`])
  })

  test('has the names that fail as a list, for --allow', async () => {
    const argv = ['check', 'Legacy', 'feat-a', 'Legacy', 'Old', '--rule', 'sound.yaml']
    const { code, stdout } = await naming([...argv, '-o', 'names'])
    expect([code, stdout]).toEqual([9, 'Legacy\nOld\n'])
    const files = { 'work/allow.txt': stdout }
    expect((await naming([...argv, '--allow', 'allow.txt'], { files })).code).toBe(0)
  })

  test('counts a name in several places once', async () => {
    const files = { 'work/a.ts': "isEnabled('bad')\nisEnabled('bad')\nisEnabled('feat-a')\n" }
    const argv = ['check', '--scan', 'a.ts', '--rule', 'sound.yaml']
    const { stdout, stderr } = await naming(argv, { files })
    expect(stdout).toContain('✗ 2 names checked: 1 failed\n')
    expect(stderr).toBe('error: 1 of 2 names breaks the rule\n')
  })

  test.each([
    ['json', '"violations":[]'],
    ['jsonl', ''],
    ['csv', 'name,reasons,suggestion,project,file,line,column\r\n'],
    ['markdown', '✓ there are no names to check\n'],
    ['names', ''],
    ['github', ''],
    ['gitlab', '[]\n'],
    ['junit', 'tests="1" failures="0"'],
    ['sarif', '"results":[]'],
  ])(
    'reports nothing in %s if there are no names, and says why it passes',
    async (format, text) => {
      const argv = ['check', '--allow-empty', '--rule', 'sound.yaml', '-o', format]
      const { code, stdout, stderr } = await naming(argv)
      expect(code).toBe(0)
      if (text === '') expect(stdout).toBe('')
      else expect(stdout).toContain(text)
      expect(stderr).toContain('there are no names to check, so none fails (--allow-empty)')
    },
  )

  test('succeeds without names with --allow-empty', async () => {
    const { code, stdout } = await naming(['check', '--allow-empty', '--rule', 'sound.yaml'])
    expect([code, stdout]).toEqual([0, '✓ there are no names to check\n'])
  })
})

describe('lookups that could not be read', () => {
  const source = {
    'work/src/a.ts': "isEnabled('feat-a')\nisEnabled(flag)\n",
    'work/src/b.py': 'client.is_enabled(name)\n',
  }
  const argv = ['check', '--scan', 'src', '--rule', 'sound.yaml']
  const text = '2 of 3 lookups could not be read'

  test('are counted in the result and are not violations', async () => {
    const { code, stdout, stderr } = await naming(argv, { files: source })
    expect([code, stdout, stderr]).toEqual([
      0,
      `✓ 1 name checked: all follow the rule\n\nIncomplete: ${text}\n`,
      '',
    ])
  })

  test('are counted in the JSON report', async () => {
    const { stdout } = await naming([...argv, '-o', 'json'], { files: source })
    expect(JSON.parse(stdout)).toMatchObject({
      checked: 1,
      violations: [],
      unresolved: 2,
      lookups: 3,
    })
  })

  test('are a notification of the SARIF report', async () => {
    const { stdout } = await naming([...argv, '-o', 'sarif'], { files: source })
    const [{ results, invocations }] = JSON.parse(stdout).runs
    const place = (uri: string, startLine: number, startColumn: number) => ({
      physicalLocation: { artifactLocation: { uri }, region: { startLine, startColumn } },
    })
    expect([results, invocations]).toEqual([
      [],
      [
        {
          executionSuccessful: true,
          toolExecutionNotifications: [
            {
              level: 'note',
              message: { text },
              locations: [place('src/a.ts', 2, 1), place('src/b.py', 1, 8)],
            },
          ],
        },
      ],
    ])
  })

  test.each([
    ['github', `::warning title=incomplete::${text}\n`],
    ['jsonl', `{"incomplete":[{"message":"${text}","names":[]}]}\n`],
  ])('are in the %s report', async (format, expected) => {
    const { stdout } = await naming([...argv, '-o', format], { files: source })
    expect(stdout).toBe(expected)
  })

  test('are an item of the GitLab report', async () => {
    const { stdout } = await naming([...argv, '-o', 'gitlab'], { files: source })
    expect(JSON.parse(stdout)).toMatchObject([
      { description: text, severity: 'minor', location: { path: 'sound.yaml' } },
    ])
  })

  test('are a skipped case of the JUnit report', async () => {
    const { stdout } = await naming([...argv, '-o', 'junit'], { files: source })
    expect(stdout).toContain('tests="1" failures="0" errors="0" skipped="1"')
    expect(stdout).toContain(`<skipped message="${text}">${text}</skipped>`)
  })

  test('exit with 9 with --fail-on unresolved', async () => {
    const { code, stderr } = await naming([...argv, '--fail-on', 'unresolved'], { files: source })
    expect([code, stderr]).toEqual([
      9,
      `error: ${text}\nhint: flagadm feature references lists them; --call or --match can make them readable\n`,
    ])
  })

  test('are listed with --verbose', async () => {
    const { stderr } = await naming([...argv, '--verbose'], { files: source })
    expect(stderr).toContain('debug: src/a.ts:2:1: could not be read: isEnabled(flag)\n')
  })

  test('require --scan for --fail-on', async () => {
    const argv = ['check', 'a', '--pattern', 'a', '--fail-on', 'unresolved']
    expect(await naming(argv)).toMatchObject({
      code: 2,
      stderr: 'error: --fail-on requires --scan\nhint: use --scan <path>\n',
    })
  })
})

test('naming lint --pattern has a location in SARIF, which code scanning requires', async () => {
  const { stdout } = await naming(['lint', '--pattern', 'a|b', '-o', 'sarif'])
  const [{ results }] = JSON.parse(stdout).runs
  expect(results[0].locations).toEqual([
    { physicalLocation: { artifactLocation: { uri: 'naming' }, region: { startLine: 1 } } },
  ])
})

describe('naming diff', () => {
  const to = 'pattern:(?:feat|fix)-[a-z]+'

  test('shows how the rules relate, with names', async () => {
    const { code, stdout, stderr } = await naming(['diff', '--from', 'loose.yaml', '--to', to])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /^narrower: the new rule accepts only some of the names that the old one accepts\nnewly rejected {2}for example \S+\n$/,
    )
  })

  test('lists the existing flags that are affected', async () => {
    const { stdout } = await naming(
      ['diff', '--from', 'loose.yaml', '--to', to, '--names-from', '-', '-o', 'json'],
      { stdin: 'feat-a\nzz-fix-b\nnever\n' },
    )
    expect(JSON.parse(stdout)).toMatchObject({
      relation: 'narrower',
      newlyAccepted: { witnesses: [], names: [] },
      newlyRejected: { names: ['zz-fix-b'] },
    })
  })

  describe('of existing names', () => {
    const argv = ['diff', '--from', 'pattern:[a-z-]+', '--to', 'pattern:[a-m-]+']
    const names = ['alpha', 'zulu-one', 'zulu-two', 'zulu-one', 'never']
    const files = { 'work/names.txt': `# legacy\n${names.join('\n')}\n` }
    const diff = (words: readonly string[], world: World = {}) =>
      naming([...argv, '--names-from', 'names.txt', ...words], { files, ...world })

    test('lists them with their places, and counts them', async () => {
      const { stdout } = await diff([], { columns: 60, env: { NO_COLOR: '1' } })
      expect(stdout.split('\n').slice(1)).toEqual([
        'names.txt',
        '  2  warning  newly rejected  alpha',
        '  3  warning  newly rejected  zulu-one',
        '  4  warning  newly rejected  zulu-two',
        '  5  warning  newly rejected  zulu-one',
        '  6  warning  newly rejected  never',
        'newly accepted  0 existing names',
        'newly rejected  4 existing names, for example checkout',
        'compared        5 existing names',
        '',
      ])
    })

    test('prints counts if no name is affected', async () => {
      const { stdout } = await diff([], { files: { 'work/names.txt': 'alm\n' } })
      expect(stdout.split('\n').slice(1)).toEqual([
        'newly accepted  0 existing names',
        'newly rejected  0 existing names, for example checkout',
        'compared        1 existing name',
        '',
      ])
    })

    test('lists them with their places as JSON', async () => {
      const { stdout } = await diff(['--json'])
      expect(JSON.parse(stdout)).toMatchObject({
        compared: 5,
        newlyAccepted: { names: [], uses: [] },
        newlyRejected: {
          names: ['alpha', 'zulu-one', 'zulu-two', 'never'],
          uses: [
            { name: 'alpha', file: 'names.txt', line: 2 },
            { name: 'zulu-one', file: 'names.txt', line: 3 },
            { name: 'zulu-two', file: 'names.txt', line: 4 },
            { name: 'zulu-one', file: 'names.txt', line: 5 },
            { name: 'never', file: 'names.txt', line: 6 },
          ],
        },
      })
    })

    test('lists them as Markdown', async () => {
      const { stdout } = await diff(['-o', 'markdown'])
      expect(stdout.split('\n').slice(1, 7)).toEqual([
        '',
        '| Name | Change | Place |',
        '| --- | --- | --- |',
        '| `alpha` | newly rejected | `names.txt:2` |',
        '| `zulu-one` | newly rejected | `names.txt:3` |',
        '| `zulu-two` | newly rejected | `names.txt:4` |',
      ])
    })

    test('annotates their places on GitHub, and fails with --fail-on', async () => {
      const { code, stdout } = await diff(['-o', 'github', '--fail-on', 'rejected'])
      expect(code).toBe(9)
      const lines = stdout.trimEnd().split('\n')
      expect(lines[0]).toMatch(/^::notice title=summary::narrower: the new rule accepts only /)
      const annotations = lines.filter((line) => !line.includes('title=summary'))
      expect(annotations.slice(0, 2)).toEqual([
        '::warning file=names.txt,line=2,title=naming-diff::alpha: newly rejected',
        '::warning file=names.txt,line=3,title=naming-diff::zulu-one: newly rejected',
      ])
      expect(annotations).toHaveLength(5)
    })

    test('annotates an example on GitHub', async () => {
      const { stdout } = await naming([...argv, '-o', 'github'])
      const [, example] = stdout.split('\n')
      expect(example).toBe('::notice title=summary::newly rejected: for example checkout')
    })
  })

  test.each([
    [['--fail-on', 'rejected'], 9],
    [['--fail-on', 'accepted'], 0],
    [['--fail-on', 'any'], 9],
    [['--fail-on', 'any', '--names-from', '-'], 0],
    [[], 0],
  ])('with %j exits with %i', async (argv, exit) => {
    const world = { stdin: 'feat-a\n' }
    const { code } = await naming(['diff', '--from', 'loose.yaml', '--to', to, ...argv], world)
    expect(code).toBe(exit)
  })

  test('says that a pattern which does not compile enforces nothing', async () => {
    const argv = ['diff', '--from', 'pattern:(', '--to', 'pattern:a+']
    expect((await naming(argv)).stdout).toBe(`new rule: every name was accepted before
old rule        does not compile (Unterminated group), so the service accepts every name
newly rejected  for example checkout
`)
    expect(JSON.parse((await naming([...argv, '--json'])).stdout).relation).toBe('narrower')
  })

  test('says that there was no rule, and that there will be none', async () => {
    const to = await naming(['diff', '--from', 'pattern:', '--to', 'pattern:a+'])
    expect(to.stdout).toMatch(/^new rule: every name was accepted before\n/)
    const from = await naming(['diff', '--from', 'pattern:a+', '--to', 'pattern:'])
    expect(from.stdout).toMatch(/^no rule: every name will be accepted\n/)
  })

  test('says why a relation is undecided', async () => {
    const { stdout } = await naming(['diff', '--from', 'pattern:(a)\\1', '--to', 'pattern:aa'])
    expect(stdout).toBe(
      'undecided: how the rules relate could not be decided: a back-reference cannot be analysed\n',
    )
  })

  test('says why a gate without existing names passes', async () => {
    const argv = ['diff', '--from', 'pattern:a', '--to', 'pattern:b', '--fail-on', 'any']
    const { code, stderr } = await naming([...argv, '--names-from', '-'], { stdin: '' })
    expect([code, stderr]).toEqual([0, 'note: there are no existing names, so none changes\n'])
  })
})

describe('project settings set', () => {
  test.each([
    [['--naming-pattern', '('], 'no-compile'],
    [['--naming-pattern', 'a b'], 'whitespace'],
    [['--naming-pattern', 'a', '--naming-example', 'b'], 'example-mismatch'],
    [['--naming-pattern', 'feat-.*|fix-.*'], 'loose-alternation'],
    [['--naming-pattern', '(a+)+'], 'catastrophic'],
  ])('%j is refused with %s before anything is sent', async (argv, finding) => {
    const server = await serve((response) => response.writeHead(200).end())
    const { code, stdout, stderr } = await flagadm(['project', 'settings', 'set', 'p', ...argv], {
      env: environment(server.url),
    })
    expect([code, stdout, server.received]).toEqual([2, '', []])
    expect(stderr).toMatch(/^error: --naming-(pattern|example): /)
    expect(stderr).toContain(`(${finding})`)
    expect(stderr).toMatch(/\nhint: .*, or send it as it is with --no-verify\n/)
  })

  test('the refusal shows the corrected pattern', async () => {
    const argv = ['project', 'settings', 'set', 'p', '--naming-pattern', 'feat-.*|fix-.*']
    const { stderr } = await flagadm(argv)
    expect(stderr).toContain('hint: write (?:feat-.*|fix-.*), or send it as it is')
  })
})
