import { describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { environment, flagadm } from './support/flagadm.ts'

const env = environment('https://flags.example.com')

test('--version prints the version of the package', async () => {
  expect(await flagadm(['--version'])).toMatchObject({
    code: 0,
    stdout: `${manifest.version}\n`,
    stderr: '',
  })
})

test('--help prints help on stdout', async () => {
  const { code, stdout, stderr } = await flagadm(['--help'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Usage: flagadm <command> \[options\]\n/)
})

test('help for a command is the same as its --help', async () => {
  const help = await flagadm(['help', 'feature'])
  expect(help.code).toBe(0)
  expect(help.stdout).toBe((await flagadm(['feature', '--help'])).stdout)
})

test.each([[[]], [['feature']], [['project', 'settings']]])(
  'an incomplete command %j shows its help on stderr and exits 2',
  async (argv) => {
    const { code, stdout, stderr } = await flagadm(argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^Usage: flagadm/)
  },
)

describe('an invalid command line', () => {
  test.each([
    [
      ['project', 'settings', 'show'],
      "unknown command 'show'",
      'see flagadm project settings --help',
    ],
    [['project', 'settings', 'sett'], "unknown command 'sett'", 'did you mean set?'],
    [['project', 'setings', 'set'], "unknown command 'setings'", 'did you mean settings?'],
    [['nosuch'], "unknown command 'nosuch'", 'see flagadm --help'],
    [['constructor'], "unknown command 'constructor'", 'see flagadm --help'],
    [['help', 'nosuch'], "unknown command 'nosuch'", 'see flagadm --help'],
    [['help', 'enviroment'], "unknown command 'enviroment'", 'did you mean environment?'],
    [['help', 'project', 'setings', 'set'], "unknown command 'setings'", 'did you mean settings?'],
    [['usage'], "unknown command 'usage'", 'use flagadm feature usage'],
    [['review', 'checkout'], "unknown command 'review'", 'use flagadm feature review'],
    [['login'], "unknown command 'login'", 'use flagadm profile add'],
    [['feature', 'create', 'x'], "unknown command 'create'", 'flagadm does not create flags'],
    [
      ['naming', 'lint', 'x'],
      "too many arguments for 'lint'. Expected 0 arguments but got 1",
      'see flagadm naming lint --help',
    ],
    [
      ['project', 'settings', 'plan'],
      '--file is required',
      'for example: flagadm project settings plan -f flags.yaml -p sandbox',
    ],
    [
      ['project', 'settings', 'set'],
      "missing required argument 'project-id'",
      'for example: flagadm project settings set checkout --mode open -p sandbox',
    ],
    [
      ['project', 'settings', 'set', 'p', '--verify'],
      "unknown option '--verify'",
      'did you mean one of --no-verify, --version?',
    ],
    [['feature', 'list', '--env', 'prod'], "unknown option '--env'", 'use --environment'],
    [['feature', 'list', '--format', 'csv'], "unknown option '--format'", 'use --output'],
    [['feature', 'list', '--url=https://x.test'], "unknown option '--url'", 'use --base-url'],
    [
      ['feature', 'list', '--nosuch'],
      "unknown option '--nosuch'",
      'see flagadm feature list --help',
    ],
    [['featur'], "unknown command 'featur'", 'did you mean feature?'],
    [['feature', 'usages'], "unknown command 'usages'", 'did you mean usage?'],
    [
      ['feature', 'usage', 'f', '--json', '-o', 'csv'],
      '--json cannot be combined with --output csv',
      'leave out --json or --output',
    ],
    [
      ['feature', 'usage'],
      'no flag names given',
      'pass names, or use --names-from <file> or --project <id>',
    ],
    [
      ['feature', 'usage', 'f', '--api-key=*:*.0123456789'],
      "unknown option '--api-key'",
      'set FLAGADM_API_KEY or use --api-key-file: every process can read command lines',
    ],
    [
      ['feature', 'usage', 'f', '--kee=*:*.0123456789'],
      "unknown option '--kee'",
      'see flagadm feature usage --help',
    ],
    [['feature', 'usage', 'f', '--jsn'], "unknown option '--jsn'", 'did you mean --json?'],
    [['feature', 'usage', 'f', '-p'], '--profile argument missing', 'see flagadm --help'],
    [
      ['--color', 'pink', 'feature', 'usage', 'f'],
      "--color argument 'pink' is invalid. Allowed choices are auto, always, never",
      'see flagadm --help',
    ],
    [['project', 'list', '--sort', 'nmae'], "--sort: unknown value 'nmae'", "did you mean 'name'?"],
    [
      ['project', 'list', '--limit', 'abc'],
      "--limit: 'abc' is not a whole number from 1 to 999999999",
      'use a number such as 10',
    ],
    [
      ['project', 'list', '-o', 'tabel'],
      "this command has no output format 'tabel'",
      'choose one of table, json, jsonl, csv, markdown, names',
    ],
    [
      ['feature', 'usage', 'f', '-o', 'xml'],
      "this command has no output format 'xml'",
      'choose one of table, json, jsonl, csv, markdown, openmetrics',
    ],
    [
      ['feature', 'usage', 'f', '--timeout', '0'],
      "--timeout: invalid value '0'",
      'use a duration of up to 24h, such as 10, 90s or 2h',
    ],
    [
      ['feature', 'usage', 'f', '--retries', '1.5'],
      "--retries: invalid value '1.5'",
      'use a whole number from 0 to 100',
    ],
    [['\u001b[31m\n'], "unknown command '\\x1b[31m\\x0a'", 'see flagadm --help'],
    [
      ['feature', 'usage', 'f', '-p', 'sandbox', '--base-url', 'https://x.test'],
      '--base-url and --api-key-file cannot be combined with the profile sandbox',
      'leave them out, or choose another profile',
    ],
    [
      [
        ...['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run'],
        ...['-p', 'sandbox', '--api-key-file', 'key'],
      ],
      '--base-url and --api-key-file cannot be combined with the profile sandbox',
      'leave them out, or choose another profile',
    ],
    [
      ['sandbox', '--port', '99999'],
      "--port: '99999' is not a whole number from 0 to 65535",
      'use a number such as 10',
    ],
  ])('such as %j is reported on one line with a hint', async (argv, problem, hint) => {
    const { code, stdout, stderr } = await flagadm(argv, { env })
    expect([code, stdout, stderr]).toEqual([2, '', `error: ${problem}\nhint: ${hint}\n`])
  })

  test('is reported as one JSON object with --json', async () => {
    const { code, stderr } = await flagadm(['project', 'settings', 'set', '--json'])
    expect([code, stderr]).toEqual([
      2,
      `{"error":{"kind":"usage","exitCode":2,"message":"missing required argument 'project-id'","hint":"for example: flagadm project settings set checkout --mode open -p sandbox"}}\n`,
    ])
  })
})

test.each(['ff02::1', 'a'.repeat(300)])('sandbox --host %s cannot listen', async (host) => {
  const { code, stderr } = await flagadm(['sandbox', '--host', host, '--port', '0'])
  expect([code, stderr.split('\n')[1]]).toEqual([
    2,
    'hint: choose another with --port or --host; --port 0 takes any free port',
  ])
  expect(stderr).toContain(`error: cannot listen on ${host} port 0: `)
})

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])('sandbox --host %s warns that other machines can reach it', async (host, shown) => {
  const argv = ['sandbox', '--host', host, '--port', '0', '--json']
  const { stdout, stderr } = await flagadm(argv, { signal: AbortSignal.abort() })
  expect(new URL(JSON.parse(stdout).baseUrl).hostname).toBe(shown)
  expect(JSON.parse(stderr.split('\n')[0] ?? '')).toEqual({
    warning: {
      message: `other machines can reach the sandbox on ${host}, and its keys are public`,
    },
  })
})

