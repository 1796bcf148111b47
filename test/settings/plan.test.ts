import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'
import { ending } from '../support/text.ts'
import { checkout, flagsOf, plain } from './seed.ts'

const plan = ['project', 'settings', 'plan']
const fields =
  'the fields are mode, featureNaming with pattern, example, description, and linkTemplates with title, urlTemplate'
const seed: Seed = {
  projects: [checkout, plain(), plain('app.web')],
  flags: flagsOf('checkout', 'checkout-a', 'checkout-b', 'x1'),
}

/** Runs a plan for a document, or for several, on a sandbox, which is called S in them and in the output. */
async function planFor(text: string | Record<string, string>, ...argv: string[]) {
  const files = Object.entries(typeof text === 'string' ? { 'a.yaml': text } : text)
  const sandbox = await sandboxOf([], { seed })
  const named = Object.fromEntries(
    files.map(([name, content]) => [
      `work/${name}`,
      content.replace('service: S', `service: ${sandbox.url}`),
    ]),
  )
  const paths = files.flatMap(([name]) => ['-f', name])
  const outcome = await flagadm([...plan, ...paths, ...argv], { ...sandbox, files: named })
  return { ...anonymous(sandbox, outcome), requests: sandbox.requests() }
}

/** Runs a plan for a document on a service with these responses; others are 404. */
async function planOn(responses: Record<string, object>, text: string, ...argv: string[]) {
  const server = await serve((response, { url }) => {
    const body = Object.entries(responses).find(([path]) => url.endsWith(path))?.[1]
    return json(response, body ? 200 : 404, body ?? { message: 'no such path' })
  })
  const world = { env: environment(server.url), files: { 'work/a.yaml': text } }
  return anonymous(server, await flagadm([...plan, '-f', 'a.yaml', ...argv], world))
}

const changes = `projects:
  checkout:
    mode: private
    featureNaming: {pattern: 'checkout-[a-z-]+', description: null}
    linkTemplates: []
  plain: {mode: open}
`
// At most one line more than the project has changes.
const report = `checkout: would change
  mode         protected → private (only its members will see it)
  pattern      checkout-[a-z]+ → checkout-[a-z-]+ (wider; 1 of 3 existing flags breaks it: x1)
  description
    - One
    - two
  links        Issue: https://t.test/ → (unset)

2 projects: 1 would change, 1 unchanged
`

