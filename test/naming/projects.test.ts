import { describe, expect, test } from 'vitest'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

interface Stored {
  pattern: string | null
  flags: string[]
}

const stored: Record<string, Stored> = {
  mail: { pattern: null, flags: ['anything'] },
  shop: { pattern: 'shop-[a-z]+', flags: ['shop-a', 'Shop-b'] },
  'shop-admin': { pattern: 'admin-[a-z]+', flags: ['admin-x'] },
}

async function naming(
  argv: readonly string[],
  projects: Record<string, Stored> = stored,
  world: World = {},
) {
  const server = await serve((response, { method, url, body }) => {
    if (url.endsWith('/projects')) {
      return json(response, 200, { projects: Object.keys(projects).map((id) => ({ id })) })
    }
    const [, id = '', operation] = /\/projects\/([^/]+)\/(\w+)$/.exec(url) ?? []
    const project = projects[id]
    if (method === 'POST') {
      if (JSON.parse(body).name === 'denied') return json(response, 403, { message: 'no access' })
      return JSON.parse(body).name === 'admin-x'
        ? json(response, 409, { name: 'NameExistsError', message: 'exists' })
        : response.writeHead(200).end()
    }
    if (!project) return json(response, 404, { message: 'No project found' })
    if (id === 'closed') return json(response, 403, { message: 'no access' })
    return operation === 'overview'
      ? json(response, 200, { environments: [], featureNaming: { pattern: project.pattern } })
      : json(response, 200, {
          features: project.flags.map((name) => ({ name, environments: [] })),
        })
  })
  const { code, stdout, stderr } = await flagadm(['naming', ...argv], {
    ...world,
    env: environment(server.url),
  })
  return { code, stdout, stderr }
}