test.each(['127.0.0.1', '::1', 'localhost'])('sandbox --host %s does not warn', async (host) => {
  const argv = ['sandbox', '--host', host, '--port', '0']
  const { code, stderr } = await flagadm(argv, { signal: AbortSignal.abort() })
  expect([code, stderr]).toEqual([130, ''])
})

test.each([
  ['FLAGADM_TIMEOUT', 'soon', 'use a duration of up to 24h, such as 10, 90s or 2h'],
  ['FLAGADM_TIMEOUT', '25h', 'use a duration of up to 24h, such as 10, 90s or 2h'],
  ['FLAGADM_RETRIES', '-1', 'use a whole number from 0 to 100'],
])('%s=%s in the environment is a configuration error', async (name, value, hint) => {
  const world = { env: { ...env, [name]: value } }
  const { code, stderr } = await flagadm(['feature', 'usage', 'f'], world)
  expect([code, stderr]).toEqual([3, `error: ${name}: invalid value '${value}'\nhint: ${hint}\n`])
})

test('global options are accepted before and after the subcommand', async () => {
  const argv = ['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run']
  const before = await flagadm(['--json', '--base-url', 'https://x.test', ...argv])
  const after = await flagadm([...argv, '--json', '--base-url', 'https://x.test'])
  expect(before.code).toBe(0)
  expect(before.stdout).toBe(after.stdout)
})

test('a missing configuration is reported with the ways to add one', async () => {
  const { code, stderr } = await flagadm(['feature', 'usage', 'f'])
  expect([code, stderr]).toEqual([
    3,
    'error: no service is configured\n' +
      'hint: set FLAGADM_BASE_URL and FLAGADM_API_KEY, add a profile with flagadm profile add, or try it with --profile sandbox\n',
  ])
})
