import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

const plan = ['project', 'settings', 'plan']

const seed: Seed = {
  projects: [
    {
      id: 'checkout',
      mode: 'protected',
      featureNaming: { pattern: 'checkout-[a-z]+', example: 'checkout-a', description: 'One\ntwo' },
      linkTemplates: [{ title: 'Issue', urlTemplate: 'https://t.test/' }],
    },
    { id: 'plain', mode: 'open' },
    { id: 'other', mode: 'open' },
  ],
  flags: ['checkout-a', 'checkout-b', 'x1'].map((name) => {
    return { name, project: 'checkout', usage: [], seenApplications: [] }
  }),
}

/** Runs a plan for documents against the sandbox; the first file is `a.yaml`. */
async function planFor(files: Record<string, string>, ...argv: string[]) {
  const sandbox = await sandboxOf([], { seed })
  const named = Object.entries(files).map(([name, text]) => [`work/${name}`, text])
  const world = { env: sandbox.env, files: Object.fromEntries(named) }
  const outcome = await flagadm([...plan, ...argv], world)
  return { ...anonymous(sandbox, outcome), requests: sandbox.requests() }
}

const changes = `projects:
  checkout:
    mode: private
    featureNaming: {pattern: 'checkout-[a-z-]+', description: null}
    linkTemplates: []
  plain: {mode: open}
`