describe('naming check of several projects', () => {
  test('checks the flags of each project against its own rule', async () => {
    expect(await naming(['check', '--all-projects'])).toEqual({
      code: 9,
      stdout: `shop
  error  does not match ^shop-[a-z]+$  Shop-b  did you mean shop-b
✗ 3 names checked: 1 failed

mail        no naming rule
shop        2 names checked, 1 failed
shop-admin  1 name checked, 0 failed
`,
      stderr: 'error: 1 of 3 names breaks the rule\n',
    })
  })

  test('checks the flags of all projects against a given rule', async () => {
    const { code, stdout } = await naming(['check', '--all-projects', '--pattern', '[a-z-]+'])
    expect([code, stdout]).toEqual([
      9,
      `shop
  error  does not match ^[a-z-]+$  Shop-b  did you mean shop-b
✗ 4 names checked: 1 failed

mail        1 name checked, 0 failed
shop        2 names checked, 1 failed
shop-admin  1 name checked, 0 failed
`,
    ])
  })

  test('checks given names against the rule of each selected project', async () => {
    const argv = ['check', 'shop-new', '--project', 'shop*', '--project', 'mail']
    const { code, stdout } = await naming(argv)
    expect([code, stdout]).toEqual([
      9,
      `shop-admin
  error  does not match ^admin-[a-z]+$  shop-new  did you mean admin-shopnew
✗ 2 names checked: 1 failed

shop        1 name checked, 0 failed
shop-admin  1 name checked, 1 failed
mail        no naming rule
`,
    ])
  })

  test('lists the flags of a project in the order of their names', async () => {
    const projects = { shop: { pattern: 'shop-[a-z]+', flags: ['c', 'a', 'b'] } }
    const { stdout } = await naming(['check', '--project', 'shop', '--json'], projects)
    const names = JSON.parse(stdout).violations.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['a', 'b', 'c'])
  })

  test('has the project of each name, and the totals, in JSON', async () => {
    const { stdout } = await naming(['check', '--project', 'shop', '--project', 'mail', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      checked: 2,
      violations: [
        {
          name: 'Shop-b',
          reasons: ['does not match ^shop-[a-z]+$'],
          project: 'shop',
          suggestion: 'shop-b',
        },
      ],
      staleAllowed: [],
      unresolved: 0,
      projects: [
        { project: 'shop', rule: { pattern: 'shop-[a-z]+' }, checked: 2, failed: 1, undecided: 0 },
        { project: 'mail', rule: {}, checked: 0, failed: 0, undecided: 0 },
      ],
    })
  })

  test.each([
    [
      'jsonl',
      '{"name":"Shop-b","reasons":["does not match ^shop-[a-z]+$"],"project":"shop","suggestion":"shop-b"}\n',
    ],
    [
      'github',
      '::error title=naming::shop: Shop-b: does not match ^shop-[a-z]+$; did you mean shop-b\n',
    ],
    [
      'csv',
      'name,reasons,suggestion,project,file,line,column\r\nShop-b,does not match ^shop-[a-z]+$,shop-b,shop,,,\r\n',
    ],
    [
      'markdown',
      `✗ 3 names checked: 1 failed

| Name | Problem | Did you mean | Project |
| --- | --- | --- | --- |
| \`Shop-b\` | \`does not match ^shop-[a-z]+$\` | \`shop-b\` | \`shop\` |

- mail: no naming rule
- shop: 2 names checked, 1 failed
- shop-admin: 1 name checked, 0 failed
`,
    ],
  ])('shows the project in %s', async (format, expected) => {
    const { stdout } = await naming(['check', '--all-projects', '-o', format])
    expect(stdout).toBe(expected)
  })

  test('passes if the flags of all projects follow their rules', async () => {
    const { code, stdout } = await naming(['check', '--project', 'shop-*', '--project', 'mail'])
    expect([code, stdout]).toEqual([
      0,
      `✓ 1 name checked: all follow the rule

shop-admin  1 name checked, 0 failed
mail        no naming rule
`,
    ])
  })

  test('reports the projects that could not be read, and fails', async () => {
    const projects = { ...stored, closed: { pattern: 'x', flags: [] } }
    const { code, stdout, stderr } = await naming(
      ['check', '--project', 'shop-admin', '--project', 'closed'],
      projects,
    )
    expect([code, stdout]).toEqual([
      10,
      `✓ 1 name checked: all follow the rule

shop-admin  1 name checked, 0 failed

Incomplete: 1 of 2 projects could not be read (closed)
`,
    ])
    expect(stderr).toContain('error: 1 of 2 projects could not be read\n')
  })

  test('checks the other projects if the stored pattern of one does not compile', async () => {
    const projects = { ...stored, web: { pattern: 'web-[a-z', flags: ['web-a'] } }
    expect(await naming(['check', '--all-projects', '-o', 'github'], projects)).toEqual({
      code: 9,
      stdout:
        '::error title=naming::shop: Shop-b: does not match ^shop-[a-z]+$; did you mean shop-b\n::warning title=incomplete::1 of 4 projects could not be read (web)\n',
      stderr: `error: project web: pattern: not a valid regular expression: Unterminated character class
hint: run flagadm naming lint --project web
error: 1 of 3 names breaks the rule
`,
    })
  })

  test('checks the other projects if the stored pattern of one is too long', async () => {
    const projects = { ...stored, web: { pattern: 'w'.repeat(10_001), flags: ['web-a'] } }
    const argv = ['check', '--project', 'shop-admin', '--project', 'web']
    expect(await naming(argv, projects)).toEqual({
      code: 10,
      stdout: `✓ 1 name checked: all follow the rule

shop-admin  1 name checked, 0 failed

Incomplete: 1 of 2 projects could not be read (web)
`,
      stderr: `error: project web: inconclusive: the pattern is too long to check: 10001 characters, at most 10000
hint: use a shorter rule
error: 1 of 2 projects could not be read
`,
    })
  })

  test('exits 2 if no stored pattern compiles', async () => {
    const broken = { pattern: 'web-[a-z', flags: ['web-a'] }
    expect(await naming(['check', '--all-projects'], { mail: broken, web: broken })).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: 2 projects (mail, web): pattern: not a valid regular expression: Unterminated character class
`,
    })
  })

  test.each([
    [['--project', 'shp*'], "error: no project matches shp*\nhint: did you mean 'shop'?"],
    [['--project', 'shp', '--project', 'mail'], "error: unknown project 'shp'"],
  ])('exits 6 for %j, which matches no project', async (argv, message) => {
    const { code, stderr } = await naming(['check', ...argv])
    expect([code, stderr.includes(message)]).toEqual([6, true])
  })

  test('requires a rule of at least one project', async () => {
    const none = { pattern: null, flags: [] }
    const projects = { mail: none, web: none }
    expect(await naming(['check', '--all-projects'], projects)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: none of 2 projects has a naming rule\nhint: use --rule <file> or --pattern <regex>, or set a rule for the project\n',
    })
  })
})

test('naming check --available works for a project without a rule', async () => {
  const free = await naming(['check', 'new-flag', '--available', '--project', 'mail'])
  expect(free).toEqual({
    code: 0,
    stdout: '✓ 1 name checked: all can be used for new flags\n',
    stderr: '',
  })
  const taken = await naming(['check', 'admin-x', '--available', '--project', 'mail'])
  expect([taken.code, taken.stdout]).toEqual([
    9,
    '  error  is taken by a flag or an archived flag  admin-x\n✗ 1 name checked: 1 failed\n',
  ])
})

test('naming check --available fails if the key may not ask', async () => {
  expect(await naming(['check', 'denied', '--available', '--project', 'mail'])).toEqual({
    code: 5,
    stdout: '',
    stderr:
      'error: project mail: denied: 403: no access\nhint: use a key that has this permission\n',
  })
})

test('naming check reports names that could not be matched in time as undecided', async () => {
  const name = `${'a'.repeat(60)}!`
  const argv = ['check', 'aa', name, '--pattern', '(a+)+']
  expect(await flagadm(['naming', ...argv])).toMatchObject({
    code: 9,
    stdout: `  warning  could not be matched with ^(a+)+$ in time  ${name}\n? 2 names checked: none failed, 1 undecided\n`,
    stderr:
      'error: inconclusive: 1 of 2 names could not be matched in time\nhint: run flagadm naming lint for the rule\n',
  })
  const { stdout } = await flagadm(['naming', ...argv, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ violations: [], undecided: [{ name }] })
})

test('naming check has the places of names in CSV and Markdown', async () => {
  const argv = ['naming', 'check', '--scan', 'a.js', '--pattern', 'feat-[a-z]+']
  const world = { files: { 'work/a.js': "\nisEnabled('login')\nisEnabled(x())\n" } }
  expect(await flagadm([...argv, '-o', 'csv'], world)).toMatchObject({
    code: 9,
    stdout:
      'name,reasons,suggestion,project,file,line,column\r\nlogin,does not match ^feat-[a-z]+$,feat-login,,a.js,2,12\r\n',
  })
  const { stdout } = await flagadm([...argv, '-o', 'markdown'], world)
  expect(stdout).toBe(`✗ 1 name checked: 1 failed

| Name | Problem | Did you mean | Place |
| --- | --- | --- | --- |
| \`login\` | \`does not match ^feat-[a-z]+$\` | \`feat-login\` | \`a.js:2:12\` |

Incomplete: 1 of 2 lookups could not be read
`)
  const passing = await flagadm(['naming', 'check', 'a', '--pattern', 'a', '-o', 'markdown'])
  expect(passing.stdout).toBe('✓ 1 name checked: all follow the rule\n')
})

