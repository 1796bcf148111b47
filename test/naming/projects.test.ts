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
const closed: Stored = { pattern: 'x', flags: [] }
const tooLong: Stored = { pattern: 'w'.repeat(10_001), flags: ['web-a'] }

/** Runs a naming command against a service with these projects; `asked` has the paths and the names of its requests. */
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
      const { name } = JSON.parse(body)
      if (name === 'denied') return json(response, 403, { message: 'no access' })
      if (/[^\w-]/.test(name)) {
        const details = [{ message: '"name" must be URL friendly' }]
        return json(response, 400, { name: 'BadDataError', message: 'failed', details })
      }
      // Archived flags are in no list.
      const names = Object.values(projects).flatMap(({ flags }) => flags)
      return [...names, 'shop-archived'].includes(name)
        ? json(response, 409, { name: 'NameExistsError', message: 'exists' })
        : response.writeHead(200).end()
    }
    if (!project) return json(response, 404, { message: 'No project found' })
    if (id === 'closed') return json(response, 403, { message: 'no access' })
    if (operation === 'overview') {
      const featureNaming = { pattern: project.pattern, example: '', description: null }
      return json(response, 200, { environments: [], featureNaming })
    }
    const features = project.flags.map((name) => ({ name, environments: [] }))
    return json(response, 200, { features })
  })
  const env = environment(server.url)
  const { code, stdout, stderr } = await flagadm(['naming', ...argv], { env, ...world })
  const asked = server.received.map(({ method, url, body }) =>
    method === 'GET' ? url.replace('/api/admin/', '') : JSON.parse(body).name,
  )
  return { code, stdout, stderr, asked }
}

const shop = ['--project', 'shop']

describe('naming check --project', () => {
  test('checks the flags of the project, sorted, against its stored rule', async () => {
    const projects = { shop: { pattern: 'shop-[a-z]+', flags: ['b', 'shop-c', 'Shop-a'] } }
    expect(await naming(['check', ...shop], projects)).toEqual({
      code: 9,
      stdout: `Names must match ^shop-[a-z]+$
  error  Shop-a  did you mean shop-a
  error  b       did you mean shop-b
`,
      stderr: 'error: 2 of 3 names break the rule\n',
      asked: ['projects/shop/overview', 'projects/shop/features'],
    })
  })

  test('checks names of a list and of source code against the stored rule, not a configured one', async () => {
    const files = {
      'work/names': 'shop-x\n',
      'work/src/a.js': "isEnabled('web')\n",
      'work/.flagadmrc.yaml': 'naming:\n  pattern: x\n',
    }
    const argv = ['check', ...shop, '--names-from', 'names', '--scan', 'src', '--json']
    const { code, stdout, asked } = await naming(argv, stored, { files })
    expect([code, asked]).toEqual([9, ['projects/shop/overview']])
    expect(JSON.parse(stdout)).toEqual({
      rule: { pattern: 'shop-[a-z]+' },
      checked: 2,
      violations: [
        {
          name: 'web',
          reasons: ['does not match ^shop-[a-z]+$'],
          suggestion: 'shop-web',
          project: 'shop',
          file: 'src/a.js',
          line: 1,
          column: 12,
        },
      ],
      ignored: 0,
      staleAllowed: [],
      unresolved: 0,
    })
  })

  test.each([
    [
      { pattern: null, flags: [] },
      9,
      'error: nothing to check: project shop has no naming rule\nhint: use --rule <file> or --pattern <regex>, or set a rule for the project; --allow-empty accepts that\n',
    ],
    [
      { pattern: '(', flags: ['a'] },
      2,
      'error: project shop: pattern: not a valid regular expression: Unterminated group\nhint: to see where:\n  flagadm naming lint --project shop\n',
    ],
    [
      { pattern: 'a', flags: [] },
      9,
      'error: nothing to check: no flags in project shop\nhint: --allow-empty accepts that\n',
    ],
  ])('is refused for the project %j', async (project, exit, message) => {
    const { code, stderr } = await naming(['check', ...shop], { shop: project })
    expect([code, stderr]).toEqual([exit, message])
  })
})

