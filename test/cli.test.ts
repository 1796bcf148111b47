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
  expect(stdout).toMatch(/^Usage: flagadm \[options\] \[command\]\n/)
  expect(stdout).toContain('\nExit codes:\n  0    done\n')
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

describe('a wrong command line is one line with a hint', () => {
  test.each([
    [['featur'], "unknown command 'featur'", 'did you mean feature?'],
    [['feature', 'usages'], "unknown command 'usages'", 'did you mean usage?'],
    [['feature', 'usage'], 'no flag is named', 'give names, --names-from <file> or --scan <glob>'],
    [['project', 'settings', 'set'], "missing required argument 'project-id'", 'see --help'],
    [
      ['feature', 'usage', 'f', '--api-key=*:*.0123456789'],
      "unknown option '--api-key'",
      'every process can read command lines: set FLAGADM_API_KEY or use --api-key-file',
    ],
    [['feature', 'usage', 'f', '--kee=*:*.0123456789'], "unknown option '--kee'", 'see --help'],
    [['feature', 'usage', 'f', '--jsn'], "unknown option '--jsn'", 'did you mean --json?'],
    [
      ['feature', 'usage', 'f', '-p'],
      "option '-p, --profile <name>' argument missing",
      'see --help',
    ],
    [
      ['project', 'settings', 'set', 'a', 'b', '--mode', 'open'],
      "too many arguments for 'set'. Expected 1 argument but got 2.",
      'see --help',
    ],
    [
      ['--color', 'pink', 'feature', 'usage', 'f'],
      "option '--color <when>' argument 'pink' is invalid. Allowed choices are auto, always, never.",
      'see --help',
    ],
    [
      ['feature', 'usage', 'f', '-o', 'xml'],
      "this command has no output format 'xml'",
      'choose one of table, json, jsonl, csv, markdown, openmetrics',
    ],
    [
      ['feature', 'usage', 'f', '--timeout', '0'],
      '--timeout is not a number of seconds from over 0 to 86400',
      'give a number of seconds from over 0 to 86400',
    ],
    [
      ['feature', 'usage', 'f', '--retries', '1.5'],
      '--retries is not a whole number from 0 to 100',
      'give a whole number from 0 to 100',
    ],
    [['\u001b[31m\n'], "unknown command '\\x1b[31m\\x0a'", 'see --help'],
    [
      ['feature', 'usage', 'f', '-p', 'sandbox', '--base-url', 'https://x.test'],
      '--base-url cannot be combined with the profile sandbox',
      'leave out --base-url, or choose another profile',
    ],
    [['sandbox', '--port', '99999'], "--port: '99999' is no port", 'give 0 to 65535'],
  ])('%j', async (argv, problem, hint) => {
    const { code, stdout, stderr } = await flagadm(argv, { env })
    expect([code, stdout, stderr]).toEqual([2, '', `error: ${problem}\nhint: ${hint}\n`])
  })

  test('or one JSON object with --json', async () => {
    const { code, stderr } = await flagadm(['project', 'settings', 'set', '--json'])
    expect([code, stderr]).toEqual([
      2,
      '{"error":{"kind":"usage","exitCode":2,"message":"missing required argument \'project-id\'","hint":"see --help"}}\n',
    ])
  })
})

test.each([
  ['ff02::1', 'nobody can listen on such an address'],
  ['a'.repeat(300), 'nobody can listen on such an address'],
])('sandbox --host %s is a wrong command line', async (host, reason) => {
  const { code, stderr } = await flagadm(['sandbox', '--host', host, '--port', '0'])
  expect([code, stderr]).toEqual([
    2,
    `error: cannot listen on ${host} port 0: ${reason}\n` +
      'hint: choose another one with --port or --host, or --port 0 for any free port\n',
  ])
})

test.each([
  ['FLAGADM_TIMEOUT', 'soon', 'a number of seconds from over 0 to 86400'],
  ['FLAGADM_RETRIES', '-1', 'a whole number from 0 to 100'],
])('%s=%s in the environment is a configuration error', async (name, value, expected) => {
  const world = { env: { ...env, [name]: value } }
  const { code, stderr } = await flagadm(['feature', 'usage', 'f'], world)
  expect([code, stderr]).toEqual([3, `error: ${name} is not ${expected}\nhint: give ${expected}\n`])
})

test('global options may stand before or after the subcommand', async () => {
  const argv = ['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run']
  const before = await flagadm(['--json', '--base-url', 'https://x.test', ...argv])
  const after = await flagadm([...argv, '--json', '--base-url', 'https://x.test'])
  expect(before.code).toBe(0)
  expect(before.stdout).toBe(after.stdout)
})

test('a configuration that is missing is explained', async () => {
  const { code, stderr } = await flagadm(['feature', 'usage', 'f'])
  expect([code, stderr]).toEqual([
    3,
    'error: no service is configured\n' +
      'hint: set FLAGADM_BASE_URL and FLAGADM_API_KEY, add a profile to ~/.config/flagadm/config.yaml, or try it with --profile sandbox\n',
  ])
})