describe('settings plan', () => {
  test('shows each project, each change and the effect of a new rule', async () => {
    const { code, stdout, stderr, requests } = await planFor(changes)
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `Plan for S\n\n${report}`,
      stderr: '',
    })
    expect(requests.filter((line) => !line.startsWith('GET'))).toEqual([])
    // Flags that break a rule have the colour of problems.
    const { stdout: colored } = await planFor(changes, '--color', 'always')
    expect(colored).toContain('\u001b[31m1 of 3 existing flags breaks it: x1\u001b[39m')
  })

  test('has the same content in JSON', async () => {
    expect(JSON.parse((await planFor(changes, '--json')).stdout)).toEqual({
      baseUrl: 'S',
      projects: [
        {
          projectId: 'checkout',
          status: 'changed',
          changes: [
            { field: 'mode', from: 'protected', to: 'private' },
            { field: 'featureNaming.pattern', from: 'checkout-[a-z]+', to: 'checkout-[a-z-]+' },
            { field: 'featureNaming.description', from: 'One\ntwo', to: null },
            { field: 'linkTemplates', from: checkout.linkTemplates, to: null },
          ],
          rule: { relation: 'wider', flags: 3, breaking: ['x1'] },
          warning: 'project checkout becomes private: only its members will see it',
        },
        { projectId: 'plain', status: 'unchanged', changes: [] },
      ],
      summary: { changed: 1, unchanged: 1, missing: 0, failed: 0 },
    })
  })

  test('is a comment with a hidden marker and a fence that no text can end with -o markdown', async () => {
    const { stdout } = await planFor(changes, '-o', 'markdown')
    const head = '<!-- flagadm plan S -->\n### Plan for S\n\n'
    expect(stdout).toBe(`${head}\`\`\`\n${report}\`\`\`\n`)
    const text = 'projects: {plain: {featureNaming: {pattern: a, description: "```` a"}}}'
    const fenced = await planFor(text, '-o', 'markdown')
    expect(fenced.stdout).toMatch(/\n`{5}\nplain: would change\n[^]*\n`{5}\n$/)
  })

  test('has at most 65,000 characters in Markdown', async () => {
    // Long names, because each project is a request.
    const ids = Array.from({ length: 150 }, (_, index) => `${'project-'.repeat(60)}${index}`)
    const projects = Object.fromEntries(ids.map((id) => [id, { mode: 'protected' }]))
    const overview = { '/overview': { mode: 'open', featureNaming: {}, linkTemplates: [] } }
    const { stdout } = await planOn(overview, JSON.stringify({ projects }), '-o', 'markdown')
    expect(stdout.length).toBeGreaterThan(60_000)
    expect(stdout.length).toBeLessThanOrEqual(65_000)
    expect(stdout).toMatch(
      /\n```\n\n\d+ more lines left out, because a comment has no room for them \(-o json has all\)\n$/,
    )
  })

  test('shows the same change of several projects once, and the flags that break it', async () => {
    const ids = ['app', 'mail', 'own', 'shop']
    const own = { id: 'own', mode: 'open', featureNaming: { pattern: 'own-.+' } } as const
    const flags = [...flagsOf('mail', 'mail-a', 'pay'), ...flagsOf('shop', 'shop-a')]
    const seed = { projects: [plain('app'), plain('mail'), own, plain('shop')], flags }
    const sandbox = await sandboxOf([], { seed })
    const document = `defaults: {featureNaming: {pattern: '{project}-[a-z]+', example: '{project}-a'}}
projects: {${ids.map((id) => `${id}: null`).join(', ')}}
`
    const argv = ['project', 'settings', 'plan', '-f', 'a.yaml']
    const outcome = await flagadm(argv, { ...sandbox, files: { 'work/a.yaml': document } })
    expect(anonymous(sandbox, outcome).stdout).toBe(`Plan for S

3 projects: would change
  pattern      (unset) → {project}-[a-z]+ (from defaults; new rule)
  example      (unset) → {project}-a (from defaults)
  in app, mail, shop
  mail: 1 of 2 existing flags breaks it: pay

own: would change
  pattern      own-.+ → own-[a-z]+ (from defaults; narrower)
  example      (unset) → own-a (from defaults)

4 projects: 4 would change, 0 unchanged
`)
  })

  test.each([
    ['a rule where none was', 'plain: {featureNaming: {pattern: a+}}', 'new rule', 'new'],
    ['a removed rule', 'checkout: {featureNaming: null}', 'rule removed', 'removed'],
  ])('calls %s by its name', async (_what, project, text, relation) => {
    const document = `projects: {${project}}`
    expect((await planFor(document)).stdout).toContain(` (${text})\n`)
    const { stdout } = await planFor(document, '--json')
    expect(JSON.parse(stdout).projects[0].rule).toMatchObject({ relation })
  })

  test('reports undeclared fields and projects only with --strict', async () => {
    const text =
      'projects:\n  checkout: {mode: protected, linkTemplates: null}\n  plain: {mode: open}\n'
    const change =
      '  links        Issue: https://t.test/ → (unset)\n\napp.web: not declared\n\n2 projects: 1 would change, 1 unchanged\n'
    expect((await planFor(text)).stdout).toBe(
      `Plan for S\n\ncheckout: would change\n${change.replace('app.web: not declared\n\n', '')}`,
    )
    expect((await planFor(text, '--strict')).stdout).toBe(
      `Plan for S\n\ncheckout: would change; not declared: featureNaming.pattern, featureNaming.example, featureNaming.description\n${change}`,
    )
    const { stdout } = await planFor(text, '--strict', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      undeclared: ['app.web'],
      projects: [{ undeclared: expect.arrayContaining(['featureNaming.pattern']) }, {}],
    })
  })

  test.each([
    ['projects: {plain: {mode: protected}}', [], 'error: 1 of 1 project would change\n'],
    ['projects: {plain: {mode: open}}', [], ''],
    ['projects: {plain: {mode: open}}', ['--strict'], 'error: 2 other projects not declared\n'],
    [
      'projects: {checkout: {}, plain: {mode: protected}}',
      ['--strict'],
      'error: 1 of 2 projects would change; 1 of 2 projects not fully declared; 1 other project not declared\n',
    ],
  ])('--fail-on-change fails if %j with %j would change anything', async (text, argv, stderr) => {
    const outcome = await planFor(text, '--fail-on-change', ...argv)
    expect([outcome.code, outcome.stderr]).toEqual([stderr === '' ? 0 : 9, stderr])
  })

  test('reports missing projects, and exits with 10', async () => {
    const text = 'projects:\n  chekout: {mode: open}\n  plain: {mode: protected}\n  gone: {}\n'
    const { code, stdout, stderr, requests } = await planFor(text, '--fail-on-change')
    expect([code, stderr]).toEqual([10, 'error: 2 of 3 projects failed\n'])
    expect(stdout).toBe(`Plan for S

plain: would change
  mode         open → protected

chekout: missing: unknown project 'chekout'; did you mean 'checkout'?
gone: missing: unknown project 'gone'; the service lists: app.web, checkout, plain

3 projects: 1 would change, 0 unchanged, 2 missing
`)
    expect(requests.filter((line) => line === 'GET /api/admin/projects 200')).toHaveLength(1)
    const { code: all } = await planFor('projects: {chekout: {}, gone: {}}')
    expect(all).toBe(6)
  })

  test('reports a stored example that a new pattern rejects as failed', async () => {
    const text = 'projects:\n  checkout: {featureNaming: {pattern: "shop-[a-z]+"}}\n'
    const { code, stdout } = await planFor(text)
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: `Plan for S

checkout: failed: the stored example 'checkout-a' does not match the new pattern 'shop-[a-z]+'; use an example that matches, clear it with --clear-example (in a file: example: null), or use --no-verify

1 project: 0 would change, 0 unchanged, 1 failed
`,
    })
    expect((await planFor(text, '--no-verify')).code).toBe(0)
  })

  test('fails for settings that the service does not report', async () => {
    const text = 'projects: {plain: {featureNaming: null, linkTemplates: null}}'
    const outcome = await planOn({ '/overview': {} }, text, '--fail-on-change')
    const problem = 'the service does not report mode, featureNaming, linkTemplates'
    expect(outcome).toMatchObject({
      code: 8,
      stdout: `Plan for S\n\nplain: failed: ${problem}\n\n1 project: 0 would change, 0 unchanged, 1 failed\n`,
      stderr: `error: project plain: ${problem}\n`,
    })
    // Unleash before 7 has no link templates.
    const { code } = await planOn(
      { '/overview': { mode: 'open', featureNaming: {}, linkTemplates: [] } },
      text,
    )
    expect(code).toBe(0)
  })

  const overview = { '/overview': { mode: 'open', featureNaming: {}, linkTemplates: [] } }
  test.each([
    [overview, 'the service does not list projects, so others are not known', null],
    [
      {
        ...overview,
        '/ui-config': { environment: 'Open Source' },
        '/projects': { projects: [{ id: 'default' }] },
      },
      'the open-source edition lists only the project default',
      [],
    ],
    [
      { ...overview, '/projects': { projects: [{ id: 'default' }] } },
      'it is not known whether the service lists all projects',
      [],
    ],
  ])('is inconclusive with --strict on %j', async (responses, message, undeclared) => {
    const text = 'projects: {plain: {mode: open}, default: {mode: open}}'
    const argv = ['--strict', '--fail-on-change']
    const { code, stdout, stderr } = await planOn(responses, text, ...argv)
    expect({ code, stdout, stderr }).toEqual({
      code: 9,
      stdout: `Plan for S\n\n2 projects: 0 would change, 2 unchanged\nIncomplete: ${message}\n`,
      stderr: `error: inconclusive: ${message}\nhint: leave out --strict\n`,
    })
    const document = JSON.parse((await planOn(responses, text, ...argv, '--json')).stdout)
    expect(document).toMatchObject({ undeclared, incomplete: [{ message, names: [] }] })
  })

  test('reports other failures as failed', async () => {
    const { url } = await serve((response) => json(response, 403, { message: 'no' }))
    const world = { env: environment(url), files: { 'work/a.yaml': changes } }
    const { code, stdout, stderr } = await flagadm([...plan, '-f', 'a.yaml', '--json'], world)
    expect(code).toBe(5)
    expect(JSON.parse(stdout).projects[0]).toMatchObject({
      projectId: 'checkout',
      status: 'failed',
      error: { kind: 'forbidden', status: 403 },
    })
    expect(JSON.parse(stderr).error.message).toBe('2 of 2 projects failed')
  })
})

describe('--check-names', () => {
  const checked: Seed = {
    projects: ['mail', 'search', 'shop'].map((id) => {
      return { id, mode: 'open', featureNaming: { pattern: `${id}-[a-z]+` } }
    }),
    flags: [
      ...flagsOf('mail', 'mail-a', 'a', 'b', 'c', 'd', 'e', 'f'),
      ...flagsOf('search', 'search-a'),
      ...flagsOf('shop', 'shop-a', 'cart'),
    ],
  }
  const files = {
    'work/a.yaml':
      "projects:\n  mail: {}\n  search: {mode: private}\n  shop: {featureNaming: {pattern: '(shop|cart)(-[a-z]+)?'}}\n",
  }
  const argv = [...plan, '-f', 'a.yaml', '--check-names']

  test('also reports projects whose flags break a rule that does not change', async () => {
    const sandbox = await sandboxOf([], { seed: checked })
    const outcome = anonymous(sandbox, await flagadm(argv, { ...sandbox, files }))
    expect(outcome).toMatchObject({
      code: 9,
      stdout: `Plan for S

mail: unchanged; 6 of 7 existing flags break it: a, b, c and 3 more

search: would change
  mode         open → private (only its members will see it)

shop: would change
  pattern      shop-[a-z]+ → (shop|cart)(-[a-z]+)? (wider)

3 projects: 2 would change, 1 unchanged
`,
      stderr: 'error: flags break the rule in 1 of 3 projects\n',
    })
    const { stdout } = await flagadm([...argv, '--json'], { ...sandbox, files })
    const { projects, summary } = JSON.parse(stdout)
    const [mail, search] = projects
    expect(mail.rule).toEqual({ flags: 7, breaking: ['a', 'b', 'c', 'd', 'e', 'f'] })
    expect(search.rule).toEqual({ flags: 1, breaking: [] })
    expect(summary.breaking).toBe(1)
  })

  test('is inconclusive if the service does not list flags', async () => {
    const overview = { mode: 'open', featureNaming: { pattern: 'mail-[a-z]+' } }
    const text = 'projects: {mail: {}}\n'
    const { code, stdout, stderr } = await planOn({ '/overview': overview }, text, '--check-names')
    expect([code, stderr]).toEqual([9, 'error: flags could not be checked in 1 of 1 project\n'])
    expect(stdout).toContain('\nmail: unchanged; the existing flags are not known\n')
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
    const world = { ...sandbox, files, stdin: 'projects: {app.web: {mode: open}}' }
    const { code, stdout } = await flagadm([...plan, '-f', '-', '-f', 'flags', '--json'], world)
    const projects: { projectId: string }[] = JSON.parse(stdout).projects
    const ids = projects.map(({ projectId }) => projectId)
    expect([code, ids]).toEqual([0, ['app.web', 'checkout', 'plain']])
  })

  const form =
    'a document maps project ids to settings in projects, and may have defaults and service; one with the settings of a single project is for set -f'
  const modes = 'choose one of open, protected, private, or use --no-verify'
  const correct = 'correct it, or use --no-verify'
  const profile = 'use a profile for that service, or correct the field service'
  const quotes = 'put single quotes around the value'
  const other = 'https://flags.example.com'
  const shared = (rule: string) =>
    `defaults:\n  featureNaming:\n    ${rule}\nprojects: { app.web: {}, plain: {} }\n`
  const group =
    'the pattern is not a valid regular expression (unterminated group near character 2): the service would accept it and enforce nothing (no-compile)'
  test.each([
    ['projects: {}\nmode: open\n', '2: mode: unknown field', form],
    ['projects:\n  a: null\n', '2: projects.a: expected an object', fields],
    [
      'projects:\n  a:\n    mode: closed\n',
      "3: projects.a.mode: unknown project mode 'closed'",
      modes,
    ],
    [shared('patern: a'), '3: defaults.featureNaming.patern: unknown field', fields],
    [shared("pattern: 'a('"), `3: defaults.featureNaming.pattern: ${group}`, correct],
    [`service: ${other}/\nprojects: {}\n`, `1: the document is for ${other}, not for S`, profile],
    ['service: 7\nprojects: {}\n', '1: service: expected string', quotes],
  ])('%j is refused, with its problem once', async (text, problem, hint) => {
    const { code, stdout, stderr } = await planFor(text)
    const error = `error: a.yaml:${problem}\nhint: ${hint}\n`
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: error,
    })
  })

  const store = 'contains a character that the service cannot store: NUL, or half a surrogate pair'
  test('with several problems are refused with all of them', async () => {
    const { code, stderr, requests } = await planFor(
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
        'b.yaml': `projects:
  app.web:
    mode: closed
    featureNaming:
      pattern: a|b
      example: zz
    linkTemplates:
      - {title: "\\0", urlTemplate: "[redacted]"}
`,
        'c.yaml': '[',
        'd.yaml': 'projects:\n\n  plain: {}\n',
      },
      ...['-f', 'none.yaml'],
    )
    expect([code, requests]).toEqual([2, []])
    expect(stderr.split('\n').filter((line) => line.startsWith('error:'))).toEqual([
      'error: a.yaml:6: projects.checkout.featureNaming.description: expected string',
      'error: a.yaml:4: projects.checkout.linkTemplates[0].urlTemplate: missing',
      'error: a.yaml:9: projects.plain.mode: expected string',
      'error: a.yaml:8: projects.plain.foo: unknown field',
      "error: b.yaml:3: projects.app.web.mode: unknown project mode 'closed'",
      `error: b.yaml:8: projects.app.web.linkTemplates[0].title: ${store}`,
      'error: b.yaml:8: projects.app.web.linkTemplates[0].urlTemplate: contains [redacted], which flagadm writes in place of the API key',
      'error: c.yaml:1:2: not valid YAML or JSON: a missing quotation mark, bracket, colon or comma',
      'error: d.yaml:3: project plain is also defined in a.yaml:7',
      'error: --file: cannot read none.yaml: no such file',
      'error: b.yaml:6: projects.app.web.featureNaming.example: the example "zz" does not match ^a|b$ (example-mismatch)',
      expect.stringMatching(/^error: b.yaml:5: projects.app.web.featureNaming.pattern: .*\(loose-/),
      'error: 12 problems',
    ])
  })

  test('are accepted with a rule that is stored already, whatever it is', async () => {
    const featureNaming = { pattern: 'a|b', example: 'zz' }
    const overview = { mode: 'open', featureNaming }
    const text = (rule: object) =>
      JSON.stringify({ projects: { mail: { mode: 'protected', featureNaming: rule } } })
    const { code, stdout } = await planOn({ '/overview': overview }, text(featureNaming))
    expect([code, stdout.split('\n')[3]]).toEqual([0, '  mode         open → protected'])
    const changed = await planOn(
      { '/overview': overview },
      text({ ...featureNaming, example: 'y' }),
    )
    expect(changed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(loose-alternation)'),
    })
  })

  test('are checked only for their shape with --no-verify', async () => {
    const text =
      'projects: {mail: {x: 1}, app.web: {mode: closed, featureNaming: {pattern: a|b, example: c}}}'
    expect(ending(await planFor(text, '--no-verify'))).toBe(
      `2 error: a.yaml:1: projects.mail.x: unknown field\nhint: ${fields}\n`,
    )
    const { stdout } = await planFor(text.replace('mail: {x: 1}, ', ''), '--no-verify', '--json')
    expect(JSON.parse(stdout).projects[0].changes[0]).toMatchObject({ to: 'closed' })
  })

  const masked = 'contains [redacted], which flagadm writes in place of the API key'
  test.each([
    ['"..": {}', "invalid project id '..'", "a project id cannot be empty, '.' or '..'"],
    ['"\\ud800": {}', 'the project id is not valid Unicode', 'check how the text is encoded'],
    ['"a[redacted]": {}', `the project id ${masked}`, 'write the text that it replaced'],
    [
      'plain: {featureNaming: {description: "[redacted]"}}',
      `projects.plain.featureNaming.description: ${masked}`,
      'write the text that it replaced',
    ],
    [
      'plain: {featureNaming: {example: "\\ud83d"}}',
      `projects.plain.featureNaming.example: ${store}`,
      'remove it',
    ],
  ])('with %s are refused, also with --no-verify', async (line, problem, hint) => {
    for (const more of [[], ['--no-verify']]) {
      const { requests, ...outcome } = await planFor(`projects:\n  ${line}\n`, ...more)
      expect(ending(outcome)).toBe(`2 error: a.yaml:2: ${problem}\nhint: ${hint}\n`)
      expect(requests).toEqual([])
    }
  })

  test('may have the address of the service', async () => {
    expect((await planFor('service: S/\nprojects: {plain: {}}\n')).code).toBe(0)
    const { code, stderr } = await planFor('service: flags\nprojects: {}\n')
    expect([code, stderr.split('\n')[0]]).toEqual([
      3,
      'error: a.yaml:1: service: not an http or https address',
    ])
  })

  test('are required', async () => {
    const { code, stderr } = await flagadm(plan)
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'error: --file is required'])
    const empty = await planFor({ 'x.txt': '' }, '-f', '.')
    expect(empty).toMatchObject({
      code: 2,
      stderr: 'error: --file: no YAML or JSON file in .\nhint: check the path\n',
    })
  })
})

describe('defaults of a document', () => {
  const document = `defaults:
  mode: protected
  featureNaming:
    pattern: '{project}-[a-z0-9-]+'
    example: '{project}-new-page'
    description: '{project}: the team, then the subject'
projects:
  app.web:
  plain:
    mode: open
    featureNaming: { description: null }
`

  test('are inherited and overridden, with the id in place of {project}', async () => {
    const { code, stdout, stderr } = await planFor(document)
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout: `Plan for S

app.web: would change
  mode         open → protected (from defaults)
  pattern      (unset) → app\\.web-[a-z0-9-]+ (from defaults; new rule)
  example      (unset) → app.web-new-page (from defaults)
  description  (unset) → app.web: the team, then the subject (from defaults)

plain: would change
  pattern      (unset) → plain-[a-z0-9-]+ (from defaults; new rule)
  example      (unset) → plain-new-page (from defaults)

2 projects: 2 would change, 0 unchanged
`,
    })
    const { stdout: report } = await planFor(document, '--json')
    expect(JSON.parse(report).projects[1].changes[1]).toEqual({
      field: 'featureNaming.example',
      from: null,
      to: 'plain-new-page',
      inherited: true,
    })
  })

  test('are the only values in which {project} is replaced', async () => {
    const text =
      "projects: { plain: { featureNaming: { pattern: 'a', description: '{project}' } } }"
    expect((await planFor(text, '--json')).stdout).toContain('"to":"{project}"')
  })
})
