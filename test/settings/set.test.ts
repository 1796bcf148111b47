import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { sandboxKeys } from '../../src/sandbox/routes.ts'
import type { Seed } from '../../src/sandbox/seed.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm, type World } from '../support/flagadm.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'
import { ending, words } from '../support/text.ts'
import { checkout, flagsOf, full as before, noRule } from './seed.ts'

const settings = ['project', 'settings']
const set = [...settings, 'set', 'checkout']
const get = [...settings, 'get', 'checkout']

const { featureNaming: rule, linkTemplates } = before

const unread = (why: string) =>
  `stored settings unknown (${why}): texts and links not given may be cleared`

/** The settings that a sandbox stores for the project `checkout`. */
function stored({ project }: Awaited<ReturnType<typeof sandboxOf>>) {
  const { mode, featureNaming, linkTemplates: links } = project('checkout') ?? {}
  return { mode, featureNaming, linkTemplates: links }
}

/** Runs the command on a sandbox with the project; returns the settings that it stores, too. */
async function setIn(
  argv: readonly string[],
  world: World = {},
  seed: Seed = { projects: [checkout], flags: [] },
) {
  const sandbox = await sandboxOf([], { seed })
  const outcome = anonymous(sandbox, await flagadm([...set, ...argv], { ...world, ...sandbox }))
  return { ...outcome, stored: stored(sandbox), writes: sandbox.writes() }
}

type Response = readonly [status: number, body: object]

const missing: Response = [404, { message: 'no such path' }]

/** Runs the command on a service with these responses; by default, it has only the operations of the specification. */
async function sent(
  argv: readonly string[],
  world: World = {},
  [overview, list, write]: readonly Response[] = [missing, missing],
) {
  const server = await serve((response, { method, url }) => {
    // A service that lists projects reports on itself as well, here without its version.
    const config = list?.[0] === 200 ? ([200, {}] as const) : missing
    const reads = { overview, projects: list, 'ui-config': config }
    const read = Object.entries(reads).find(([path]) => url.endsWith(`/${path}`))?.[1] ?? missing
    const [status, body] = (method === 'PUT' ? write : read) ?? [200, {}]
    return json(response, status, body)
  })
  const outcome = await flagadm([...set, ...argv], { ...world, env: environment(server.url) })
  const writes = server.received.filter(({ method }) => method === 'PUT')
  return { ...anonymous(server, outcome), bodies: writes.map(({ body }) => body) }
}

const all = [
  '--pattern',
  '^f-[a-z]+$',
  '--example',
  'f-a',
  '--mode',
  'open',
  '--description',
  'A "b"\nc\u001b[31m\u202e',
]
const allSent =
  '{"mode":"open","featureNaming":{"pattern":"^f-[a-z]+$","example":"f-a","description":"A \\"b\\"\\nc\\u001b[31m\u202e"}}'

describe('to a service whose settings cannot be read, only what is given is sent', () => {
  test.each([
    [['--mode', 'protected'], '{"mode":"protected"}'],
    [all, allSent],
    [['--clear-naming'], '{"featureNaming":{"pattern":"","example":"","description":""}}'],
    [['--clear-description'], '{"featureNaming":{"description":""}}'],
    [['--pattern', '(', '--no-verify'], '{"featureNaming":{"pattern":"("}}'],
  ])('with %j', async (argv, body) => {
    const { code, bodies, stderr } = await sent(argv)
    const warning = unread('404')
    expect({ code, bodies, stderr }).toEqual({
      code: 0,
      bodies: [body],
      stderr: `warning: ${warning}\n`,
    })
  })

  test('and reported as a short block or as JSON', async () => {
    expect((await sent(all)).stdout).toBe(`Updated project checkout on S
  mode         open
  pattern      ^f-[a-z]+$
  example      f-a
  description  A "b"
               c\\x1b[31m\\u202e
`)
    expect((await sent(['--clear-example'])).stdout).toBe(
      'Updated project checkout on S\n  example      (cleared)\n',
    )
    const { stdout } = await sent([...all, '--json'])
    const settings = JSON.parse(allSent)
    const report = { projectId: 'checkout', baseUrl: 'S', dryRun: false, changed: true }
    expect(JSON.parse(stdout)).toEqual({
      ...report,
      settings,
      sent: settings,
    })
  })

  test.each([
    ['d.txt', 'one\r\n\r\ntwo\r\n', 'one\n\ntwo\n'],
    ['d.txt', '\n one\n\n\n', '\n one\n'],
    ['-', 'one\ntwo', 'one\ntwo'],
  ])('with a description from %s, as a document would have it: %j', async (path, text, stored) => {
    const world = path === '-' ? { stdin: text } : { files: { 'work/d.txt': text } }
    const { bodies } = await sent(['--description-file', path], world)
    expect(bodies).toEqual([JSON.stringify({ featureNaming: { description: stored } })])
  })
})

