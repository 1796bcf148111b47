import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { sandboxKeys } from '../../src/sandbox/routes.ts'
import { CANARY, environment, flagadm, type World } from '../support/flagadm.ts'
import { hostileTexts } from '../support/hostile-settings.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

const settings = ['project', 'settings']
const set = [...settings, 'set', 'checkout']
const get = [...settings, 'get', 'checkout']

const rule = { pattern: 'checkout-[a-z]+', example: 'checkout-pay', description: 'Team\nfirst' }
const linkTemplates = [{ title: 'Issue', urlTemplate: 'https://t.test/{{feature}}' }]
const before = { mode: 'protected' as const, featureNaming: rule, linkTemplates }
const checkout = { id: 'checkout', ...before }
const noRule = { pattern: '', example: '', description: '' }

const unread = (why: string) =>
  `the stored settings are not known, because ${why}: the service may clear link templates and, with a new pattern, the example and the description, unless they are given`

/** The settings that a sandbox stores for the project `checkout`. */
function stored({ project }: Awaited<ReturnType<typeof sandboxOf>>) {
  const { mode, featureNaming, linkTemplates: links } = project('checkout') ?? {}
  return { mode, featureNaming, linkTemplates: links }
}

/** Runs the command on a service with only the operations of the specification; returns what it received. */
async function sent(argv: readonly string[], world: World = {}) {
  const server = await serve((response, { method, url }) =>
    method === 'PUT'
      ? response.writeHead(200).end()
      : json(response, 404, { name: 'NotFoundError', message: `${url} is not available` }),
  )
  const outcome = await flagadm([...set, ...argv], { ...world, env: environment(server.url) })
  const writes = server.received.filter(({ method }) => method === 'PUT')
  return { ...anonymous(server, outcome), bodies: writes.map(({ body }) => body) }
}

const all = [
  ...['--naming-pattern', '^f-[a-z]+$', '--naming-example', 'f-a'],
  ...['--mode', 'open', '--naming-description', 'A "b"\nc\u001b[31m\u202e'],
]
const allSent =
  '{"mode":"open","featureNaming":{"pattern":"^f-[a-z]+$","example":"f-a","description":"A \\"b\\"\\nc\\u001b[31m\u202e"}}'

describe('to a service whose settings cannot be read, only what is given is sent', () => {
  test.each([
    [['--mode', 'protected'], '{"mode":"protected"}'],
    [all, allSent],
    [['--clear-naming'], '{"featureNaming":{"pattern":"","example":"","description":""}}'],
    [['--naming-description', ''], '{"featureNaming":{"description":""}}'],
    [['--naming-pattern', '(', '--no-verify'], '{"featureNaming":{"pattern":"("}}'],
  ])('with %j', async (argv, body) => {
    const { code, bodies, stderr } = await sent(argv)
    const warning = unread('the service returned 404')
    expect([code, bodies, stderr]).toEqual([0, [body], `warning: ${warning}\n`])
    expect((await sent([...argv, '--quiet'])).stderr).toBe('')
  })

  test('and reported as a short block or as JSON', async () => {
    expect((await sent(all)).stdout).toBe(`Updated project checkout on S
  mode         open
  pattern      ^f-[a-z]+$
  example      f-a
  description  A "b"
               c\\x1b[31m\\u202e
`)
    expect((await sent(['--naming-example', ''])).stdout).toBe(
      'Updated project checkout on S\n  example      (cleared)\n',
    )
    const { stdout } = await sent([...all, '--json'])
    const settings = JSON.parse(allSent)
    const report = { projectId: 'checkout', baseUrl: 'S', dryRun: false, changed: true }
    expect(JSON.parse(stdout)).toEqual({ ...report, settings, sent: settings })
  })

  test('with a description from a file or standard input, with its line breaks', async () => {
    const files = { 'work/d.txt': 'one\r\n\r\ntwo\n' }
    const argv = ['--naming-description-file']
    expect((await sent([...argv, 'd.txt'], { files })).bodies).toEqual([
      '{"featureNaming":{"description":"one\\r\\n\\r\\ntwo\\n"}}',
    ])
    expect((await sent([...argv, '-'], { stdin: 'one\ntwo' })).bodies).toEqual([
      '{"featureNaming":{"description":"one\\ntwo"}}',
    ])
  })
})