const mail: Stored = { pattern: null, flags: [] }
const web: Stored = { pattern: 'web-.*|www', flags: [] }

const lintText = `shop
  info  the rule has no example: project settings set keeps the stored one, but other clients clear it      no-example
  info  the rule has no description: project settings set keeps the stored one, but other clients clear it  no-description

shop-admin
  info  the rule has no example: project settings set keeps the stored one, but other clients clear it      no-example
  info  the rule has no description: project settings set keeps the stored one, but other clients clear it  no-description

web
  error  ^ and $ bind only to the outer branches: "zzz-www" passes                                           loose-alternation  did you mean (?:web-.*|www)
  info   the rule has no example: project settings set keeps the stored one, but other clients clear it      no-example
  info   the rule has no description: project settings set keeps the stored one, but other clients clear it  no-description

mail        no naming rule
shop        no problems
shop-admin  no problems
web         1 error
`

const lintCsv = [
  'project,code,severity,message,suggestion,file,line,column',
  'web,loose-alternation,error,"^ and $ bind only to the outer branches: ""zzz-www"" passes",(?:web-.*|www),,,',
  'web,no-example,info,"the rule has no example: project settings set keeps the stored one, but other clients clear it",,,,',
  'web,no-description,info,"the rule has no description: project settings set keeps the stored one, but other clients clear it",,,,',
  '',
].join('\r\n')

describe('naming lint of projects', () => {
  test('lints the stored rule of a project', async () => {
    const { code, stdout } = await naming(['lint', '--project', 'shop', '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { project: 'shop', rule: { pattern: 'shop-[a-z]+' } },
    ])
  })

  test('lints the stored rule of each project', async () => {
    const projects = { ...stored, web }
    const { code, stdout, stderr } = await naming(['lint', '--all-projects'], projects)
    expect([code, stderr]).toEqual([9, 'error: 1 of 3 naming rules has problems: web\n'])
    expect(stdout).toBe(lintText)
  })

  test('shows the findings in CSV', async () => {
    const projects = { mail, web }
    const { code, stdout } = await naming(['lint', '--all-projects', '-o', 'csv'], projects)
    expect([code, stdout]).toEqual([9, lintCsv])
  })

  test('reports the projects that could not be read, and fails', async () => {
    const projects = { ...stored, closed: { pattern: 'x', flags: [] } }
    const argv = ['lint', '--project', 'mail', '--project', 'shop', '--project', 'closed']
    const { code, stdout, stderr } = await naming(argv, projects)
    expect([code, stdout.split('\n').at(-2)]).toEqual([
      10,
      'Incomplete: 1 of 3 projects could not be read (closed)',
    ])
    expect(stderr).toBe(
      `error: project closed: 403: no access
hint: use a key that has this permission
error: 1 of 3 projects could not be read
`,
    )
  })

  test('lists the projects in JSON', async () => {
    const { stdout } = await naming(['lint', '--project', 'shop*', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      projects: [{ project: 'shop' }, { project: 'shop-admin' }],
    })
  })

  test('names the project in annotations', async () => {
    const { stdout } = await naming(['lint', '--project', 'shop*', '-o', 'github'])
    expect(stdout).toContain('::notice title=no-example::shop-admin: the rule has no example')
  })

  test('requires a stored rule, and refuses another one', async () => {
    expect(await naming(['lint', '--project', 'mail'])).toMatchObject({
      code: 2,
      stderr:
        'error: project mail has no naming rule\nhint: use --rule <file> or --pattern <regex>, or set a rule for the project\n',
    })
    expect(await naming(['lint', '--project', 'shop', '--pattern', 'a'])).toMatchObject({
      code: 2,
      stderr:
        'error: --project cannot be used with --pattern\nhint: see flagadm naming lint --help\n',
    })
  })
})