test.each([
  [{}, 'mode, featureNaming, linkTemplates'],
  [{ mode: 'open', linkTemplates: [] }, 'featureNaming'],
])('settings that an overview leaves out are not known: %j', async (overview, missing) => {
  const { code, bodies, stderr } = await sent(['--pattern', 'a'], {}, [[200, overview]])
  const why = `the service does not report ${missing}`
  expect([code, bodies]).toEqual([0, ['{"featureNaming":{"pattern":"a"}}']])
  expect(stderr).toBe(`warning: ${unread(why)}\n`)
})

describe('--file', () => {
  test('is YAML or JSON, whose fields options override and in which null unsets', async () => {
    const yaml =
      'mode: open\nfeatureNaming:\n  pattern: f-[a-z]\n  example: f-a\n  description: |\n    one\n    two\n'
    const files = { 'work/s.yaml': yaml }
    const argv = ['--file', 's.yaml', '--mode', 'private', '--example', 'f-b']
    expect((await sent(argv, { files })).bodies).toEqual([
      '{"mode":"private","featureNaming":{"pattern":"f-[a-z]","example":"f-b","description":"one\\ntwo\\n"}}',
    ])
    const stdin = '{"featureNaming": null, "linkTemplates": [{"title": null, "urlTemplate": "u"}]}'
    expect((await sent(['--file', '-'], { stdin })).bodies).toEqual([
      '{"featureNaming":{"pattern":"","example":"","description":""},"linkTemplates":[{"urlTemplate":"u"}]}',
    ])
  })

  const modes = 'choose one of open, protected, private, or send it with --no-verify'
  const remove = 'remove it'
  const store = 'contains a character that the service cannot store: NUL, or half a surrogate pair'

  test('with several problems is refused with all of them, and their lines', async () => {
    const text = 'mode: closed\nlinkTemplates:\n  - urlTemplate: "a\\0"\n'
    const given = ['--file', 's.yaml', '--example', 'b', '--pattern', 'a']
    const { code, stderr, bodies } = await sent(given, { files: { 'work/s.yaml': text } })
    expect({ code, bodies, stderr: stderr.split('\n') }).toEqual({
      code: 2,
      bodies: [],
      stderr: [
        "error: s.yaml:1: mode: unknown project mode 'closed'",
        `hint: ${modes}`,
        `error: s.yaml:3: linkTemplates[0].urlTemplate: ${store}`,
        `hint: ${remove}`,
        expect.stringContaining('error: --example: the example '),
        expect.stringContaining('hint: '),
        'error: 3 problems',
        'hint: nothing was sent',
        '',
      ],
    })
  })

  test('has the same hint only once', async () => {
    const text = 'linkTemplates:\n  - urlTemplate: "a\\0"\n  - urlTemplate: "b\\0"\n'
    const { stderr } = await sent(['--file', 's.yaml'], { files: { 'work/s.yaml': text } })
    expect(stderr).toBe(`error: s.yaml:2: linkTemplates[0].urlTemplate: ${store}
hint: ${remove}
error: s.yaml:3: linkTemplates[1].urlTemplate: ${store}
error: 2 problems
hint: nothing was sent
`)
  })

  const fields =
    'the fields are mode, featureNaming with pattern, example, description, and linkTemplates with title, urlTemplate'
  const none = 'use --mode, --rule, --pattern, --clear-naming or --file'
  const conflict = 'leave out one of them'
  const ruleFields = 'put pattern, example and description under featureNaming'
  const several =
    'to see what it would change, which project settings apply then changes:\n  flagadm project settings plan -f s.yaml'
  const file = ['--file', 's.yaml']
  const noFile = ['--file', 'no.yaml']
  const rules = ['--rule', 's.yaml']
  const clear = ['--clear-naming', '--pattern', 'a']
  const both = ['--description', 'a', '--description-file', 'b']
  test.each([
    [file, 'mode: null\n', 's.yaml:1: mode: expected string', fields],
    [file, 'linkTemplates: [{}]', 's.yaml:1: linkTemplates[0].urlTemplate: missing', fields],
    [file, 'mode: open\npatern: x', 's.yaml:2: patern: unknown field', fields],
    [
      file,
      'mode: open\nfeatureNaming: {example: "\\ud83d"}',
      `s.yaml:2: featureNaming.example: ${store}`,
      remove,
    ],
    [file, '', 's.yaml:1: expected an object', fields],
    [file, 'featureNaming: {}\n', 'no settings given', none],
    [file, 'projects: {}\n', 's.yaml is a document for plan and apply: it has projects', several],
    [rules, 'mode: open\n', 's.yaml: featureNaming is missing', ruleFields],
    [rules, 'featureNaming: a\n', 's.yaml:1: featureNaming: expected an object', fields],
    [[...rules, ...file], '', '--rule cannot be used with --file', conflict],
    [[...rules, '--clear-naming'], '', '--rule cannot be used with --clear-naming', conflict],
    [['--rule', 'no.yaml'], '', '--rule: cannot read no.yaml: no such file', 'check the path'],
    [noFile, '', '--file: cannot read no.yaml: no such file', 'check the path'],
    [[], '', 'no settings given', none],
    [['--mode', 'closed'], '', "--mode: unknown project mode 'closed'", modes],
    [clear, '', '--clear-naming cannot be used with --pattern', conflict],
    [both, '', '--description-file cannot be used with --description', conflict],
  ])('%j is refused with %j', async (argv, text, problem, hint) => {
    const { code, stdout, stderr, bodies } = await sent(argv, { files: { 'work/s.yaml': text } })
    const error = `error: ${problem}\nhint: ${hint}\n`
    expect({ code, stdout, stderr, bodies }).toEqual({
      code: 2,
      stdout: '',
      stderr: error,
      bodies: [],
    })
  })
})