describe('--file', () => {
  test('is YAML or JSON, whose fields options override and in which null unsets', async () => {
    const yaml =
      'mode: open\nfeatureNaming:\n  pattern: f-[a-z]\n  example: f-a\n  description: |\n    one\n    two\n'
    const files = { 'work/s.yaml': yaml }
    const argv = ['--file', 's.yaml', '--mode', 'private', '--naming-example', 'f-b']
    expect((await sent(argv, { files })).bodies).toEqual([
      '{"mode":"private","featureNaming":{"pattern":"f-[a-z]","example":"f-b","description":"one\\ntwo\\n"}}',
    ])
    const stdin = '{"featureNaming": null, "linkTemplates": [{"title": null, "urlTemplate": "u"}]}'
    expect((await sent(['--file', '-'], { stdin })).bodies).toEqual([
      '{"featureNaming":{"pattern":"","example":"","description":""},"linkTemplates":[{"urlTemplate":"u"}]}',
    ])
  })

  const fields =
    'hint: the fields are mode, featureNaming with pattern, example, description, and linkTemplates with title, urlTemplate\n'
  const verify = 'or send it with --no-verify\n'
  const store = 'contains a character that the service cannot store: NUL, or half a surrogate pair'
  test.each([
    ['mode: null\n', `s.yaml:1: mode: expected string\n${fields}`],
    ['linkTemplates: [{title: a}]\n', `s.yaml:1: linkTemplates[0].urlTemplate: missing\n${fields}`],
    ['', `s.yaml:1: expected an object\n${fields}`],
    [
      'featureNaming: {}\n',
      'no settings given\nhint: use --mode, --naming-pattern, --clear-naming or --file\n',
    ],
    [
      'projects: {}\n',
      's.yaml has settings of several projects\nhint: use flagadm project settings plan and apply\n',
    ],
    [
      'featureNaming:\n  example: "\\ud83d"\n',
      `s.yaml:2: featureNaming.example: ${store}\nhint: remove it, ${verify}`,
    ],
  ])('%j is refused and nothing is sent', async (text, report) => {
    const world = { files: { 'work/s.yaml': text } }
    const { code, stdout, stderr, bodies } = await sent(['--file', 's.yaml'], world)
    expect([code, stdout, stderr, bodies]).toEqual([2, '', `error: ${report}`, []])
  })

  test('with several problems is refused with all of them, and their lines', async () => {
    const shape = { 'work/s.yaml': 'mode: [open]\nfeatureNaming:\n  patern: x\n' }
    expect((await sent(['--file', 's.yaml'], { files: shape })).stderr).toBe(
      `error: s.yaml:1: mode: expected string\n${fields}error: s.yaml:3: featureNaming.patern: unknown field\n${fields}error: 2 problems\nhint: nothing was sent\n`,
    )
    const text = 'mode: closed\nlinkTemplates:\n  - urlTemplate: "a\\0"\n'
    const given = ['--file', 's.yaml', '--naming-example', 'b', '--naming-pattern', 'a']
    const { stderr, bodies } = await sent(given, { files: { 'work/s.yaml': text } })
    const problems = stderr.split('\n').filter((line) => line.startsWith('error: '))
    expect([problems, bodies]).toEqual([
      [
        "error: s.yaml:1: mode: unknown project mode 'closed'",
        `error: s.yaml:3: linkTemplates[0].urlTemplate: ${store}`,
        expect.stringContaining('error: --naming-example: the example '),
        'error: 3 problems',
      ],
      [],
    ])
  })
})

describe('the command is refused before anything is sent', () => {
  const help = 'see flagadm project settings set --help'
  test.each([
    [[], 'no settings given', 'use --mode, --naming-pattern, --clear-naming or --file'],
    [
      ['--mode', 'closed'],
      "--mode: unknown project mode 'closed'",
      'choose one of open, protected, private, or send it with --no-verify',
    ],
    [
      ['--clear-naming', '--naming-pattern', 'a'],
      '--clear-naming cannot be used with --naming-pattern',
      help,
    ],
    [
      ['--naming-description', 'a', '--naming-description-file', 'b'],
      '--naming-description-file cannot be used with --naming-description',
      help,
    ],
    [['--file', 'none.yaml'], '--file: cannot read none.yaml: no such file', 'check the path'],
  ])('with %j', async (argv, problem, hint) => {
    const { code, stdout, stderr, bodies } = await sent(argv)
    expect([code, stdout, bodies]).toEqual([2, '', []])
    expect(stderr).toBe(`error: ${problem}\nhint: ${hint}\n`)
  })
})

