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
  mode         protected → private (only its members will see it)
  pattern      checkout-[a-z]+ → checkout-[a-z-]+ (wider; 1 of 3 existing flags breaks it: x1)
  description  "One\\ntwo" → (unset)
  links        Issue: https://t.test/ → (unset)

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
    expect(stdout).toBe(`<!-- flagadm plan S -->
### Plan for S

\`\`\`
checkout: would change
  mode         protected → private (only its members will see it)
  pattern      checkout-[a-z]+ → checkout-[a-z-]+ (wider; 1 of 3 existing flags breaks it: x1)
  description  "One\\ntwo" → (unset)
  links        Issue: https://t.test/ → (unset)

2 projects: 1 would change, 1 unchanged
\`\`\`
`)
  })

  test('has a fence in Markdown that no text can end', async () => {
    const text = 'projects: {plain: {featureNaming: {pattern: a, description: "```` a"}}}'
    const { stdout } = await planFor({ 'a.yaml': text }, '-f', 'a.yaml', '-o', 'markdown')
    expect(stdout).toMatch(/\n`{5}\nplain: would change\n[^]*\n`{5}\n$/)
  })

  test('has at most 65,536 characters in Markdown', async () => {
    const { url } = await serve((response) =>
      json(response, 200, { mode: 'open', environments: [] }),
    )
    const ids = Array.from({ length: 1500 }, (_, index) => `project-${index}`)
    const projects = Object.fromEntries(ids.map((id) => [id, { mode: 'protected' }]))
    const world = { env: environment(url), files: { 'work/a.json': JSON.stringify({ projects }) } }
    const { stdout } = await flagadm([...plan, '-f', 'a.json', '-o', 'markdown'], world)
    expect(stdout.length).toBeGreaterThan(65_000)
    expect(stdout.length).toBeLessThanOrEqual(65_536)
    expect(stdout).toMatch(/\n… \d+ more lines\n```\n$/)
  })

  test('prints a project in at most one line more than it has changes', async () => {
    const { stdout } = await planFor({ 'a.yaml': changes }, '-f', 'a.yaml', '--strict')
    const lines = stdout.split('\n').filter((line) => /^(checkout| {2})/.test(line))
    expect(lines).toHaveLength(5)
  })

  test('has the colour of problems for flags that break a rule', async () => {
    const { stdout } = await planFor({ 'a.yaml': changes }, '-f', 'a.yaml', '--color', 'always')
    expect(stdout).toContain('\u001b[31m1 of 3 existing flags breaks it: x1\u001b[39m')
  })

  test.each([
    ['a rule where none was', 'plain: {featureNaming: {pattern: a+}}', 'new rule', 'new'],
    ['a removed rule', 'checkout: {featureNaming: null}', 'rule removed', 'removed'],
  ])('calls %s by its name', async (_what, project, text, relation) => {
    const files = { 'a.yaml': `projects: {${project}}` }
    expect((await planFor(files, '-f', 'a.yaml')).stdout).toContain(` (${text})\n`)
    const { stdout } = await planFor(files, '-f', 'a.yaml', '--json')
    expect(JSON.parse(stdout).projects[0].rule).toMatchObject({ relation })
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

checkout: would change; not declared: featureNaming.pattern, featureNaming.example, featureNaming.description
  links        Issue: https://t.test/ → (unset)
other: not declared

2 projects: 1 would change, 1 unchanged
`)
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

checkout: would change; ${warning}
  pattern      checkout-[a-z]+ → (unset) (rule removed)
  example      checkout-a → checkout-b
plain: would change; ${warning}
  description  (unset) → Why
other: would change
  mode         open → protected

3 projects: 3 would change, 0 unchanged
`,
    ])
    const { stdout: document } = await planFor({ 'a.yaml': text }, '-f', 'a.yaml', '--json')
    expect(JSON.parse(document).projects).toMatchObject([{ warning }, { warning }, {}])
    expect(JSON.parse(document).projects[2]).not.toHaveProperty('warning')
    const unset = 'projects:\n  plain: {featureNaming: {pattern: null, example: null}}\n'
    const nothing = await planFor({ 'a.yaml': unset }, '-f', 'a.yaml')
    expect(nothing.stdout).not.toContain(warning)
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
gone: missing: unknown project 'gone'; the service lists: checkout, other, plain

2 projects: 1 would change, 0 unchanged, 1 missing
`)
  })

  test('reports a stored example that a new pattern rejects as failed', async () => {
    const text = 'projects:\n  checkout: {featureNaming: {pattern: "shop-[a-z]+"}}\n'
    const { code, stdout } = await planFor({ 'a.yaml': text }, '-f', 'a.yaml')
    expect([code, stdout]).toEqual([
      2,
      `Plan for S

checkout: failed: the stored example 'checkout-a' does not match the new pattern 'shop-[a-z]+'; use an example that matches, clear it with --naming-example '' (in a file: example: null), or use --no-verify

1 project: 0 would change, 0 unchanged, 1 failed
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

1 project: 0 would change, 1 unchanged
Incomplete: the service does not list projects, so others are not known
`,
      'error: inconclusive: the service does not list projects, so others are not known\nhint: leave out --strict\n',
    ])
    const { stdout: document } = await flagadm([...strict, '--json'], world)
    expect(JSON.parse(document)).toMatchObject({ undeclared: null, summary: { unchanged: 1 } })
  })

  test('is inconclusive with --strict if the edition lists only the project default', async () => {
    const { url } = await serve((response, { url: path }) => {
      if (path.endsWith('/ui-config')) return json(response, 200, { environment: 'Open Source' })
      if (path.endsWith('/projects')) return json(response, 200, { projects: [{ id: 'default' }] })
      return json(response, 200, { mode: 'open' })
    })
    const world = {
      env: environment(url),
      files: { 'work/a.yaml': 'projects: {plain: {mode: open}, default: {}}' },
    }
    const argv = [...plan, '-f', 'a.yaml', '--strict', '--fail-on-change']
    const message = 'the open-source edition lists only the project default'
    const { code, stdout, stderr } = await flagadm(argv, {
      ...world,
      files: { 'work/a.yaml': 'projects: {plain: {mode: open}, default: {mode: open}}' },
    })
    expect([code, stdout, stderr]).toEqual([
      9,
      `Plan for ${url}\n\n2 projects: 0 would change, 2 unchanged\nIncomplete: ${message}\n`,
      `error: inconclusive: ${message}\nhint: leave out --strict\n`,
    ])
    const { stdout: document } = await flagadm([...argv, '--json'], world)
    expect(JSON.parse(document)).toMatchObject({
      undeclared: [],
      incomplete: [{ message, names: [] }],
    })
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
    ['projects: {}\nmode: open\n', `a.yaml:2: mode: unknown field\n${form}`],
    ['projects: []\n', `a.yaml:1: projects: expected an object\n${form}`],
    ['\n- a\n', `a.yaml:1: expected an object\n${form}`],
    ['', `a.yaml:1: expected an object\n${form}`],
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
      'error: a.json: YAML with more than 1000000 characters\nhint: make it smaller\n',
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
      'error: --file is required\nhint: for example: flagadm project settings plan -f flags.yaml -p sandbox\n',
    ],
  ])('%j is refused', async (argv, report) => {
    const { code, stderr } = await planFor({ 'empty/x.txt': '' }, ...argv)
    expect([code, stderr]).toEqual([2, report])
  })
})