describe('naming check of several projects', () => {
  test('checks the flags of each project against its own rule', async () => {
    expect(await naming(['check', '--all-projects'])).toMatchObject({
      code: 9,
      stdout: `shop
Names must match ^shop-[a-z]+$
  error  Shop-b  did you mean shop-b

mail        no naming rule
shop        2 names checked, 1 failed
shop-admin  1 name checked, 0 failed
`,
      stderr: 'error: 1 of 3 names breaks the rule\n',
    })
  })

  test('checks given names against the rule of each selected project', async () => {
    const argv = ['check', 'shop-new', '--project', 'shop*', '--project', 'mail']
    expect(await naming(argv)).toMatchObject({
      code: 9,
      stdout: `shop-admin
Names must match ^admin-[a-z]+$
  error  shop-new  did you mean admin-shopnew

shop        1 name checked, 0 failed
shop-admin  1 name checked, 1 failed
mail        no naming rule
`,
    })
  })

  test('has the project of each name, and the totals, in JSON', async () => {
    const { stdout } = await naming(['check', ...shop, '--project', 'mail', '--json'])
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
      ignored: 0,
      staleAllowed: [],
      unresolved: 0,
      projects: [
        {
          project: 'shop',
          rule: { pattern: 'shop-[a-z]+' },
          checked: 2,
          ignored: 0,
          failed: 1,
          undecided: 0,
        },
        {
          project: 'mail',
          rule: {},
          checked: 0,
          ignored: 0,
          failed: 0,
          undecided: 0,
        },
      ],
    })
  })

  test.each([
    [
      'github',
      '::error title=naming::shop: Shop-b: does not match ^shop-[a-z]+$; did you mean shop-b\n',
    ],
    [
      'markdown',
      `<!-- flagadm naming check -->
✗ 3 names checked: 1 failed

| Name | Problem | Did you mean | Project |
| --- | --- | --- | --- |
| \`Shop-b\` | \`does not match ^shop-[a-z]+$\` | \`shop-b\` | \`shop\` |

- mail: no naming rule
- shop: 2 names checked, 1 failed
- shop-admin: 1 name checked, 0 failed
`,
    ],
  ])('shows the project in %s', async (format, expected) => {
    expect((await naming(['check', '--all-projects', '-o', format])).stdout).toBe(expected)
  })

  test('checks the other projects if one cannot be read, and another has a pattern that is too long', async () => {
    const projects = { ...stored, closed, web: tooLong }
    const argv = ['check', '--project', 'shop-admin', '--project', 'closed', '--project', 'web']
    expect(await naming(argv, projects)).toMatchObject({
      code: 10,
      stdout: `? 1 name checked: all follow the rule

shop-admin  1 name checked, 0 failed

Incomplete: 2 of 3 projects could not be read (closed, web)
`,
      stderr: `error: project closed: 403: no access
hint: use a key that has this permission
error: project web: inconclusive: the pattern is too long to check: 10001 characters, at most 10000
hint: use a shorter rule
error: 2 of 3 projects could not be read
`,
    })
  })

  test('says nothing of all names if a project could not be read, and the others have none', async () => {
    const projects = { closed, web: { pattern: 'web', flags: [] } }
    const { code, stdout } = await naming(['check', '--all-projects'], projects)
    expect([code, stdout]).toEqual([
      10,
      expect.stringMatching(/^\? there are no names to check in what could be read\n/),
    ])
  })

  test('have the total undecided if that is all that is known of a rule', async () => {
    const projects = { ...stored, web: { pattern: '(a)\\1', flags: [] } }
    const { stdout } = await naming(['lint', '--all-projects'], projects)
    expect(stdout).toMatch(/^web +(\d warnings?, )?undecided$/m)
  })

  test('checks the other projects if the stored pattern of one does not compile', async () => {
    const projects = { ...stored, web: { pattern: 'web-[a-z', flags: ['web-a'] } }
    expect(await naming(['check', '--all-projects', '-o', 'github'], projects)).toMatchObject({
      code: 9,
      stdout: `::error title=naming::shop: Shop-b: does not match ^shop-[a-z]+$; did you mean shop-b
::warning title=incomplete::1 of 4 projects could not be read (web)
`,
      stderr: `error: project web: pattern: not a valid regular expression: Unterminated character class
hint: to see where:
  flagadm naming lint --project web
error: 1 of 3 names breaks the rule
`,
    })
  })

  test.each([
    [
      { pattern: 'web-[a-z', flags: ['web-a'] },
      `error: project mail: pattern: not a valid regular expression: Unterminated character class
hint: to see where:
  flagadm naming lint --project mail
error: project web: pattern: not a valid regular expression: Unterminated character class
hint: to see where:
  flagadm naming lint --project web
error: 2 of 2 projects could not be read
`,
    ],
  ])('is refused if all projects are like %j', async (project, message) => {
    const projects = { mail: project, web: project }
    expect(await naming(['check', '--all-projects'], projects)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: message,
    })
  })
})