describe('settings plan', () => {
  test('shows each project, each change and the effect of a new rule', async () => {
    const { code, stdout, stderr, requests } = await planFor({ 'a.yaml': changes }, '-f', 'a.yaml')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`Plan for S

checkout: would change
  mode         protected → private
  pattern      - checkout-[a-z]+
               + checkout-[a-z-]+
                              ^
  description  removed:
               - One
               - two
  links        removed: Issue: https://t.test/
  rule         wider: the new rule accepts all names that the old one accepts, and more; 1 of 3 existing flags breaks it: x1
  warning      project checkout becomes private: only its members will see it

2 projects: 1 would change, 1 unchanged
`)
    expect(requests.filter((line) => !line.startsWith('GET'))).toEqual([])
  })

  test('has the same content in JSON', async () => {
    const { stdout } = await planFor({ 'a.yaml': changes }, '-f', 'a.yaml', '--json')
    expect(JSON.parse(stdout)).toEqual({
      baseUrl: 'S',
      projects: [
        {
          projectId: 'checkout',
          status: 'changed',
          changes: [
            { field: 'mode', from: 'protected', to: 'private' },
            { field: 'featureNaming.pattern', from: 'checkout-[a-z]+', to: 'checkout-[a-z-]+' },
            { field: 'featureNaming.description', from: 'One\ntwo', to: null },
            {
              field: 'linkTemplates',
              from: [{ title: 'Issue', urlTemplate: 'https://t.test/' }],
              to: null,
            },
          ],
          rule: { relation: 'wider', flags: 3, breaking: ['x1'] },
          warning: 'project checkout becomes private: only its members will see it',
        },
        { projectId: 'plain', status: 'unchanged', changes: [] },
      ],
      summary: { changed: 1, unchanged: 1, missing: 0, failed: 0 },
    })
  })

  test('is a Markdown comment for a pull request with -o markdown', async () => {
    const { stdout } = await planFor({ 'a.yaml': changes }, '-f', 'a.yaml', '-o', 'markdown')
    expect(stdout).toBe(`**Plan for \`S\`**: 1 would change, 1 unchanged

**\`checkout\`**: would change

| Field | Old | New |
| --- | --- | --- |
| mode | \`protected\` | \`private\` |
| pattern | \`checkout-[a-z]+\` | \`checkout-[a-z-]+\` |
| description | \`One\`<br>\`two\` | (unset) |
| links | \`Issue: https://t.test/\` | (unset) |

**Rule** wider: the new rule accepts all names that the old one accepts, and more; 1 of 3 existing flags breaks it: \`x1\`

**Warning** project checkout becomes private: only its members will see it
`)
  })

  test('leaves undeclared fields and projects alone', async () => {
    const text = 'projects:\n  checkout: {featureNaming: {example: checkout-b}}\n  plain: {}\n'
    const { stdout } = await planFor({ 'a.yaml': text }, '-f', 'a.yaml')
    expect(stdout).toBe(`Plan for S

checkout: would change
  example      checkout-a → checkout-b

2 projects: 1 would change, 1 unchanged
`)
  })

  test('reports them with --strict', async () => {
    const text =
      'projects:\n  checkout: {mode: protected, linkTemplates: null}\n  plain: {mode: open}\n'
    const { stdout } = await planFor({ 'a.yaml': text }, '-f', 'a.yaml', '--strict')
    expect(stdout).toBe(`Plan for S

checkout: would change
  links        removed: Issue: https://t.test/
  undeclared   featureNaming.pattern, featureNaming.example, featureNaming.description
other: undeclared

2 projects: 1 would change, 1 unchanged
`)
    const other = await planFor({ 'a.yaml': text }, '-f', 'a.yaml', '--strict', '-o', 'markdown')
    expect(other.stdout).toContain(
      '**Undeclared** featureNaming.pattern, featureNaming.example, featureNaming.description\n\n**Projects that no file declares** `other`\n',
    )
    const { stdout: document } = await planFor(
      { 'a.yaml': text },
      '-f',
      'a.yaml',
      '--strict',
      '--json',
    )
    expect(JSON.parse(document)).toMatchObject({
      undeclared: ['other'],
      projects: [{ undeclared: expect.arrayContaining(['featureNaming.pattern']) }, {}],
    })
  })

  test.each([
    ['projects: {plain: {mode: protected}}', [], 'error: 1 project: 1 would change\n'],
    ['projects: {plain: {mode: open}}', [], ''],
    ['projects: {plain: {mode: open}}', ['--strict'], 'error: 2 other projects not declared\n'],
    [
      'projects: {checkout: {}, plain: {mode: protected}}',
      ['--strict'],
      'error: 2 projects: 1 would change, 1 not fully declared; 1 other project not declared\n',
    ],
  ])(
    '--fail-on-change fails if %j with %j would change or report anything',
    async (text, argv, stderr) => {
      const outcome = await planFor({ 'a.yaml': text }, '-f', 'a.yaml', '--fail-on-change', ...argv)
      expect([outcome.code, outcome.stderr]).toEqual([stderr === '' ? 0 : 9, stderr])
    },
  )

  test('warns about an example or a description without a pattern, which apply would fail on', async () => {
    const text = `projects:
  checkout: {featureNaming: {pattern: null, example: checkout-b}}
  plain: {featureNaming: {description: Why}}
  other: {mode: protected}
`
    const { code, stdout } = await planFor({ 'a.yaml': text }, '-f', 'a.yaml')
    const warning = 'some servers reject an example or a description without a pattern'
    expect([code, stdout]).toEqual([
      0,
      `Plan for S

checkout: would change
  pattern      removed: checkout-[a-z]+
  example      checkout-a → checkout-b
  rule         wider: the new rule accepts all names that the old one accepts, and more; none of 3 existing flags breaks it
  warning      ${warning}
plain: would change
  description  + Why
  warning      ${warning}
other: would change
  mode         open → protected

3 projects: 3 would change, 0 unchanged
`,
    ])
    const { stdout: document } = await planFor({ 'a.yaml': text }, '-f', 'a.yaml', '--json')
    expect(JSON.parse(document).projects).toMatchObject([{ warning }, { warning }, {}])
    expect(JSON.parse(document).projects[2]).not.toHaveProperty('warning')
    const comment = await planFor({ 'a.yaml': text }, '-f', 'a.yaml', '-o', 'markdown')
    expect(comment.stdout.split(`**Warning** ${warning}\n`)).toHaveLength(3)
    const unset = 'projects:\n  plain: {featureNaming: {pattern: null, example: null}}\n'
    const nothing = await planFor({ 'a.yaml': unset }, '-f', 'a.yaml')
    expect(nothing.stdout).not.toContain('warning')
  })

  test('reports missing projects and failed reads, and exits with 10', async () => {
    const text = 'projects:\n  gone: {mode: open}\n  plain: {mode: protected}\n'
    const { code, stdout, stderr } = await planFor(
      { 'a.yaml': text },
      ...['-f', 'a.yaml', '--fail-on-change'],
    )
    expect([code, stderr]).toEqual([10, 'error: 2 projects: 1 missing\n'])
    expect(stdout).toBe(`Plan for S

plain: would change
  mode         open → protected

2 projects: 1 would change, 0 unchanged, 1 missing

gone: missing
  unknown project 'gone'
  hint: the service lists: checkout, plain, other
`)
  })

  test('shows projects that do not change with --all', async () => {
    const text = 'projects:\n  plain: {mode: protected}\n  other: {mode: open}\n'
    const shown = async (...argv: string[]) =>
      (await planFor({ 'a.yaml': text }, '-f', 'a.yaml', ...argv)).stdout
    expect(await shown()).not.toContain('other')
    expect(await shown('--all-projects')).toBe(`Plan for S

plain: would change
  mode         open → protected
other: unchanged

2 projects: 1 would change, 1 unchanged
`)
    expect(await shown('--all-projects', '-o', 'markdown')).toContain('**`other`**: unchanged\n')
  })

  test('reports a stored example that a new pattern rejects as failed', async () => {
    const text = 'projects:\n  checkout: {featureNaming: {pattern: "shop-[a-z]+"}}\n'
    const { code, stdout } = await planFor({ 'a.yaml': text }, '-f', 'a.yaml')
    expect([code, stdout]).toEqual([
      2,
      `Plan for S

1 project: 0 would change, 0 unchanged, 1 failed

checkout: failed
  the stored example 'checkout-a' does not match the new pattern 'shop-[a-z]+'
`,
    ])
    expect((await planFor({ 'a.yaml': text }, '-f', 'a.yaml', '--no-verify')).code).toBe(0)
  })

  test('reports every project as missing on a service without overviews', async () => {
    const sandbox = await sandboxOf([], { seed, specOnly: true })
    const world = { ...sandbox, files: { 'work/a.yaml': changes } }
    const { code, stdout } = await flagadm([...plan, '-f', 'a.yaml'], world)
    expect(code).toBe(6)
    expect(stdout).toContain('2 projects: 0 would change, 0 unchanged, 2 missing\n')
  })

  test('shows the declared projects if --strict cannot list the others, and exits with 9', async () => {
    const { url } = await serve((response, { url: path }) =>
      path.endsWith('/overview')
        ? json(response, 200, { mode: 'open' })
        : json(response, 404, { message: 'no such path' }),
    )
    const files = { 'work/a.yaml': 'projects:\n  plain: {mode: open}\n' }
    const world = { env: environment(url), files }
    const strict = [...plan, '-f', 'a.yaml', '--strict']
    const { code, stdout, stderr } = await flagadm(strict, world)
    expect([code, stdout, stderr]).toEqual([
      9,
      `Plan for ${url}

other projects: not known, because the service does not list projects

1 project: 0 would change, 1 unchanged
`,
      'error: cannot find projects that no document declares: the service returned 404 for the list of projects\n' +
        'hint: leave out --strict\n',
    ])
    const { stdout: document } = await flagadm([...strict, '--json'], world)
    expect(JSON.parse(document)).toMatchObject({ undeclared: null, summary: { unchanged: 1 } })
    const comment = await flagadm([...strict, '-o', 'markdown'], world)
    expect(comment.stdout).toBe(
      `**Plan for \`${url}\`**: 0 would change, 1 unchanged\n\n` +
        '**Other projects** not known, because the service does not list projects\n',
    )
  })

  test('reports other failures as failed', async () => {
    const { url } = await serve((response) => json(response, 403, { message: 'no' }))
    const world = { env: environment(url), files: { 'work/a.yaml': changes } }
    const { code, stdout, stderr } = await flagadm([...plan, '-f', 'a.yaml', '--json'], world)
    expect([code, JSON.parse(stdout).projects[0]]).toMatchObject([
      5,
      { projectId: 'checkout', status: 'failed', error: { kind: 'forbidden', status: 403 } },
    ])
    expect(JSON.parse(stderr).error).toMatchObject({ message: '2 projects: 2 failed' })
  })

  test('without projects is empty', async () => {
    const { code, stdout } = await planFor({ 'a.yaml': 'projects: {}' }, '-f', 'a.yaml')
    expect([code, stdout]).toEqual([0, 'Plan for S\n\n0 projects: 0 would change, 0 unchanged\n'])
  })
})