test('--rule sends only the rule of a file', async () => {
  const files = { 'work/s.yaml': 'mode: private\nfeatureNaming:\n  pattern: f-[a-z]+\n' }
  const argv = ['--rule', 's.yaml', '--mode', 'open']
  expect((await sent(argv, { files })).bodies).toEqual([
    '{"mode":"open","featureNaming":{"pattern":"f-[a-z]+"}}',
  ])
  const wrong = { 'work/s.yaml': 'featureNaming:\n  pattern: f-[a-z]+\n  example: b\n' }
  expect((await sent(['--rule', 's.yaml'], { files: wrong })).stderr).toContain(
    'error: s.yaml:3: featureNaming.example: the example ',
  )
})

describe('settings that are not given are kept', () => {
  const pattern = 'checkout-[a-z-]+'
  test.each([
    [['--mode', 'open'], { mode: 'open' }],
    [['--pattern', pattern], { featureNaming: { ...rule, pattern } }],
    [['--example', 'checkout-b'], { featureNaming: { ...rule, example: 'checkout-b' } }],
    [['--clear-naming'], { featureNaming: noRule }],
  ])('with %j only %j changes', async (argv, changed) => {
    expect(await setIn(argv)).toMatchObject({
      code: 0,
      stderr: '',
      stored: { ...before, ...changed },
      writes: ['PUT /api/admin/projects/checkout/settings 200'],
    })
  })

  test('link templates of a file replace the stored ones, and null unsets', async () => {
    const replaced = await setIn(['--file', '-'], {
      stdin: 'linkTemplates: [{urlTemplate: "https://new.test"}, {title: " ", urlTemplate: ""}]',
    })
    expect(replaced.stdout).toBe(
      'Updated project checkout on S\n  links        Issue: https://t.test/ → https://new.test, " ": ""\n',
    )
    const unset = { stdin: 'linkTemplates: null\nfeatureNaming: null\n' }
    expect((await setIn(['--file', '-', '--yes'], unset)).stored).toEqual({
      mode: 'protected',
      featureNaming: noRule,
      linkTemplates: [],
    })
  })

  test('the body is exactly what was given if nothing would be lost', async () => {
    const seed: Seed = { projects: [{ id: 'checkout', mode: 'open' }], flags: [] }
    const { stdout } = await setIn(['--pattern', '[a-z]+x', '--json'], {}, seed)
    expect(JSON.parse(stdout)).toEqual({
      projectId: 'checkout',
      baseUrl: 'S',
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
    expect([code, stderr]).toEqual([0, ''])
    expect(sandbox.requests()).toEqual(['PUT /api/admin/projects/checkout/settings 200'])
    expect(stored(sandbox)).toEqual({
      ...before,
      mode: 'open',
      linkTemplates: [],
    })
  })

  test.each([
    [
      '--pattern shop-[a-z]+',
      "the stored example 'checkout-a' does not match the new pattern 'shop-[a-z]+'",
    ],
    [
      '--example shop-pay',
      "the new example 'shop-pay' does not match the stored pattern 'checkout-[a-z]+'",
    ],
  ])('unless they do not fit: %j', async (argv, problem) => {
    const stderr = `error: ${problem}\nhint: use an example that matches, clear it with --clear-example (in a file: example: null), or use --no-verify\n`
    const refused = { code: 2, stdout: '', stderr, writes: [] }
    expect(await setIn(words(argv))).toMatchObject(refused)
    expect(await setIn([...words(argv), '--dry-run'])).toMatchObject(refused)
    const { code, writes } = await setIn([...words(argv), '--no-verify'])
    expect([code, writes.length]).toEqual([7, 1])
  })
})

test('a change of a text of several lines is shown as lines', async () => {
  const argv = ['--clear-example', '--description', '\u001b[31m\u202e\n::error::x']
  expect((await setIn(argv)).stdout).toBe(`Updated project checkout on S
  example      checkout-a → (unset)
  description
    - One
    - two
    + \\x1b[31m\\u202e
    + ::error::x
`)
})

test('a line break at the end is not shown', async () => {
  const changed = await setIn(['--clear-example', '--description', 'One\n\nthree\n'])
  expect(changed.stdout).toContain(`
    - One
    - two
    + One
    + ""
    + three
`)
  expect(changed.stdout.endsWith('+ three\n')).toBe(true)
})

test.each(['One\ntwo\n', 'One\r\ntwo\r\n', 'One\ntwo\n\n'])(
  'a copy of the stored description with other line ends is not a change: %j',
  async (text) => {
    const outcome = await setIn(['--description', text])
    expect(outcome).toMatchObject({ stdout: 'unchanged: project checkout on S\n', writes: [] })
    const world = { files: { 'work/d.txt': text } }
    expect((await setIn(['--description-file', 'd.txt'], world)).writes).toEqual([])
  },
)

test.each(['', ' \n\n'])('a file without a description is refused: %j', async (text) => {
  const world = { files: { 'work/d.txt': text } }
  expect(await setIn(['--description-file', 'd.txt'], world)).toMatchObject({
    code: 2,
    stderr:
      'error: --description-file: d.txt is empty\nhint: to remove the description: --clear-description\n',
    writes: [],
  })
})

test.each([
  ['pattern', 'pattern'],
  ['example', 'example'],
  ['description', 'description'],
  ['description-file', 'description-file'],
])('the former option --naming-%s is refused with the new one', async (old, option) => {
  const outcome = await setIn([`--naming-${old}=x`])
  expect(ending(outcome)).toBe(`2 error: unknown option '--naming-${old}'\nhint: use --${option}\n`)
})

describe('without a change', () => {
  const argv = ['--mode', 'protected', '--pattern', rule.pattern]

  test('nothing is sent', async () => {
    const stdout = 'unchanged: project checkout on S\n'
    expect(await setIn(argv)).toMatchObject({
      code: 0,
      stdout,
      stderr: '',
      writes: [],
    })
    const { stdout: document } = await setIn([...argv, '--json'])
    const report = { changed: false, sent: null, verified: true, before, after: before }
    expect(JSON.parse(document)).toMatchObject(report)
  })

  test('--force sends it with what would be lost', async () => {
    const outcome = await setIn([...argv, '--force'])
    const stdout = 'Updated project checkout on S\n'
    expect(outcome).toMatchObject({
      code: 0,
      stdout,
      stored: before,
    })
    expect(outcome.writes).toHaveLength(1)
  })

  test.each([
    ['was cleared', noRule],
    ['was never set', undefined],
  ])('a rule that %s is nothing to clear', async (_what, featureNaming) => {
    const own = { id: 'checkout', mode: 'open', ...(featureNaming && { featureNaming }) } as const
    const { stdout } = await setIn(['--clear-naming'], {}, { projects: [own], flags: [] })
    expect(stdout).toMatch(/^unchanged: /)
  })
})

describe('reading back', () => {
  const overview = { mode: 'open', environments: [], featureNaming: { pattern: 'a', example: '' } }

  test('finds what the service did not store, and JSON shows both states', async () => {
    const server = await serve((response, { method }) =>
      method === 'PUT' ? response.writeHead(200).end() : json(response, 200, overview),
    )
    const argv = [...set, '--mode', 'protected', '--description', 'd', '--no-verify']
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

  test.each([
    ['', 8],
    [' after an interrupt', 130],
  ])('that fails%s is reported', async (interrupt, exit) => {
    const interruption = new AbortController()
    const server = await serve((response, { method }, count) => {
      if (count === 1) return json(response, 200, overview)
      if (method === 'GET') return json(response, 403, { message: 'no' })
      if (interrupt) interruption.abort()
      return setImmediate(() => response.writeHead(200).end())
    })
    const world = { env: environment(server.url), signal: interruption.signal }
    const outcome = await flagadm([...set, '--mode', 'protected'], world)
    expect(outcome).toMatchObject({
      code: exit,
      stdout: '',
      stderr:
        'error: project checkout: 403: the settings were sent, but could not be read back: no\n' +
        'hint: use a key that has this permission; the change may have been made; to see the settings:\n  flagadm project settings get checkout\n',
    })
  })
})

describe('--dry-run', () => {
  const argv = ['--mode', 'open', '--dry-run']

  test('shows the changes and the request', async () => {
    expect(await setIn(argv)).toMatchObject({
      code: 0,
      stderr: 'note: dry run: nothing was sent\n',
      stdout: `Would update project checkout on S
  mode         protected → open

PUT S/api/admin/projects/checkout/settings
{
  "mode": "open",
  "linkTemplates": [
    {
      "title": "Issue",
      "urlTemplate": "https://t.test/"
    }
  ]
}
`,
      writes: [],
    })
    const { stdout } = await setIn([...argv, '--json'])
    expect(JSON.parse(stdout)).toEqual({
      projectId: 'checkout',
      baseUrl: 'S',
      dryRun: true,
      method: 'PUT',
      url: 'S/api/admin/projects/checkout/settings',
      body: { mode: 'open', linkTemplates },
      settings: { mode: 'open' },
      changed: true,
      sent: null,
      verified: false,
      before,
      after: { ...before, mode: 'open' },
    })
    const unchanged = await setIn(['--mode', 'protected', '--dry-run', '--json'])
    expect(JSON.parse(unchanged.stdout)).toMatchObject({
      body: null,
      changed: false,
      sent: null,
    })
  })

  const env = { FLAGADM_BASE_URL: 'https://flags.example.com/unleash' }
  const url = 'https://flags.example.com/unleash/api/admin/projects/a%2Fb/settings'
  const other = [...settings, 'set', 'a/b', ...argv]

  test('needs no key', async () => {
    const { code, stdout, stderr } = await flagadm([...other, '--verbose'], { env })
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `Would update project a/b on ${env.FLAGADM_BASE_URL}\n  mode         open\n\nPUT ${url}\n{\n  "mode": "open"\n}\n`,
      stderr: `debug: not connected: no API key for ${env.FLAGADM_BASE_URL}\nwarning: ${unread('this dry run has no connection')}\nnote: dry run: nothing was sent\n`,
    })
  })

  test('with --no-read runs no command for a key', async () => {
    const apiKeyCommand = [process.execPath, '-e', `console.error('ran'); console.log('${CANARY}')`]
    const config = JSON.stringify({ baseUrl: 'https://flags.example.com', apiKeyCommand })
    const files = { 'home/.config/flagadm/config.yaml': config }
    const { code, stderr } = await flagadm([...set, ...argv, '--no-read'], { files })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('ran')])
  })
})