describe('naming check --available', () => {
  const available = ['--available', ...shop]

  test('accepts names that a new flag could have, also of a project without a rule', async () => {
    const { code, stdout, asked } = await naming(['check', 'shop-new', 'shop-more', ...available])
    expect([code, stdout]).toEqual([0, '✓ 2 names checked: all can be used for new flags\n'])
    expect(asked.slice(1).sort()).toEqual(['shop-more', 'shop-new'])
    const other = ['check', 'new-flag', 'anything', '--available', '--project', 'mail']
    expect((await naming(other)).stdout).toBe(
      '  error  anything  is taken by a flag or an archived flag\n',
    )
  })

  test('reports names that are taken, and sends only those that follow the rule and are not ignored', async () => {
    const names = ['shop-archived', 'Shop-new', 'shop-a', 'shop-c', 'shop-ok']
    const files = { 'work/legacy': 'shop-ok\n' }
    const argv = ['check', ...names, ...available, '--allow', 'legacy']
    const { code, stdout, stderr, asked } = await naming(argv, stored, { files })
    expect({ code, stdout }).toEqual({
      code: 9,
      stdout: `Names must match ^shop-[a-z]+$
  error  Shop-new                                               did you mean shop-new
  error  shop-archived  is taken by a flag or an archived flag
  error  shop-a         is taken by a flag or an archived flag
`,
    })
    expect(stderr).toBe('error: 3 of 4 names cannot be used for new flags, 1 ignored\n')
    expect(asked.slice(1).sort()).toEqual(['shop-a', 'shop-archived', 'shop-c'])
  })

  test('does not say of ignored names that they can be used', async () => {
    const files = { 'work/legacy': 'shop-archived\n' }
    const argv = ['check', 'shop-archived', ...available, '--allow', 'legacy']
    expect(await naming(argv, stored, { files })).toMatchObject({
      code: 0,
      stdout: '✓ 0 names checked, 1 ignored\n',
      asked: ['projects/shop/overview'],
    })
  })

  test("shows the service's reason, and does not send names that break its list of flags", async () => {
    const names = ["it's", 'constructor', '__proto__', 'shop-new']
    const argv = ['check', ...names, ...available, '--pattern', '.*', '--json']
    const { code, stdout, asked } = await naming(argv)
    expect(code).toBe(9)
    const broken = "breaks Unleash's list of flags, because every JavaScript object has it"
    expect(JSON.parse(stdout)).toMatchObject({
      available: true,
      violations: [
        { name: "it's", reasons: ['is refused by the service: "name" must be URL friendly'] },
        { name: 'constructor', reasons: [broken] },
        { name: '__proto__', reasons: [broken] },
      ],
    })
    expect(asked.slice(1).sort()).toEqual(["it's", 'shop-new'])
  })

  test('sends a name in several places once, and reports each place', async () => {
    const files = { 'work/a.js': "isEnabled('shop-a')\nisEnabled('shop-a')\n" }
    const argv = ['check', '--scan', 'a.js', ...available, '-o', 'github']
    const { stdout, asked } = await naming(argv, stored, { files })
    expect(stdout.match(/line=\d.*is taken/g)).toHaveLength(2)
    expect(asked.slice(1)).toEqual(['shop-a'])
  })

  test.each([
    [['a', '--available'], 2, 'error: --available requires --project'],
    [available, 2, 'error: --available requires names'],
    [
      ['denied', '--available', '--project', 'mail'],
      5,
      'error: project mail: denied: 403: no access',
    ],
  ])('%j ends with %i', async (argv, exit, message) => {
    const { code, stdout, stderr } = await naming(['check', ...argv])
    expect({ code, stdout }).toEqual({
      code: exit,
      stdout: '',
    })
    expect(stderr.split('\n')[0]).toBe(message)
  })
})

const missing = 'project settings set keeps the stored one, but other clients clear it'
const loose = '^ and $ bind only to the outer branches: "zzz-www" passes'