const diffText = `shop
equal: both rules accept the same names
newly accepted  0 existing names
newly rejected  0 existing names
compared        2 existing names

shop-admin
disjoint: no name is accepted by both rules
  warning  newly rejected  admin-x
newly accepted  0 existing names, for example shop-a
newly rejected  1 existing name, for example admin-a
compared        1 existing name
`

const diffMarkdown = `### \`shop\`

equal: both rules accept the same names

- newly accepted: 0 existing names
- newly rejected: 0 existing names
- compared: 2 existing names

### \`shop-admin\`

disjoint: no name is accepted by both rules

| Project | Name | Change |
| --- | --- | --- |
| \`shop-admin\` | \`admin-x\` | newly rejected |

- newly accepted: 0 existing names, for example shop-a
- newly rejected: 1 existing name, for example admin-a
- compared: 1 existing name
`

describe('naming diff of several projects', () => {
  const argv = ['diff', '--project', 'shop*', '--to', 'pattern:shop-[a-z]+']

  test('compares the rule of each project', async () => {
    const { code, stdout } = await naming(argv)
    expect([code, stdout]).toEqual([0, diffText])
  })

  test('fails if existing names of any project become rejected', async () => {
    const { code, stderr } = await naming([...argv, '--fail-on', 'rejected'])
    expect([code, stderr]).toEqual([9, 'error: existing names become rejected in shop-admin\n'])
  })

  test('shows the projects in Markdown', async () => {
    const { stdout } = await naming([...argv, '-o', 'markdown'])
    expect(stdout).toBe(diffMarkdown)
  })

  test('shows the project of each name in annotations', async () => {
    const { stdout } = await naming([...argv, '-o', 'github'])
    expect(stdout).toContain('::warning title=naming-diff::shop-admin: admin-x: newly rejected\n')
  })

  test('lists the projects in JSON, and has the project of a single one', async () => {
    const several = await naming([...argv, '--json'])
    expect(JSON.parse(several.stdout)).toMatchObject({
      projects: [
        { project: 'shop', relation: 'equal' },
        { project: 'shop-admin', newlyRejected: { names: ['admin-x'] } },
      ],
    })
    const single = await naming(['diff', '--project', 'shop', '--to', 'pattern:a', '--json'])
    expect(JSON.parse(single.stdout)).toMatchObject({ project: 'shop', relation: 'disjoint' })
  })

  test('compares given names with the rule of each project', async () => {
    const files = { 'work/names.txt': 'admin-x\nother\n' }
    const { stdout } = await naming([...argv, '--names-from', 'names.txt', '--json'], stored, {
      files,
    })
    expect(JSON.parse(stdout)).toMatchObject({
      projects: [
        { project: 'shop', compared: 2, newlyRejected: { names: [] } },
        { project: 'shop-admin', compared: 2, newlyRejected: { names: ['admin-x'] } },
      ],
    })
  })

  test('reports the projects that could not be read, and fails', async () => {
    const projects = { ...stored, closed: { pattern: 'x', flags: [] } }
    const { code, stdout } = await naming(
      ['diff', '--project', 'shop', '--project', 'closed', '--to', 'pattern:shop-[a-z]+'],
      projects,
    )
    expect([code, stdout.split('\n').at(-2)]).toEqual([
      10,
      'Incomplete: 1 of 2 projects could not be read (closed)',
    ])
  })

  test('compares the others if the stored pattern of one is too long', async () => {
    const projects = { ...stored, web: { pattern: 'w'.repeat(10_001), flags: ['web-a'] } }
    const { code, stdout, stderr } = await naming(
      ['diff', '--all-projects', '--to', 'pattern:.*'],
      projects,
    )
    expect([code, stdout.split('\n').at(-2)]).toEqual([
      10,
      'Incomplete: 1 of 4 projects could not be read (web)',
    ])
    expect(stderr).toContain('error: project web: inconclusive: the pattern is too long to check')
  })
})