describe('a change that affects people', () => {
  const flags = flagsOf('checkout', 'checkout-pay', 'shop-a', 'shop-b', 'shop-c', 'shop-d')
  const seed = { projects: [checkout], flags }
  const isPrivate = 'project checkout becomes private: only its members will see it'
  const breaks = '4 of 5 existing flags break the new rule: shop-a, shop-b, shop-c and 1 more'
  const rules = ['--pattern', 'checkout-[a-z]+x?']

  test.each([
    [['--mode', 'private'], isPrivate],
    [['--mode', 'private', ...rules], `${isPrivate}; ${breaks}`],
  ])('such as %j is refused without a terminal', async (argv, reason) => {
    expect(await setIn(argv, {}, seed)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `error: confirmation required: ${reason}\nhint: run the command on a terminal, or use --yes\n`,
      writes: [],
    })
    const warnings = reason.split('; ').map((concern) => `warning: ${concern}\n`)
    const stderr = warnings.join('')
    expect(await setIn([...argv, '-y'], {}, seed)).toMatchObject({ code: 0, stderr })
  })

  const noNaming = 'featureNaming: null\n'
  test.each([
    ['null', noNaming],
    ['comments', 'featureNaming:\n  # pattern: checkout-.*\n'],
    ['texts that are null', 'featureNaming: {pattern: null, example: null, description: null}\n'],
    ['empty texts', "featureNaming: {pattern: '', example: '', description: ''}\n"],
  ])('such as a rule that is removed by %s is refused without a terminal', async (_what, text) => {
    const removed = 'the naming rule of project checkout is removed: any flag name is accepted'
    const world = { files: { 'work/s.yaml': text } }
    expect(await setIn(['-f', 's.yaml'], world, seed)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `error: confirmation required: ${removed}\nhint: run the command on a terminal, or use --yes\n`,
      writes: [],
    })
    const { stderr } = await setIn(['-f', 's.yaml', '--dry-run'], world, seed)
    expect(stderr).toBe(`warning: ${removed}\nnote: dry run: nothing was sent\n`)
    const { code, stored, stderr: warned } = await setIn(['-f', 's.yaml', '--yes'], world, seed)
    const now = stored.featureNaming?.pattern
    expect([code, now, warned]).toEqual([0, '', `warning: ${removed}\n`])
  })

  test('is made without a question if --clear-naming removes the rule, also with a file', async () => {
    const world = { files: { 'work/s.yaml': noNaming } }
    const { code, stderr } = await setIn(['-f', 's.yaml', '--clear-naming'], world, seed)
    expect([code, stderr]).toEqual([0, ''])
    const none = { projects: [{ id: 'checkout', mode: 'open' as const }], flags: [] }
    const { code: unchanged } = await setIn(['-f', 's.yaml'], world, none)
    expect(unchanged).toBe(0)
  })

  test('is made if the user confirms it on a terminal, which shows it', async () => {
    const dialog = [['Update project checkout on http', 'y']] as const
    const argv = ['--mode', 'private', ...rules, '--no-color']
    // With this clock, there is no progress before the question.
    const { clock } = patientClock()
    const { code, stderr, stored } = await setIn(argv, { columns: 200, dialog, clock }, seed)
    expect({ code, mode: stored.mode, stderr: stderr.slice(0, stderr.indexOf('\u001b')) }).toEqual({
      code: 0,
      mode: 'private',
      stderr: `Would update project checkout on S
  mode         protected → private
  pattern      checkout-[a-z]+ → checkout-[a-z]+x?
warning: ${isPrivate}
warning: ${breaks}
`,
    })
  })

  test('such as a rule that could not be checked is refused without a terminal', async () => {
    const concern = 'the pattern is too long to check: 10009 characters, at most 10000'
    const argv = ['--pattern', `checkout-${'[a-z]'.repeat(2000)}`, '--clear-example']
    const refused = {
      code: 2,
      stdout: '',
      stderr: `error: confirmation required: ${concern}\nhint: run the command on a terminal, or use --yes\n`,
      writes: [],
    }
    expect(await setIn(argv)).toMatchObject(refused)
    expect(await setIn([...argv, '--no-read'])).toMatchObject({ code: 2, writes: [] })
    const { stderr, writes } = await setIn([...argv, '--yes'])
    expect([stderr, writes.length]).toEqual([`warning: ${concern}\n`, 1])
  })

  test('is not made if someone else changes the settings before the answer', async () => {
    const server = await serve((response, { method }, count) => {
      if (method === 'PUT') return response.writeHead(200).end()
      const links = count === 1 ? [] : linkTemplates
      return json(response, 200, { mode: 'open', featureNaming: {}, linkTemplates: links })
    })
    const dialog = [['Update project checkout', 'y']] as const
    const world = { env: environment(server.url), dialog }
    const { code, stderr } = await flagadm([...set, '--mode', 'private'], world)
    const report =
      'error: project checkout: someone else has changed the settings: linkTemplates\nhint: run it again\n'
    const shown = stripVTControlCharacters(stderr)
    expect([code, shown]).toEqual([9, expect.stringContaining(report)])
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  test.each([
    ['the mode stays private', ['--mode', 'private', '--description', 'New']],
    ['the rule is removed', ['--clear-naming', '--mode', 'open']],
    ['all flags match the rule', ['--pattern', '(?:checkout|shop)-[a-z]+']],
  ])('is made without a question if %s', async (_what, argv) => {
    const own = { ...checkout, mode: 'private' as const }
    const outcome = await setIn(argv, { dialog: [] }, { projects: [own], flags })
    expect(outcome).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(outcome.writes).toHaveLength(1)
  })
})