describe('settings that are not given are kept', () => {
  test.each([
    [['--mode', 'open'], { mode: 'open' }],
    ...(
      [
        [['--naming-pattern', 'checkout-[a-z-]+'], { pattern: 'checkout-[a-z-]+' }],
        [['--naming-example', 'checkout-basket'], { example: 'checkout-basket' }],
        [['--clear-naming'], noRule],
      ] as const
    ).map(([argv, part]) => [[...argv], { featureNaming: { ...rule, ...part } }] as const),
  ] as const)('with %j only %j changes', async (argv, changed) => {
    const sandbox = await sandboxOf([checkout])
    const { code, stderr } = await flagadm([...set, ...argv], sandbox)
    expect([code, stderr]).toEqual([0, ''])
    expect(stored(sandbox)).toEqual({ ...before, ...changed })
    expect(sandbox.writes()).toEqual(['PUT /api/admin/projects/checkout/settings 200'])
  })

  test('link templates of a file replace the stored ones, and null unsets', async () => {
    const sandbox = await sandboxOf([checkout])
    const argv = [...set, '--file', '-']
    const stdin =
      'linkTemplates: [{urlTemplate: "https://new.test"}, {title: " ", urlTemplate: ""}]'
    const outcome = anonymous(sandbox, await flagadm(argv, { ...sandbox, stdin }))
    expect(outcome.stdout).toBe(
      'Updated project checkout on S\n  links        Issue: https://t.test/{{feature}} → https://new.test, " ": ""\n',
    )
    const unset = { ...sandbox, stdin: 'linkTemplates: null\nfeatureNaming: null\n' }
    expect((await flagadm(argv, unset)).code).toBe(0)
    expect(stored(sandbox)).toEqual({ mode: 'protected', featureNaming: noRule, linkTemplates: [] })
  })

  test('the body is exactly what was given if nothing would be lost', async () => {
    const sandbox = await sandboxOf([{ id: 'checkout', mode: 'open' }])
    const { stdout } = await flagadm([...set, '--naming-pattern', '[a-z]+x', '--json'], sandbox)
    expect(JSON.parse(stdout)).toEqual({
      projectId: 'checkout',
      baseUrl: sandbox.url,
      dryRun: false,
      settings: { featureNaming: { pattern: '[a-z]+x' } },
      changed: true,
      sent: { featureNaming: { pattern: '[a-z]+x' } },
      verified: true,
      before: { mode: 'open' },
      after: { mode: 'open', featureNaming: { pattern: '[a-z]+x' } },
    })
  })

  test('--no-read sends exactly what was given', async () => {
    const sandbox = await sandboxOf([checkout])
    const argv = [...set, '--mode', 'open', '--no-read', '--json']
    const { code, stderr } = await flagadm(argv, sandbox)
    const message = unread('they were not read (--no-read)')
    expect([code, JSON.parse(stderr)]).toEqual([0, { warning: { message } }])
    expect(sandbox.requests()).toEqual(['PUT /api/admin/projects/checkout/settings 200'])
    expect(stored(sandbox)).toEqual({ ...before, mode: 'open', linkTemplates: [] })
  })

  test.each([
    [
      ['--naming-pattern', 'shop-[a-z]+'],
      "the stored example 'checkout-pay' does not match the new pattern 'shop-[a-z]+'",
    ],
    [
      ['--naming-example', 'shop-pay'],
      "the new example 'shop-pay' does not match the stored pattern 'checkout-[a-z]+'",
    ],
  ])('unless they do not fit: %j', async (argv, problem) => {
    const sandbox = await sandboxOf([checkout])
    const { code, stdout, stderr } = await flagadm([...set, ...argv], sandbox)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      `error: ${problem}\nhint: use an example that matches, clear it with --naming-example '' (in a file: example: null), or use --no-verify\n`,
    )
    expect(sandbox.writes()).toEqual([])
    expect((await flagadm([...set, ...argv, '--dry-run'], sandbox)).stderr).toBe(stderr)
    const sentAnyway = await flagadm([...set, ...argv, '--no-verify'], sandbox)
    expect([sentAnyway.code, sandbox.writes().length]).toEqual([7, 1])
  })
})