describe('documents', () => {
  test('are read from files, folders and standard input', async () => {
    const sandbox = await sandboxOf([], { seed })
    const files = {
      'work/flags/b.yml': 'projects: {plain: {mode: open}}',
      'work/flags/a.JSON': '{"projects": {"checkout": {"mode": "protected"}}}',
      'work/flags/.hidden.yaml': '!',
      'work/flags/notes.txt': '!',
      'work/flags/below/c.yaml': '!',
      'work/flags/folder.yaml/d.yaml': '!',
    }
    const world = { env: sandbox.env, files, stdin: 'projects: {other: {mode: open}}' }
    const { code, stdout } = await flagadm([...plan, '-f', '-', '-f', 'flags', '--json'], world)
    const projects: { projectId: string }[] = JSON.parse(stdout).projects
    expect([code, projects.map(({ projectId }) => projectId)]).toEqual([
      0,
      ['other', 'checkout', 'plain'],
    ])
  })

  const hint =
    'hint: the fields are mode, featureNaming with pattern, example, description, and linkTemplates with title, urlTemplate\n'
  const form =
    'hint: a document maps project ids to settings in projects, and may have defaults and service\n'

  test.each([
    ['mode: open\n', `a.yaml:1: mode: unknown field\n${form}`],
    ['projects: []\n', `a.yaml:1: projects: expected an object\n${form}`],
    ['\n- a\n', `a.yaml:1: projects: expected an object\n${form}`],
    ['', `a.yaml:1: projects: expected an object\n${form}`],
    ['projects: {}\nversion: 1\n', `a.yaml:2: version: unknown field\n${form}`],
    [
      'projects:\n  a: [\n',
      'a.yaml:3:1: not valid YAML or JSON: wrong indentation or a missing bracket\nhint: put single quotes around the value if it begins with [ or {\n',
    ],
    ['projects:\n  a: 1\n', `a.yaml:2: project a: expected an object\n${hint}`],
    ['projects:\n  a: null\n', `a.yaml:2: project a: expected an object\n${hint}`],
    [
      'projects:\n  a:\n    featureNaming:\n      patern: x\n',
      `a.yaml:4: project a: featureNaming.patern: unknown field\n${hint}`,
    ],
    [
      'projects:\n  a:\n    linkTemplates:\n      - urlTemplate: x\n      - title: x\n',
      `a.yaml:5: project a: linkTemplates[1].urlTemplate: missing\n${hint}`,
    ],
    [
      'projects:\n  "..": {}\n',
      "a.yaml:2: invalid project id '..'\nhint: a project id cannot be empty, '.' or '..'\n",
    ],
    [
      'projects:\n  a:\n    mode: closed\n',
      "a.yaml:3: project a: mode: unknown project mode 'closed'\nhint: choose one of open, protected, private, or use --no-verify\n",
    ],
    [
      'projects:\n  a:\n    featureNaming:\n      pattern: a\n      example: b\n',
      'a.yaml:5: project a: featureNaming.example: the example "b" does not match ^a$ (example-mismatch)\nhint: correct it, or use --no-verify\n',
    ],
    [
      'projects:\n  a:\n    featureNaming: {description: "\\0"}\n',
      'a.yaml:3: project a: featureNaming.description: contains a character that the service cannot store: NUL, or half a surrogate pair\nhint: remove it, or use --no-verify\n',
    ],
    [
      'projects:\n  a: {}\n  b: {}\n  a: {}\n',
      'a.yaml:4:3: not valid YAML or JSON: a duplicate key\nhint: remove one of them\n',
    ],
    [
      '{"projects": {\n"a": {},\n"a": {}}}',
      'a.yaml:3:1: not valid YAML or JSON: a duplicate key\nhint: remove one of them\n',
    ],
  ])('%j is refused before the first request', async (text, report) => {
    const { code, stdout, stderr, requests } = await planFor({ 'a.yaml': text }, '-f', 'a.yaml')
    expect([code, stdout, stderr, requests]).toEqual([2, '', `error: ${report}`, []])
  })

  test('that are too long are refused, as JSON too', async () => {
    const text = JSON.stringify({
      projects: { a: { featureNaming: { description: 'x'.repeat(1e6) } } },
    })
    const { code, stderr } = await planFor({ 'a.json': text }, '-f', 'a.json')
    expect([code, stderr]).toEqual([
      2,
      'error: a.json: YAML with more than 1000000 characters\nhint: make it smaller, or split it into several files\n',
    ])
  })

  test.each([
    [
      'of their form',
      {
        'a.yaml': `projects:
  checkout:
    linkTemplates:
      - title: x
    featureNaming:
      description: 1
  plain:
    foo: 1
    mode: [open]
`,
        'c.yaml': '[',
      },
      [
        'error: a.yaml:4: project checkout: linkTemplates[0].urlTemplate: missing',
        'error: a.yaml:6: project checkout: featureNaming.description: expected string',
        'error: a.yaml:8: project plain: foo: unknown field',
        'error: a.yaml:9: project plain: mode: expected string',
        'error: c.yaml:1:2: not valid YAML or JSON: a missing quotation mark, bracket, colon or comma',
        'error: --file: cannot read none.yaml: no such file',
        'error: 6 problems in the documents',
      ],
      ['-f', 'none.yaml'],
    ],
    [
      'of their values',
      {
        'a.yaml': `projects:
  checkout:
    mode: closed
    featureNaming:
      pattern: a|b
      example: zz
  plain:
    linkTemplates:
      - {title: "\\0", urlTemplate: "[redacted]\\0"}
`,
        'c.yaml': 'projects:\n\n  plain: {}\n',
      },
      [
        "error: a.yaml:3: project checkout: mode: unknown project mode 'closed'",
        expect.stringMatching(/^error: a.yaml:5: project checkout: featureNaming.pattern: .*loose/),
        'error: a.yaml:6: project checkout: featureNaming.example: the example "zz" does not match ^a|b$ (example-mismatch)',
        'error: a.yaml:9: project plain: linkTemplates[0].title: contains a character that the service cannot store: NUL, or half a surrogate pair',
        'error: a.yaml:9: project plain: linkTemplates[0].urlTemplate: contains a character that the service cannot store: NUL, or half a surrogate pair',
        'error: a.yaml:9: project plain: linkTemplates[0].urlTemplate: contains [redacted], which flagadm writes in place of the API key',
        'error: c.yaml:3: project plain is also defined in a.yaml:7',
        'error: 7 problems in the documents',
      ],
      [],
    ],
  ])(
    'with several problems %s are refused with all of them',
    async (_what, files, errors, more) => {
      const { code, stderr, requests } = await planFor(
        files,
        '-f',
        'a.yaml',
        '-f',
        'c.yaml',
        ...more,
      )
      expect([code, requests]).toEqual([2, []])
      expect(stderr.split('\n').filter((line) => line.startsWith('error:'))).toEqual(errors)
    },
  )

  test('on a narrow terminal, long lines continue without a mark', async () => {
    const sandbox = await sandboxOf([], { seed })
    const description = 'Names start with the team, then a hyphen, then words\\nSecond line'
    const text = `projects: {checkout: {featureNaming: {description: "${description}"}}}\n`
    const world = {
      env: { ...sandbox.env, NO_COLOR: '1' },
      files: { 'work/a.yaml': text },
      columns: 50,
    }
    const { stdout } = await flagadm([...plan, '-f', 'a.yaml'], world)
    expect(stdout).toContain(`checkout: would change
  description  - One
               - two
               + Names start with the team, then a
                 hyphen, then words
               + Second line
`)
  })

  test('a hint of several problems is printed once', async () => {
    const files = {
      'a.yaml': 'projects: {a: {mode: opn}}\n',
      'b.yaml': 'projects: {b: {mode: opn}}\n',
    }
    const { code, stderr } = await planFor(files, '-f', '.')
    expect([code, stderr]).toEqual([
      2,
      "error: a.yaml:1: project a: mode: unknown project mode 'opn'\n" +
        "error: b.yaml:1: project b: mode: unknown project mode 'opn'\n" +
        'hint: choose one of open, protected, private, or use --no-verify\n' +
        'error: 2 problems in the documents\nhint: nothing was read or sent\n',
    ])
  })

  test.each([
    [
      ['-f', 'none.yaml'],
      'error: --file: cannot read none.yaml: no such file\nhint: check the path\n',
    ],
    [['-f', 'empty'], 'error: --file: no YAML or JSON file in empty\nhint: check the path\n'],
    [
      [],
      'error: required --file not specified\nhint: for example: flagadm project settings plan -f flags.yaml -p sandbox\n',
    ],
  ])('%j is refused', async (argv, report) => {
    const { code, stderr } = await planFor({ 'empty/x.txt': '' }, ...argv)
    expect([code, stderr]).toEqual([2, report])
  })
})

