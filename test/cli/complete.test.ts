import { describe, expect, it, test } from 'vitest'
import { flagadm, type World } from '../support/flagadm.ts'
import { ending } from '../support/text.ts'

const configuration = [
  'defaultProfile: staging',
  'profiles:',
  '  staging:',
  '    baseUrl: https://staging.example.com',
  '  my.profile:',
  '    baseUrl: https://other.example.com',
].join('\n')

/** The candidates for the last word: the values, and the line with what else to complete. */
async function complete(words: readonly string[], world: World = {}): Promise<string[]> {
  const { code, stdout, stderr } = await flagadm(['complete', '--', ...words], world)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
}

const globals = [
  '--profile',
  '--base-url',
  '--api-key-file',
  '--config',
  '--allow-http',
  '--timeout',
  '--retries',
  '--concurrency',
  '--output',
  '--json',
  '--color',
  '--no-color',
  '--quiet',
  '--verbose',
  '--version',
  '--help',
]

describe('flagadm complete offers', () => {
  test.each<[string, string[], string[]]>([
    ['commands, none hidden', ['com'], ['completion', ':']],
    ['commands of a group after help', ['help', 'naming', ''], ['lint', 'check', 'diff', ':']],
    ['nothing after a command of help', ['help', 'naming', 'lint', ''], [':']],
    ['choices', ['naming', 'lint', '--fail-on', ''], ['error', 'warning', ':']],
    ['files of source code', ['feature', 'references', '--scan', ''], [':files']],
    ['several files', ['feature', 'review', '--references-from', 'a.json', ''], [':files']],
    [
      'options after several files',
      ['feature', 'review', '--references-from', 'a.json', 'b.json', '--allow-e'],
      ['--allow-empty', ':'],
    ],
    [
      'suggested values',
      ['project', 'settings', 'set', 'x', '--mode', 'p'],
      ['protected', 'private', ':'],
    ],
    ['folders', ['project', 'settings', 'export', '--dir', ''], [':folders']],
    [
      'choices after a = of its own, as bash splits it',
      ['naming', 'lint', '--fail-on', '=', 'w'],
      ['warning', ':'],
    ],
    ['choices after =', ['naming', 'lint', '--fail-on=w'], ['--fail-on=warning', ':']],
    ['choices of a global option', ['sandbox', '--color', 'a'], ['auto', 'always', ':']],
    ['formats of a command', ['sandbox', '-o', ''], ['text', 'json', ':']],
    ['no formats before the command', ['-o', ''], [':']],
    ['nothing for a free text', ['naming', 'lint', '--pattern', ''], [':']],
    [
      'a value that looks like an option',
      ['sandbox', '--host', '--seed', '--fro'],
      ['--frozen', ':'],
    ],
  ])('%s', async (_what, words, offered) => {
    expect(await complete(words)).toEqual(offered)
  })

  it('options of the command and global ones', async () => {
    expect(await complete(['sandbox', '--'])).toEqual([
      '--port',
      '--host',
      '--seed',
      '--frozen',
      '--spec-only',
      '--help',
      ...globals,
      ':',
    ])
  })

  it('descriptions', async () => {
    const { stdout } = await flagadm(['complete', '--', 'sandbox', '--fro'])
    expect(stdout).toBe('--frozen\tkeep the time fixed\n:\n')
  })
})

describe('flagadm complete offers the profiles', () => {
  const user = { 'home/.config/flagadm/config.yaml': configuration }

  it('of the user and the project', async () => {
    const files = { ...user, 'work/.flagadmrc.json': '{"profiles":{"ours":{"baseUrl":"x"}}}' }
    expect(await complete(['-p', ''], { files })).toEqual([
      'ours',
      'staging',
      'my.profile',
      'sandbox',
      ':',
    ])
    expect(await complete(['--profile=st'], { files })).toEqual(['--profile=staging', ':'])
  })

  it('of the file that --config or FLAGADM_CONFIG specifies', async () => {
    const files = { ...user, 'work/other.yaml': 'baseUrl: https://a.example\n' }
    const expected = ['default', 'sandbox', ':']
    expect(await complete(['--config', 'other.yaml', '-p', ''], { files })).toEqual(expected)
    expect(await complete(['--config=other.yaml', '-p', ''], { files })).toEqual(expected)
    const env = { FLAGADM_CONFIG: 'other.yaml' }
    expect(await complete(['-p', ''], { files, env })).toEqual(expected)
  })

  it('where an argument is a profile', async () => {
    const profiles = ['staging', 'my.profile', 'sandbox', ':']
    const lines = [
      ['profile', 'show', ''],
      ['profile', 'check', ''],
      ['doctor', ''],
    ]
    for (const line of lines) expect(await complete(line, { files: user })).toEqual(profiles)
    expect(await complete(['profile', 'add', ''], { files: user })).toEqual([':'])
  })

  it.each(['profiles: [', '[]'])('except those of a file with the text %j', async (text) => {
    const files = { 'work/.flagadmrc': text }
    expect(await complete(['-p', ''], { files })).toEqual(['sandbox', ':'])
  })

  const refused = [
    'a$(touch x)',
    'b`c`',
    'd;e',
    "f'g",
    'h"i',
    'j\\k',
    'l\tm',
    'n\no',
    'my profile',
    'a/b',
    '--config=evil.yaml',
    '-rf',
    '-',
    '.',
    '..',
    '_a',
    '',
    '\u3164',
    '\u2800',
    'a\u200b',
    'a\ufe0f',
    '\u{e0100}',
    'a\u202e',
    'a\u00a0b',
    'a'.repeat(101),
    'sandbox',
  ]

  it.each(refused)('except those of a file with the invalid name %j', async (name) => {
    const profiles = Object.fromEntries([name, 'fine'].map((one) => [one, { baseUrl: 'x' }]))
    for (const path of ['work/.flagadmrc.json', 'home/.config/flagadm/config.json']) {
      const files = { [path]: JSON.stringify({ profiles }) }
      expect(await complete(['-p', ''], { files })).toEqual(['sandbox', ':'])
    }
  })
})

it.each([
  ['bash', 'complete -o default -F _flagadm flagadm\n'],
  ['zsh', '#compdef flagadm\n'],
  ['fish', "complete -c flagadm -f -a '(__flagadm_complete)'\n"],
  ['powershell', 'Register-ArgumentCompleter -Native -CommandName flagadm '],
])('flagadm completion prints a script for %s', async (shell, part) => {
  const { code, stdout, stderr } = await flagadm(['completion', shell])
  expect({ code, stderr, stdout }).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining(part),
  })
})

it('flagadm completion refuses an unknown shell', async () => {
  expect(ending(await flagadm(['completion', 'csh']))).toBe(
    "2 error: shell: unknown value 'csh'\nhint: did you mean 'zsh'?\n",
  )
})