test('each change is shown on one line, with texts in quotes', async () => {
  const sandbox = await sandboxOf([checkout])
  const argv = ['--naming-example', '', '--naming-description', '\u001b[31m\u202e\n::error::x']
  const { stdout } = anonymous(sandbox, await flagadm([...set, ...argv], sandbox))
  expect(stdout).toBe(`Updated project checkout on S
  example      checkout-pay → (unset)
  description  "Team\\nfirst" → "\\u001b[31m\\u202e\\n::error::x"
`)
})

describe('without a change', () => {
  const argv = ['--mode', 'protected', '--naming-pattern', rule.pattern]

  test('nothing is sent', async () => {
    const sandbox = await sandboxOf([checkout])
    const outcome = anonymous(sandbox, await flagadm([...set, ...argv], sandbox))
    const stdout = 'unchanged: project checkout on S\n'
    expect(outcome).toMatchObject({ code: 0, stdout, stderr: '' })
    const { stdout: document } = await flagadm([...set, ...argv, '--json'], sandbox)
    const report = { changed: false, sent: null, verified: true, before, after: before }
    expect(JSON.parse(document)).toMatchObject(report)
    const read = 'GET /api/admin/projects/checkout/overview 200'
    expect(sandbox.requests()).toEqual([read, read])
  })

  test('--force sends it with what would be lost', async () => {
    const sandbox = await sandboxOf([checkout])
    const outcome = anonymous(sandbox, await flagadm([...set, ...argv, '--force'], sandbox))
    expect(outcome).toMatchObject({ code: 0, stdout: 'Updated project checkout on S\n' })
    expect([sandbox.writes().length, stored(sandbox)]).toEqual([1, before])
  })

  test('a rule that was cleared counts as one that was never set', async () => {
    const sandbox = await sandboxOf([checkout, { id: 'other', mode: 'open' }])
    await flagadm([...set, '--clear-naming'], sandbox)
    for (const id of ['checkout', 'other']) {
      const { stdout } = await flagadm([...settings, 'set', id, '--clear-naming'], sandbox)
      expect(stdout).toMatch(/^unchanged: /)
    }
  })
})

describe('reading back', () => {
  const overview = { mode: 'open', environments: [], featureNaming: { pattern: 'a', example: '' } }

  test('finds what the service did not store, and JSON shows both states', async () => {
    const server = await serve((response, { method }) =>
      method === 'PUT' ? response.writeHead(200).end() : json(response, 200, overview),
    )
    const argv = [...set, '--mode', 'protected', '--naming-description', 'd', '--no-verify']
    const world = { env: environment(server.url) }
    expect(await flagadm(argv, world)).toMatchObject({
      code: 8,
      stdout: '',
      stderr:
        'error: project checkout: the service accepted the request, but the settings are not as expected: mode, featureNaming.description\n' +
        'hint: someone else may have changed them at the same time; otherwise look for a database error in the log of the service\n',
    })
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET'])
    const { code, stdout } = await flagadm([...argv, '--json'], world)
    const same = { mode: 'open', featureNaming: { pattern: 'a' } }
    expect([code, JSON.parse(stdout)]).toMatchObject([
      8,
      { changed: false, verified: false, before: same, after: same },
    ])
  })

  test('that fails is reported', async () => {
    const server = await serve((response, { method }, count) => {
      if (method === 'PUT') return response.writeHead(200).end()
      return count === 1 ? json(response, 200, overview) : json(response, 403, { message: 'no' })
    })
    const world = { env: environment(server.url) }
    const { code, stderr } = await flagadm([...set, '--mode', 'protected'], world)
    expect([code, stderr]).toEqual([
      8,
      'error: project checkout: 403: the settings were sent, but could not be read back: no\n' +
        'hint: use a key that has this permission; the change may have been made; flagadm project settings get shows the settings\n',
    ])
  })
})

describe('a read that fails ends the command before anything is sent', () => {
  // None of the hints is --no-read.
  test.each([
    [401, '{"message":"m"}', 4, '401: m', 'check the API key; --verbose shows where it comes from'],
    [403, '{"message":"m"}', 5, '403: m', 'use a key that has this permission'],
    [
      200,
      '{"mode":1}',
      8,
      'S/api/admin/projects/checkout/overview returned JSON of the wrong shape (mode: expected string)',
      'check that this is the address of the service and not of a proxy or a login page',
    ],
  ])('%i %s', async (status, body, exit, problem, hint) => {
    const server = await serve((response) => json(response, status, body))
    const argv = [...set, '--mode', 'open', '--retries', '0']
    const { code, stdout, stderr } = anonymous(
      server,
      await flagadm(argv, { env: environment(server.url) }),
    )
    expect([code, stdout, stderr]).toEqual([
      exit,
      '',
      `error: project checkout: ${problem}\nhint: ${hint}\n`,
    ])
    expect(server.received.map(({ method }) => method)).toEqual(['GET'])
  })
})