describe('settings plan with a long pattern', () => {
  const teams = 'basket|catalog|delivery|invoice|payment|search'
  const old = `checkout-(${teams})-[a-z]+(-[a-z0-9]+)*(-(beta|canary|preview))?`

  /** The lines of the change in the plan from one pattern to another. */
  async function changeOf(from: string, to: string, columns?: number) {
    const featureNaming = { pattern: from }
    const projects = [{ id: 'a', mode: 'open' as const, featureNaming }]
    const sandbox = await sandboxOf([], { seed: { projects, flags: [] } })
    const { stdout } = await flagadm([...plan, '-f', 'a.json'], {
      env: { ...sandbox.env, NO_COLOR: '1' },
      files: {
        'work/a.json': JSON.stringify({ projects: { a: { featureNaming: { pattern: to } } } }),
      },
      ...(columns === undefined ? {} : { columns }),
    })
    return /^ {2}pattern.*\n(?: {15}.*\n)*/m.exec(stdout)?.[0]
  }

  test.each([
    [
      'in a pipe, patterns are whole',
      undefined,
      `  pattern      - checkout-(basket|catalog|delivery|invoice|payment|search)-[a-z]+(-[a-z0-9]+)*(-(beta|canary|preview))?
               + checkout-(basket|catalog|delivery|invoice|payment|search)-[a-z]+(-[a-z0-8]+)*(-(beta|canary|preview))?
                                                                                         ^
`,
    ],
    [
      'with 80 columns',
      80,
      `  pattern      - checkout-(basket|catalog|delivery|invoice|payment|search)-[a-z
                 ]+(-[a-z0-9]+)*(-(beta|canary|preview))?
               + checkout-(basket|catalog|delivery|invoice|payment|search)-[a-z
                 ]+(-[a-z0-8]+)*(-(beta|canary|preview))?
                           ^
`,
    ],
    [
      'with 40 columns',
      40,
      `  pattern      - checkout-(basket|catal
                 og|delivery|invoice|pa
                 yment|search)-[a-z]+(-
                 [a-z0-9]+)*(-(beta|can
                 ary|preview))?
               + checkout-(basket|catal
                 og|delivery|invoice|pa
                 yment|search)-[a-z]+(-
                 [a-z0-8]+)*(-(beta|can
                       ^
                 ary|preview))?
`,
    ],
  ])('the difference is marked: %s', async (_, columns, lines) => {
    expect(await changeOf(old, old.replace('0-9', '0-8'), columns)).toBe(lines)
  })

  test('marks continue on the next line', async () => {
    expect(
      await changeOf('a-[a-z]+', 'a-(red|green|blue|black)-[a-z]+', 40),
    ).toBe(`  pattern      - a-[a-z]+
               + a-(red|green|blue|blac
                   ^^^^^^^^^^^^^^^^^^^^
                 k)-[a-z]+
                 ^^^
`)
  })

  test('a removed end is marked within the terminal', async () => {
    expect(
      await changeOf('a-[a-z]+-[a-z]+-[a-z]{2}', 'a-[a-z]+-[a-z]+-[a-z]', 39),
    ).toBe(`  pattern      - a-[a-z]+-[a-z]+-[a-z]
                 {2}
               + a-[a-z]+-[a-z]+-[a-z]
                                      ^
`)
  })
})
