import { describe, expect, test } from 'vitest'
import { CANARY, environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const set = ['project', 'settings', 'set', 'default']

/** A service with only the operations of the specification. */
async function service() {
  return serve((response, { method, url }) =>
    method === 'PUT'
      ? response.writeHead(200).end()
      : json(response, 404, { name: 'NotFoundError', message: `${url} is not available` }),
  )
}

/** Runs the command and returns the body that the service received. */
async function sent(argv: readonly string[], world: Parameters<typeof flagadm>[1] = {}) {
  const server = await service()
  const outcome = await flagadm([...set, ...argv], { ...world, env: environment(server.url) })
  const writes = server.received.filter(({ method }) => method !== 'GET')
  return { ...outcome, url: server.url, bodies: writes.map(({ body }) => body) }
}

const pattern = ['--naming-pattern', '^feat-[a-z]+$']
const clears = (what: string, why = 'the service returned 404') =>
  `warning: the stored settings are not known, because ${why}: the service may clear ${what}\n`
const withoutPattern =
  'warning: some servers reject an example or a description without a pattern\n'

describe('to a service whose settings cannot be read, only what is given is sent', () => {
  test.each([
    [['--mode', 'protected'], '{"mode":"protected"}'],
    [pattern, '{"featureNaming":{"pattern":"^feat-[a-z]+$"}}'],
    [
      [
        ...pattern,
        '--naming-example',
        'feat-a',
        '--naming-description',
        'A "b"\nc',
        '--mode',
        'open',
      ],
      '{"mode":"open","featureNaming":{"pattern":"^feat-[a-z]+$","example":"feat-a","description":"A \\"b\\"\\nc"}}',
    ],
    [['--clear-naming'], '{"featureNaming":{"pattern":"","example":"","description":""}}'],
    [['--naming-example', 'feat-a'], '{"featureNaming":{"example":"feat-a"}}'],
    [['--naming-description', ''], '{"featureNaming":{"description":""}}'],
    [['--force', '--yes', '--mode', 'open'], '{"mode":"open"}'],
  ])('with %j', async (argv, body) => {
    const { code, bodies } = await sent(argv)
    expect([code, bodies]).toEqual([0, [body]])
  })

  test('the description of a file keeps its line breaks', async () => {
    const { bodies } = await sent(['--naming-description-file', 'd.txt'], {
      files: { 'work/d.txt': 'one\r\n\r\ntwo\n' },
    })
    expect(bodies).toEqual(['{"featureNaming":{"description":"one\\r\\n\\r\\ntwo\\n"}}'])
  })

  test('the description comes from standard input with -', async () => {
    const { bodies } = await sent(['--naming-description-file', '-'], { stdin: 'one\ntwo' })
    expect(bodies).toEqual(['{"featureNaming":{"description":"one\\ntwo"}}'])
  })
})

describe('--file', () => {
  test('sends a YAML document, whose fields options override', async () => {
    const { bodies } = await sent(
      ['--file', 's.yaml', '--mode', 'private', '--naming-example', 'feat-b'],
      {
        files: {
          'work/s.yaml':
            'mode: open\nfeatureNaming:\n  pattern: feat-[a-z]\n  example: feat-a\n  description: |\n    one\n    two\n',
        },
      },
    )
    expect(bodies).toEqual([
      '{"mode":"private","featureNaming":{"pattern":"feat-[a-z]","example":"feat-b","description":"one\\ntwo\\n"}}',
    ])
  })

  test('reads JSON from standard input', async () => {
    const { bodies } = await sent(['--file', '-'], { stdin: '{"mode": "open"}' })
    expect(bodies).toEqual(['{"mode":"open"}'])
  })

  test('null unsets a field', async () => {
    const { bodies } = await sent(['--file', 's.yaml'], {
      files: {
        'work/s.yaml':
          'featureNaming: {pattern: a, example: null}\nlinkTemplates: [{title: null, urlTemplate: u}]\n',
      },
    })
    expect(bodies).toEqual([
      '{"featureNaming":{"pattern":"a","example":""},"linkTemplates":[{"urlTemplate":"u"}]}',
    ])
    const all = { files: { 'work/s.yaml': 'featureNaming: null\nlinkTemplates: null\n' } }
    expect((await sent(['--file', 's.yaml'], all)).bodies).toEqual([
      '{"featureNaming":{"pattern":"","example":"","description":""},"linkTemplates":[]}',
    ])
  })

  const fields =
    'hint: the fields are mode, featureNaming with pattern, example, description, and linkTemplates with title, urlTemplate\n'
  test.each([
    ['featureNaming:\n  patern: x\n', `s.yaml:2: featureNaming.patern: unknown field\n${fields}`],
    ['mode: [open]\n', `s.yaml:1: mode: expected string\n${fields}`],
    ['mode: null\n', `s.yaml:1: mode: expected string\n${fields}`],
    ['featureNaming: []\n', `s.yaml:1: featureNaming: expected an object\n${fields}`],
    ['linkTemplates: {}\n', `s.yaml:1: linkTemplates: expected Array\n${fields}`],
    ['linkTemplates: [{title: a}]\n', `s.yaml:1: linkTemplates[0].urlTemplate: missing\n${fields}`],
    [
      'linkTemplates: [{urlTemplate: null}]\n',
      `s.yaml:1: linkTemplates[0].urlTemplate: expected string\nhint: put single quotes around the value\n`,
    ],
    [
      'linkTemplates: [{urlTemplate: "a\\0"}]\n',
      's.yaml:1: linkTemplates[0].urlTemplate: contains a character that the service cannot store: NUL, or half a surrogate pair\nhint: remove it, or send it as it is with --no-verify\n',
    ],
    ['featureNaming: x\n', `s.yaml:1: featureNaming: expected an object\n${fields}`],
    ['', `s.yaml:1: expected an object\n${fields}`],
    [
      'mode: "open\n',
      `s.yaml:2:1: not valid YAML or JSON: a missing quotation mark, bracket, colon or comma\nhint: correct the file at that place; flagadm project settings get --all-projects -o yaml prints a valid one\n`,
    ],
    [
      '{"mode": "open",\n"mode": "private"}',
      's.yaml:2:1: not valid YAML or JSON: a duplicate key\nhint: remove one of them\n',
    ],
    [
      'featureNaming: {}\n',
      'no settings given\nhint: use --mode, --naming-pattern, --clear-naming or --file\n',
    ],
  ])('%j is refused and nothing is sent', async (text, report) => {
    const { code, stdout, stderr, bodies } = await sent(['--file', 's.yaml'], {
      files: { 'work/s.yaml': text },
    })
    expect([code, stdout, stderr, bodies]).toEqual([2, '', `error: ${report}`, []])
  })

  test('that is missing is reported with its path', async () => {
    const { code, stderr } = await sent(['--file', 'none.yaml'])
    expect([code, stderr]).toEqual([
      2,
      'error: --file: cannot read none.yaml: no such file\nhint: check the path\n',
    ])
  })
})

describe('the command is refused before anything is sent', () => {
  test.each([
    [
      'without a setting',
      [],
      'no settings given',
      'use --mode, --naming-pattern, --clear-naming or --file',
    ],
    [
      'with an unknown mode',
      ['--mode', 'closed'],
      "--mode: unknown project mode 'closed'",
      'choose one of open, protected, private, or send it as it is with --no-verify',
    ],
    [
      'with --clear-naming and a pattern',
      ['--clear-naming', ...pattern],
      '--clear-naming cannot be used with --naming-pattern',
      'see flagadm project settings set --help',
    ],
    [
      'with two descriptions',
      ['--naming-description', 'a', '--naming-description-file', 'b'],
      '--naming-description-file cannot be used with --naming-description',
      'see flagadm project settings set --help',
    ],
  ])('%s', async (_what, argv, problem, hint) => {
    const { code, stdout, stderr, bodies } = await sent(argv)
    expect([code, stdout, bodies]).toEqual([2, '', []])
    expect(stderr).toBe(`error: ${problem}\nhint: ${hint}\n`)
  })

  test.each(['', '.', '..'])('with the project id %j', async (id) => {
    const { code, stderr } = await flagadm(['project', 'settings', 'set', id, '--mode', 'open'])
    expect([code, stderr]).toEqual([
      2,
      `error: invalid project id '${id}'\nhint: a project id cannot be empty, '.' or '..'\n`,
    ])
  })
})

describe('a text that the service cannot store is refused', () => {
  test.each([
    ['example', String.raw`\ud83d`, 'featureNaming.example'],
    ['description', String.raw`one\u0000two`, 'featureNaming.description'],
  ])('as the %s: %s', async (field, text, name) => {
    const stdin = `{"featureNaming":{"${field}":"${text}"}}`
    const { code, stdout, stderr, bodies } = await sent(['--file', '-'], { stdin })
    expect([code, stdout, bodies]).toEqual([2, '', []])
    expect(stderr).toBe(
      `error: standard input:1: ${name}: contains a character that the service cannot store: NUL, or half a surrogate pair\nhint: remove it, or send it as it is with --no-verify\n`,
    )
  })

  test('unless --no-verify is given', async () => {
    const stdin = String.raw`{"featureNaming":{"description":"\u0000"}}`
    const { code, bodies } = await sent(['--file', '-', '--no-verify'], { stdin })
    expect([code, bodies]).toEqual([0, [stdin]])
  })
})

describe('--no-verify', () => {
  test.each([
    [['--mode', 'closed'], '{"mode":"closed"}'],
    [['--naming-pattern', '('], '{"featureNaming":{"pattern":"("}}'],
    [
      ['--naming-pattern', 'a', '--naming-example', 'b'],
      '{"featureNaming":{"pattern":"a","example":"b"}}',
    ],
  ])('%j is sent as it is', async (argv, body) => {
    const { code, bodies } = await sent([...argv, '--no-verify'])
    expect([code, bodies]).toEqual([0, [body]])
  })
})

describe('the warning about what a service may clear', () => {
  test.each([
    [pattern, clears('the example, the description and the link templates')],
    [[...pattern, '--naming-example', 'feat-a'], clears('the description and the link templates')],
    [[...pattern, '--naming-description', 'd'], clears('the example and the link templates')],
    [
      [...pattern, '--naming-example', 'feat-a', '--naming-description', 'd'],
      clears('the link templates'),
    ],
    [['--naming-example', 'feat-a'], clears('the link templates') + withoutPattern],
    [['--clear-naming'], clears('the link templates')],
    [['--mode', 'private'], clears('the link templates')],
    [
      ['--mode', 'open', '--no-read'],
      clears('the link templates', 'they were not read (--no-read)'),
    ],
  ])('lists the fields for %j', async (argv, stderr) => {
    expect((await sent(argv)).stderr).toBe(stderr)
  })

  test('is left out if nothing can be lost', async () => {
    const files = { 'work/s.yaml': 'mode: open\nlinkTemplates: []\n' }
    expect((await sent(['--file', 's.yaml'], { files })).stderr).toBe('')
  })

  test('is left out with --quiet', async () => {
    expect((await sent([...pattern, '--quiet'])).stderr).toBe('')
  })
})

describe('what was sent is reported', () => {
  const all = [
    ...['--mode', 'open', ...pattern, '--naming-example', 'feat-a'],
    ...['--naming-description', 'one\ntwo\u001b[31m\u202e'],
  ]

  test('as a short block', async () => {
    const { stdout, url } = await sent(all)
    expect(stdout).toBe(
      [
        `Updated project default on ${url}`,
        '  mode         open',
        '  pattern      ^feat-[a-z]+$',
        '  example      feat-a',
        '  description  one',
        '               two\\x1b[31m\\u202e',
        '',
      ].join('\n'),
    )
  })

  test('with the fields that were cleared', async () => {
    const { stdout, url } = await sent(['--clear-naming'])
    expect(stdout).toBe(
      [
        `Updated project default on ${url}`,
        '  pattern      (cleared)',
        '  example      (cleared)',
        '  description  (cleared)',
        '',
      ].join('\n'),
    )
  })

  test('as JSON with --json', async () => {
    const { stdout, url } = await sent(['--json', ...all])
    expect(stdout).toBe(
      `{"projectId":"default","baseUrl":"${url}","dryRun":false,"settings":{"mode":"open","featureNaming":{"pattern":"^feat-[a-z]+$","example":"feat-a","description":"one\\ntwo\\u001b[31m\\u202e"}},"changed":true,"sent":{"mode":"open","featureNaming":{"pattern":"^feat-[a-z]+$","example":"feat-a","description":"one\\ntwo\\u001b[31m\\u202e"}}}\n`,
    )
  })
})

describe('--dry-run', () => {
  const argv = ['project', 'settings', 'set', 'a/b', '--mode', 'open', '--dry-run']
  const env = { FLAGADM_BASE_URL: 'https://flags.example.com/unleash' }

  test('shows method, URL and body without a key, and sends nothing', async () => {
    const { code, stdout, stderr } = await flagadm(argv, { env })
    expect([code, stderr]).toEqual([
      0,
      `${clears('the link templates', 'this dry run has no connection')}note: dry run: nothing was sent\n`,
    ])
    expect(stdout).toBe(
      'PUT https://flags.example.com/unleash/api/admin/projects/a%2Fb/settings\n{\n  "mode": "open"\n}\n',
    )
  })

  test('shows the same as JSON', async () => {
    const { stdout } = await flagadm([...argv, '--json'], { env })
    expect(stdout).toBe(
      '{"projectId":"a/b","baseUrl":"https://flags.example.com/unleash","dryRun":true,"method":"PUT","url":"https://flags.example.com/unleash/api/admin/projects/a%2Fb/settings","body":{"mode":"open"},"settings":{"mode":"open"},"changed":true,"sent":null}\n',
    )
  })

  test.each([
    [['--timeout', 'abc'], {}, 2, '--timeout'],
    [['--timeout', 'abc', '--no-read'], {}, 2, '--timeout'],
    [[], { FLAGADM_TIMEOUT: 'abc' }, 3, 'FLAGADM_TIMEOUT'],
  ])('fails with %j and %j', async (more, variables, expected, name) => {
    const world = { env: { ...env, ...variables } }
    const { code, stdout, stderr } = await flagadm([...argv, ...more], world)
    expect([code, stdout]).toEqual([expected, ''])
    expect(stderr).toContain(`error: ${name}: invalid value 'abc'\n`)
  })

  test('with --no-read runs no command for a key', async () => {
    const config = {
      baseUrl: 'https://flags.example.com',
      apiKeyCommand: [process.execPath, '-e', `console.error('ran'); console.log('${CANARY}')`],
    }
    const { code, stderr } = await flagadm([...argv, '--no-read'], {
      files: { 'home/.config/flagadm/config.yaml': JSON.stringify(config) },
    })
    const warning = clears('the link templates', 'they were not read (--no-read)')
    expect([code, stderr]).toEqual([0, `${warning}note: dry run: nothing was sent\n`])
  })
})

test('with the profile sandbox, the embedded service stores the settings', async () => {
  const { code, stdout } = await flagadm([...set, '--mode', 'protected', '-p', 'sandbox'])
  expect(code).toBe(0)
  expect(stdout).toBe(
    'Updated project default on the embedded sandbox\n  mode         open → protected\n',
  )
})
