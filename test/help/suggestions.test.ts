import { describe, expect, it } from 'vitest'
import { environment, flagadm, type Outcome, type World } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'

const rule = 'featureNaming: {pattern: "[a-z-]+", example: pay, description: words}\n'
const world: World = {
  files: {
    'work/flags.yaml': 'projects: {checkout: {mode: open}}\n',
    'work/a.yaml': rule,
    'work/naming.yaml': rule,
    'work/b.yaml': rule,
    'work/bad.yaml': 'mode: [open\n',
  },
  env: { FLAGADM_PROFILE: 'sandbox' },
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

/** The command line in a hint. */
function commandIn(hint: string): string[] {
  const [, line = ''] = /flagadm (.*?)(?:\?$| (?:prints|lists|shows) |;|$)/.exec(hint) ?? []
  return wordsOf(line)
}

/** Command lines that people type, the error, and the command in its hint. */
const cases: readonly (readonly [typed: string, error: string, hint: string, code?: number])[] = [
  [
    'project settings plan flags.yaml',
    "unexpected argument: 'flags.yaml'",
    'did you mean flagadm project settings plan -f flags.yaml?',
  ],
  [
    'naming diff a.yaml b.yaml',
    "unexpected arguments: 'a.yaml', 'b.yaml'",
    'did you mean flagadm naming diff --from a.yaml --to b.yaml?',
  ],
  [
    'feature list checkout',
    "unexpected argument: 'checkout'",
    'did you mean flagadm feature list --project checkout?',
  ],
  [
    "feature list 'dark-*' -o names",
    "unexpected argument: 'dark-*'",
    "did you mean flagadm feature list --all-projects --name 'dark-*' -o names?",
  ],
  [
    'project settings set checkout mode=open',
    "unexpected argument: 'mode=open'",
    'did you mean flagadm project settings set checkout --mode open?',
  ],
  [
    'feature usage dark-mode --watch=0 --count 1',
    "the interval '0' is shorter than 1s",
    'did you mean flagadm feature usage dark-mode --watch=1s --count 1?',
  ],
  [
    'project settings set checkout --from-file bad.yaml',
    'bad.yaml:2:1: not valid YAML or JSON: wrong indentation or a missing bracket',
    'correct the file at that place; flagadm project settings get --all -o yaml prints a valid one',
  ],
  [
    'project settings set checkout --from-file flags.yaml --dry-run -y',
    'flags.yaml has settings of several projects',
    'did you mean flagadm project settings plan -f flags.yaml?',
  ],
  ['flag list', "unknown command 'flag'", 'did you mean flagadm feature list --all-projects?'],
  [
    'flags list --project checkout --json',
    "unknown command 'flags'",
    'did you mean flagadm feature list --project checkout --json?',
  ],
  ['login', "unknown command 'login'", 'did you mean flagadm profile add?'],
  ['-v', 'no command given', 'did you mean flagadm --version?'],
  [
    'project get checkout',
    "unknown command 'get'",
    'did you mean flagadm project settings get checkout?',
  ],
  ['project get', "unknown command 'get'", 'did you mean flagadm project settings get --all?'],
  [
    '-p sandbox feature get dark-mode',
    "unknown command 'get'",
    'did you mean flagadm -p sandbox feature usage dark-mode?',
  ],
  [
    'project settings set default --naming-example pay --yes',
    '--naming-example requires a pattern, and the project has none',
    "did you mean flagadm project settings set default --naming-pattern '[a-z0-9-]+' --naming-example pay --yes?",
  ],
  [
    'project settings set default --naming-example=pay --yes',
    '--naming-example requires a pattern, and the project has none',
    "did you mean flagadm project settings set default --naming-pattern '[a-z0-9-]+' --naming-example=pay --yes?",
  ],
  [
    'project settings export checkout',
    '--dir is required',
    'did you mean flagadm project settings export checkout --dir flags?',
  ],
  [
    'feature usage dark-mode -o csv --json',
    '--json cannot be combined with --output csv',
    'did you mean flagadm feature usage dark-mode -o csv?',
  ],
  [
    'feature list --all-projects --type killswitch',
    "--type: unknown value 'killswitch'",
    'did you mean flagadm feature list --all-projects --type kill-switch?',
  ],
  [
    'feature list --all-projects --environment prodction',
    "--environment: unknown value 'prodction'",
    'did you mean flagadm feature list --all-projects --environment production?',
  ],
  [
    'feature review --all-projects --verdict remvable',
    "--verdict: unknown value 'remvable'",
    'did you mean flagadm feature review --all-projects --verdict removable?',
  ],
  [
    'naming lint --rule ./namng.yaml',
    '--rule: cannot read ./namng.yaml: no such file',
    'did you mean flagadm naming lint --rule ./naming.yaml?',
  ],
  [
    'feature usage dark-mode --sinc=48h',
    "unknown option '--sinc'",
    'did you mean flagadm feature usage dark-mode --since=48h?',
  ],
  [
    'feature usage dark-mode --sort=totl',
    "--sort: unknown value 'totl'",
    'did you mean flagadm feature usage dark-mode --sort=total?',
  ],
  ['completion bsh', "<shell>: unknown value 'bsh'", 'did you mean flagadm completion bash?'],
  [
    'feature usage dark-mode -o jsn',
    "this command has no output format 'jsn'",
    'did you mean flagadm feature usage dark-mode -o json?',
  ],
  [
    'project settings set checkout --mode opn',
    "unknown project mode 'opn'",
    'did you mean flagadm project settings set checkout --mode open?',
  ],
  [
    'feature list -o names',
    'no project given',
    'did you mean flagadm feature list -o names --all-projects?',
  ],
  [
    'feature usage drk-mode',
    '404 NotFoundError: No feature flag with the name drk-mode exists',
    'did you mean flagadm feature usage dark-mode?',
    6,
  ],
  [
    'feature usage drk-mode --project default',
    'drk-mode: not a flag of project default',
    'did you mean flagadm feature usage dark-mode --project default?',
    6,
  ],
  [
    'feature list --project chekout',
    "unknown project 'chekout'",
    'did you mean flagadm feature list --project checkout?',
    6,
  ],
  [
    "feature list --project 'chek*'",
    'no project matches chek*',
    'did you mean flagadm feature list --project checkout?',
    6,
  ],
]

const DOWN = '\u001b[B'

/** The error line and the hint of a run. */
function messageOf({ stderr }: Outcome): string[] {
  const lines = stderr.trimEnd().split('\n')
  if (!stderr.startsWith('{')) return lines
  const { error } = JSON.parse(stderr)
  return [`error: ${error.message}`, `hint: ${error.hint}`]
}

describe('the hint for', () => {
  const all = cases.map(([typed, error, hint, code = 2]) => [typed, error, hint, code] as const)
  it.each(all)('flagadm %s has a command that works', async (typed, error, hint, exit) => {
    const outcome = await flagadm(wordsOf(typed), world)
    expect(outcome.code).toBe(exit)
    expect(messageOf(outcome)).toEqual([`error: ${error}`, `hint: ${hint}`])
    const dialog = [
      ['Where does the API key come from?', '\r'],
      ['API key', 'some-key\r'],
      ['Address', 'http://127.0.0.1:1\r'],
      ['Name', 'staging\r'],
      ['What next?', `${DOWN}${DOWN}\r`],
    ] as const
    const { code, stderr } = await flagadm(commandIn(hint), {
      ...world,
      ...(typed === 'login' && { dialog }),
    })
    expect([code, typed === 'login' ? '' : stderr]).toEqual([0, ''])
  })

  it.each([
    'project settings set checkout --from-file flags.yaml --mode open',
    'project settings set checkout --from-file flags.yaml --naming-example=pay',
    'project settings set checkout --from-file flags.yaml --clear-naming',
    'project settings set checkout --from-file=flags.yaml',
    'project settings set sandbox --from-file flags.yaml -p sandbox',
    'project settings set project --from-file flags.yaml',
  ])('flagadm %s has no correction that would not work', async (typed) => {
    const outcome = await flagadm(wordsOf(typed), world)
    expect(outcome.code).toBe(2)
    expect(messageOf(outcome)).toEqual([
      'error: flags.yaml has settings of several projects',
      'hint: use flagadm project settings plan and apply',
    ])
  })

  it.each([
    [
      'project settings set chekout --naming-description=chekout --mode open',
      "error: unknown project 'chekout'",
      'hint: did you mean checkout?',
    ],
    [
      'project settings set privat --mode privat',
      "error: unknown project mode 'privat'",
      'hint: choose one of open, protected, private, or send it as it is with --no-verify',
    ],
    [
      'feature usage a --expect unused --for 0 --interval 0',
      "error: the interval '0' is shorter than 1s",
      'hint: use --interval 1s or longer',
    ],
    [
      'feature usage a --expect unsed --since 48h',
      "error: --expect: unknown value 'unsed'",
      'hint: choose one of used, unused',
    ],
    [
      'feature usage a --unsed --since 48h',
      "error: unknown option '--unsed'",
      'hint: see flagadm feature usage --help',
    ],
    [
      "project set checkout --naming-description 'see flagadm feature list' -p sandbox",
      "error: unknown command 'set'",
      "hint: did you mean flagadm project settings set checkout --naming-description 'see flagadm feature list' -p sandbox?",
    ],
  ])('%s has no command that could mean something else', async (typed, ...message) => {
    expect(messageOf(await flagadm(wordsOf(typed), world))).toEqual(message)
  })

  it('a long command is not broken into lines, whose first could be another command', async () => {
    const typed = 'project settings set chekout --mode private --naming-description words --dry-run'
    const terminal = { ...world, columns: 40, talksToTerminal: true }
    const { stderr } = await flagadm([...typed.split(' '), '--color', 'never'], terminal)
    expect(stderr).toContain(
      `\nhint: did you mean flagadm ${typed.replace('chekout', 'checkout')} --color never?\n`,
    )
  })
})

describe('no hint repeats', () => {
  it.each([
    ['login', '*:*.0123456789abcdef'],
    ['feature', 'list', '*:*.0123456789abcdef'],
    ['feature', 'list', 'checkout', '--kee=0123456789abcdef'],
    ['flag', 'list', '--api-key=0123456789abcdef'],
    ['feature', 'usage', 'x', '--base-url', '*:*.0123456789abcdef'],
    ['feature', 'usage', 'x', '--json', '-o', 'csv', '--app', '*:*.0123456789abcdef'],
  ])('a key: %s %s %s', async (...argv) => {
    const { code, stderr } = await flagadm(argv, { env: environment('https://x.test') })
    expect(code).toBeGreaterThan(0)
    expect(stderr).not.toContain('0123456789abcdef')
  })
})

it('reports an unknown command with the name of an inherited property', async () => {
  const { code, stderr } = await flagadm(['feature', 'constructor'])
  const expected = "error: unknown command 'constructor'\nhint: see flagadm feature --help\n"
  expect({ code, stderr }).toEqual({ code: 2, stderr: expected })
})

it.each([['--version'], ['-V'], ['version']])('%s prints the version', async (word) => {
  expect((await flagadm([word])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

it('accepts -o json with --json, and -e for --environment', async () => {
  const argv = ['feature', 'usage', 'dark-mode', '-e', 'production', '-o', 'jsonl']
  expect((await flagadm(argv, world)).stdout).toContain('"environment":"production"')
  const both = ['feature', 'usage', 'dark-mode', '-o', 'json', '--json']
  expect((await flagadm(both, world)).code).toBe(0)
})

it('--type accepts a pattern and a type that only a flag of the service has', async () => {
  for (const type of ['kill-switch', 'kill*', 'none*']) {
    const { code } = await flagadm(['feature', 'list', '--all-projects', '--type', type], world)
    expect([type, code]).toEqual([type, 0])
  }
})