test.each([
  ['*', []],
  ['check*', ['--dry-run']],
  ['*', ['--no-read', '--yes']],
])('the pattern %s with %j is refused before anything is read', async (pattern, more) => {
  const { env, requests } = await sandboxOf([checkout])
  const outcome = await flagadm([...settings, 'set', pattern, '--mode', 'open', ...more], { env })
  expect(ending(outcome)).toBe(
    `2 error: '${pattern}' is a pattern, and set changes one project\n` +
      'hint: flagadm project settings apply -f <path> changes several projects\n',
  )
  expect(requests()).toEqual([])
})

describe('a project', () => {
  const argv = ['--mode', 'open', '--force', '--retries', '0']
  const refused: Response = [403, { message: 'no' }]
  const found: Response = [200, { mode: 'open', featureNaming: {}, linkTemplates: [] }]
  const listing = (id: string): Response => [200, { projects: [{ id }] }]

  test.each([
    ['has no list of projects', [missing, missing]],
    ['refuses to list projects', [missing, refused]],
    ['lists the project', [missing, listing('checkout')]],
    ['does not list the project, but has its overview', [found, listing('default')]],
  ])('is changed if the service %s', async (_what, responses) => {
    const { code, bodies } = await sent(argv, {}, responses)
    expect([code, bodies.length]).toEqual([0, 1])
  })

  const others = [missing, listing('chekout')]
  const key = 'use a key that has this permission'
  const gone = 'project checkout: 404: no such path'
  const edition = 'this service or its edition has no operation that changes settings of projects'
  const generic =
    'check the name and the address; project list and feature list --all-projects show the names'
  test.each([
    [[refused], [], 5, 0, 'project checkout: 403: no', key],
    [others, [], 6, 0, "unknown project 'checkout'", "did you mean 'chekout'?"],
    [[found, missing, missing], [], 6, 1, gone, edition],
    [[found, missing, missing], ['--no-read'], 6, 1, gone, generic],
    [[missing, missing, missing], [], 6, 1, gone, generic],
  ])('is not changed after %j with %j', async (responses, more, exit, writes, problem, hint) => {
    const { code, stderr, bodies } = await sent([...argv, ...more], {}, responses)
    expect(code).toBe(exit)
    expect(bodies).toHaveLength(writes)
    expect(stderr.split('\n').slice(-3)).toEqual([`error: ${problem}`, `hint: ${hint}`, ''])
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
  expect(ending(await flagadm([...set, '--file', '-'], { ...sandbox, stdin }))).toBe(
    '2 error: standard input:9: linkTemplates[0].urlTemplate: contains [redacted], which flagadm writes in place of the API key\nhint: write the text that it replaced\n',
  )
  expect(sandbox.writes()).toEqual([])
})