describe('--dry-run', () => {
  const argv = [...set, '--mode', 'open', '--dry-run']

  test('shows the changes and the request', async () => {
    const sandbox = await sandboxOf([checkout])
    const outcome = anonymous(sandbox, await flagadm(argv, sandbox))
    expect(outcome).toMatchObject({ code: 0, stderr: 'note: dry run: nothing was sent\n' })
    expect(outcome.stdout).toBe(
      `Would update project checkout on S
  mode         protected → open

PUT S/api/admin/projects/checkout/settings
{
  "mode": "open",
  "linkTemplates": [
    {
      "title": "Issue",
      "urlTemplate": "https://t.test/{{feature}}"
    }
  ]
}
`,
    )
    const { stdout } = await flagadm([...argv, '--json'], sandbox)
    expect(JSON.parse(stdout)).toEqual({
      projectId: 'checkout',
      baseUrl: sandbox.url,
      dryRun: true,
      method: 'PUT',
      url: `${sandbox.url}/api/admin/projects/checkout/settings`,
      body: { mode: 'open', linkTemplates },
      settings: { mode: 'open' },
      changed: true,
      sent: null,
      verified: false,
      before,
      after: { ...before, mode: 'open' },
    })
    const unchanged = await flagadm([...set, '--mode', 'protected', '--dry-run', '--json'], sandbox)
    expect(JSON.parse(unchanged.stdout)).toMatchObject({ body: null, changed: false, sent: null })
    expect(sandbox.writes()).toEqual([])
  })

  const env = { FLAGADM_BASE_URL: 'https://flags.example.com/unleash' }
  const url = 'https://flags.example.com/unleash/api/admin/projects/a%2Fb/settings'
  const other = [...settings, 'set', 'a/b', '--mode', 'open', '--dry-run']

  test('needs no key', async () => {
    const { code, stdout, stderr } = await flagadm([...other, '--verbose'], { env })
    expect([code, stdout, stderr]).toEqual([
      0,
      `Would update project a/b on ${env.FLAGADM_BASE_URL}\n  mode         open\n\nPUT ${url}\n{\n  "mode": "open"\n}\n`,
      `debug: not connected: no API key for ${env.FLAGADM_BASE_URL}\nwarning: ${unread('this dry run has no connection')}\nnote: dry run: nothing was sent\n`,
    ])
    const { stdout: document } = await flagadm([...other, '--json'], { env })
    expect(JSON.parse(document)).toMatchObject({ method: 'PUT', url, body: { mode: 'open' } })
  })

  test('with --no-read runs no command for a key', async () => {
    const apiKeyCommand = [process.execPath, '-e', `console.error('ran'); console.log('${CANARY}')`]
    const config = JSON.stringify({ baseUrl: 'https://flags.example.com', apiKeyCommand })
    const files = { 'home/.config/flagadm/config.yaml': config }
    const { code, stderr } = await flagadm([...argv, '--no-read'], { files })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('ran')])
  })
})