describe('naming lint of projects', () => {
  const web = { pattern: 'web-.*|www', flags: [] }

  test('lints the stored rule of each project', async () => {
    const argv = ['lint', '--project', 'shop', '--project', 'web', '--project', 'mail']
    expect(await naming(argv, { ...stored, web })).toMatchObject({
      code: 9,
      stdout: `shop
  info  no-example      the rule has no example: ${missing}
  info  no-description  the rule has no description: ${missing}

web
  error  loose-alternation  ${loose}                                           did you mean (?:web-.*|www)
  info   no-example         the rule has no example: ${missing}
  info   no-description     the rule has no description: ${missing}

shop  no problems
web   1 error
mail  no naming rule
`,
      stderr: 'error: 1 of 2 naming rules has problems: web\n',
    })
  })

  test.each([
    [
      'csv',
      `project,code,severity,message,suggestion,file,line,column\r\nweb,loose-alternation,error,"${loose.replaceAll('"', '""')}",(?:web-.*|www),,,\r\nweb,no-example,info,`,
    ],
    ['json', '{"projects":[{"project":"web","rule":{"pattern":"web-.*|www"},"findings":['],
    ['github', `::error title=loose-alternation::web: ${loose}; did you mean (?:web-.*|www)\n`],
  ])('has the project in %s', async (format, start) => {
    const { stdout } = await naming(['lint', '--project', 'w*', '-o', format], {
      mail: closed,
      web,
    })
    expect(stdout.slice(0, start.length)).toBe(start)
  })

  test('refuses another rule than the stored one', async () => {
    expect(await naming(['lint', ...shop, '--pattern', 'a'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: --project cannot be used with --pattern\n/),
    })
  })
})

describe('naming diff of projects', () => {
  const argv = ['diff', '--project', 'shop*', '--pattern', 'shop-[a-z]+']

  test('compares the rule of each project with the names of its flags', async () => {
    expect(await naming(argv)).toMatchObject({
      code: 0,
      stdout: `shop
equal: both rules accept the same names
newly accepted  0 existing names
newly rejected  0 existing names
compared        2 existing names

shop-admin
disjoint: no name is accepted by both rules
  warning  admin-x  newly rejected
newly accepted  0 existing names; names such as shop-a
newly rejected  1 existing name; names such as admin-a
compared        1 existing name
`,
    })
  })

  test.each([
    ['markdown', '| `shop-admin` | `admin-x` | newly rejected |\n'],
    ['github', '::warning title=naming-diff::shop-admin: admin-x: newly rejected\n'],
    ['json', '"names":["admin-x"],"uses":[{"name":"admin-x"}]}}]}\n'],
  ])(
    'fails for names of any project that become rejected, which are in %s',
    async (format, part) => {
      const options = ['-o', format, '--fail-on', 'rejected']
      const { code, stdout, stderr } = await naming([...argv, ...options])
      expect([code, stdout]).toEqual([9, expect.stringContaining(part)])
      expect(stderr).toContain('existing names become rejected in shop-admin')
    },
  )

  test('uses given rules and names instead of those of the project', async () => {
    const to = [...shop, '--pattern', '[Ss]hop-[a-z]+', '--json']
    const own = JSON.parse((await naming(['diff', ...to])).stdout)
    expect(own).toMatchObject({
      project: 'shop',
      relation: 'wider',
      newlyAccepted: { names: ['Shop-b'] },
      compared: 2,
    })
    const other = JSON.parse((await naming(['diff', ...to, '--from-pattern', 'a'])).stdout)
    expect(other).toMatchObject({ relation: 'disjoint', compared: 2 })
    const listed = await naming(['diff', ...to, '--names-from', '-'], stored, { stdin: 'Shop-z' })
    const newlyAccepted = { names: ['Shop-z'] }
    expect(JSON.parse(listed.stdout)).toMatchObject({ newlyAccepted, compared: 1 })
  })

  test('treats a project without a stored rule as accepting every name', async () => {
    const argv = ['diff', '--project', 'mail', '--pattern', 'x', '--fail-on', 'rejected']
    const { code, stdout, stderr } = await naming(argv)
    expect([code, stderr]).toEqual([9, 'error: existing names become rejected\n'])
    expect(stdout).toContain('anything  newly rejected\n')
  })

  test('compares the others if one cannot be read, and the stored pattern of another is too long', async () => {
    const projects = { ...stored, closed, web: tooLong }
    const argv = ['diff', '--all-projects', '--pattern', '.*']
    const { code, stdout, stderr } = await naming(argv, projects)
    expect([code, stdout.split('\n').at(-2)]).toEqual([
      10,
      'Incomplete: 2 of 5 projects could not be read (closed, web)',
    ])
    expect(stderr).toContain('error: project web: inconclusive: the pattern is too long to check')
  })
})

describe('a rule that the service does not report', () => {
  test.each([[['lint']], [['check']], [['diff', '--pattern', 'a', '--fail-on', 'any']]])(
    'is not taken for none by %j',
    async (argv) => {
      const server = await serve((response, { url }) =>
        json(response, 200, url.endsWith('/features') ? { features: [] } : {}),
      )
      const world = { env: environment(server.url) }
      expect(await flagadm(['naming', ...argv, ...shop], world)).toMatchObject({
        code: 8,
        stdout: '',
        stderr: 'error: project shop: the service does not report featureNaming\n',
      })
    },
  )
})