describe('a change that affects people', () => {
  const flags = ['checkout-pay', 'shop-a', 'shop-b', 'shop-c', 'shop-d'].map((name) => {
    return { name, project: 'checkout', usage: [], seenApplications: [] }
  })
  const seed = { projects: [checkout], flags }
  const isPrivate = 'project checkout becomes private: only its members will see it'
  const breaks = '4 of 5 existing flags break the new rule: shop-a, shop-b, shop-c and 1 more'
  const rules = ['--naming-pattern', 'checkout-[a-z]+x?']

  test.each([
    [['--mode', 'private'], isPrivate],
    [['--mode', 'private', ...rules], `${isPrivate}; ${breaks}`],
  ])('such as %j is refused without a terminal', async (argv, reason) => {
    const sandbox = await sandboxOf([], { seed })
    const { code, stdout, stderr } = await flagadm([...set, ...argv], sandbox)
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `error: confirmation required: ${reason}\nhint: run the command on a terminal, or use --yes\n`,
    ])
    expect(sandbox.writes()).toEqual([])
    for (const yes of ['--yes', '-y']) {
      expect(await flagadm([...set, ...argv, yes], sandbox)).toMatchObject({ code: 0, stderr: '' })
    }
  })

  test('is made if the user confirms it on a terminal, which shows it', async () => {
    const sandbox = await sandboxOf([], { seed })
    const argv = [...set, '--mode', 'private', ...rules]
    const question = `Update project checkout on ${sandbox.url}?`
    const world = { ...sandbox, columns: 200, dialog: [[question, 'y']] as const }
    const { code, stderr } = await flagadm([...argv, '--no-color'], world)
    expect([code, stderr.slice(0, stderr.indexOf('\u001b'))]).toEqual([
      0,
      `Would update project checkout on ${sandbox.url}
  mode         protected → private
  pattern      checkout-[a-z]+ → checkout-[a-z]+x?
warning: ${isPrivate}
warning: ${breaks}
`,
    ])
    expect(stored(sandbox).mode).toBe('private')
  })

  test('is not made if someone else changes the settings before the answer', async () => {
    let reads = 0
    const server = await serve((response, { method }) => {
      if (method === 'PUT') return response.writeHead(200).end()
      const links = ++reads === 1 ? [] : linkTemplates
      return json(response, 200, { mode: 'open', environments: [], linkTemplates: links })
    })
    const dialog = [['Update project checkout', 'y']] as const
    const world = { env: environment(server.url), dialog }
    const { code, stderr } = await flagadm([...set, '--mode', 'private'], world)
    const report =
      'error: project checkout: someone else has changed the settings: linkTemplates\nhint: run it again\n'
    const shown = stripVTControlCharacters(stderr)
    expect([code, shown]).toEqual([9, expect.stringContaining(report)])
    expect(server.received.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  test.each([
    ['n', 'error: not confirmed, so nothing was changed\n'],
    ['\u0003', 'error: interrupted; nothing was changed\n'],
  ])('is not made if the user types %j', async (keys, report) => {
    const sandbox = await sandboxOf([], { seed })
    const world = { ...sandbox, dialog: [['Update project checkout', keys]] as const }
    const { code, stderr } = await flagadm([...set, '--mode', 'private'], world)
    const shown = stripVTControlCharacters(stderr)
    expect([code, shown, sandbox.writes()]).toEqual([130, expect.stringContaining(report), []])
  })

  test.each([
    ['the mode stays private', ['--mode', 'private', '--naming-description', 'New']],
    ['the rule is removed', ['--clear-naming', '--mode', 'open']],
    ['all flags match the rule', ['--naming-pattern', '(?:checkout|shop)-[a-z]+']],
  ])('is made without a question if %s', async (_what, argv) => {
    const own = { ...checkout, mode: 'private' as const }
    const sandbox = await sandboxOf([], { seed: { projects: [own], flags } })
    const { code, stderr } = await flagadm([...set, ...argv], { ...sandbox, dialog: [] })
    expect([code, stderr, sandbox.writes().length]).toEqual([0, '', 1])
  })
})

describe('an interrupt while the service stores the settings', () => {
  /** @param stored the mode that the service stores */
  async function interruptedSet(argv: readonly string[], stored: string, isReadable = true) {
    const interruption = new AbortController()
    let mode = 'open'
    const server = await serve((response, { method }) => {
      if (method === 'GET') {
        if (interruption.signal.aborted && !isReadable) return
        return json(response, 200, { mode, environments: [] })
      }
      interruption.abort()
      mode = stored
      setImmediate(() => response.writeHead(200).end())
    })
    const world: World = { env: environment(server.url), signal: interruption.signal }
    const command = [...set, '--mode', 'private', '--yes', '--timeout', '0.5']
    return flagadm([...command, ...argv], world)
  }

  test('reports that the stored settings are not as expected', async () => {
    const { code, stderr } = await interruptedSet([], 'open')
    const problem =
      'error: project checkout: the service accepted the request, but the settings are not as expected: mode\n'
    expect([code, stderr]).toEqual([130, expect.stringContaining(problem)])
  })

  test('reports that they may have been changed if they cannot be read in time', async () => {
    const { code, stdout, stderr } = await interruptedSet(['--retries', '5'], 'private', false)
    expect([code, stdout]).toEqual([130, ''])
    expect(stderr).toMatch(
      /^error: project checkout: .*no complete response from .*\nhint: .*; the change may have been made; flagadm project settings get shows the settings\n$/,
    )
  })
})

/** Sends settings to a service with these responses. */
async function setOn(
  [overview, list, write]: readonly (readonly [number, object])[],
  argv: readonly string[] = [],
) {
  const server = await serve((response, { method, url }) => {
    const [status, body] = (method === 'PUT'
      ? write
      : url.endsWith('/overview')
        ? overview
        : list) ?? [200, {}]
    return json(response, status, body)
  })
  const command = [...set, '--mode', 'open', '--force', '--retries', '0', ...argv]
  const { code, stderr } = await flagadm(command, { env: environment(server.url) })
  const puts = server.received.filter(({ method }) => method === 'PUT')
  return [code, puts.length, stderr.split('\n').slice(-3, -1)] as const
}

const missing = [404, { message: 'no such path' }] as const
const found = [200, { mode: 'open', environments: [] }] as const
const listing = (...ids: string[]) => [200, { projects: ids.map((id) => ({ id })) }] as const

describe('a project that the service may not have', () => {
  test.each([
    ['has no list of projects', [missing, missing]],
    ['refuses to list projects', [missing, [403, { message: 'no' }]]],
    ['lists the project', [missing, listing('checkout')]],
    ['does not list the project, but has its overview', [found, listing('default')]],
  ] as const)('is changed if the service %s', async (_what, services) => {
    expect((await setOn(services)).slice(0, 2)).toEqual([0, 1])
  })

  test('is unknown if the service lists others', async () => {
    expect(await setOn([missing, listing('chekout')])).toEqual([
      6,
      0,
      ["error: unknown project 'checkout'", "hint: did you mean 'chekout'?"],
    ])
  })

  const hint =
    'hint: this service or its edition has no operation that changes settings of projects'
  const generic =
    'hint: check the name (flagadm project list, flagadm feature list --all-projects) and the address'
  test.each([
    [found, [], hint],
    [found, ['--no-read'], generic],
    [missing, [], generic],
  ] as const)('and whose change ends with 404: %j %j', async (overview, argv, expected) => {
    expect(await setOn([overview, missing, missing], argv)).toEqual([
      6,
      1,
      ['error: project checkout: 404: no such path', expected],
    ])
  })
})

describe('get -o yaml | set --file - changes nothing', () => {
  test('with any text', async () => {
    const links = hostileTexts.map((text) => ({ title: text, urlTemplate: text }))
    const hostile = {
      ...checkout,
      featureNaming: { ...rule, description: hostileTexts.join('\n') },
      linkTemplates: [...links, { urlTemplate: 'u' }],
    }
    const sandbox = await sandboxOf([hostile])
    const { stdout: stdin } = await flagadm([...get, '-o', 'yaml'], sandbox)
    const { code, stdout } = await flagadm([...set, '--file', '-'], { ...sandbox, stdin })
    expect([code, stdout]).toMatchObject([0, expect.stringMatching(/^unchanged: /)])
    expect(sandbox.writes()).toEqual([])
  })
})

test('an API key in a setting is masked, and the mask is not sent', async () => {
  const key = sandboxKeys.full
  const own = { ...checkout, linkTemplates: [{ urlTemplate: `https://t.test/?key=${key}` }] }
  const sandbox = await sandboxOf([own])
  for (const format of ['text', 'yaml', 'json']) {
    const { stdout } = await flagadm([...get, '-o', format], sandbox)
    expect(stdout).toContain('https://t.test/?key=[redacted]')
    expect(stdout).not.toContain(key)
  }
  const { stdout: stdin } = await flagadm([...get, '-o', 'yaml'], sandbox)
  const { code, stderr } = await flagadm([...set, '--file', '-'], { ...sandbox, stdin })
  expect([code, stderr]).toEqual([
    2,
    'error: standard input:9: linkTemplates[0].urlTemplate: contains [redacted], which flagadm writes in place of the API key\nhint: write the text that it replaced, or send it with --no-verify\n',
  ])
  expect(sandbox.writes()).toEqual([])
})

test('with the profile sandbox, the embedded service stores the settings', async () => {
  const argv = [...settings, 'set', 'default', '--mode', 'protected', '-p', 'sandbox']
  const { code, stdout } = await flagadm(argv)
  expect([code, stdout]).toEqual([
    0,
    'Updated project default on the embedded sandbox\n  mode         open → protected\n',
  ])
})
