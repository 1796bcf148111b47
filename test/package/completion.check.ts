import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { temporaryFolder } from '../support/flagadm.ts'
import { openTerminal, requireProgram, type Terminal } from './terminal.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flagadm-shell-')))
const bin = join(inject('folder'), 'node_modules/.bin')
const env = { PATH: [bin, process.env.PATH].join(delimiter) }

beforeAll(() => {
  mkdirSync(join(folder, '.config/flagadm'), { recursive: true })
  const address = 'baseUrl: https://a.example'
  const own = `profiles:\n  staging:\n    ${address}\n  my.profile:\n    ${address}\n`
  writeFileSync(join(folder, '.config/flagadm/config.yaml'), own, { mode: 0o600 })
  // A repository may have a configuration with any text.
  writeFileSync(join(folder, '.flagadmrc.yaml'), "profile: 'x$(touch planted)'\n")
  mkdirSync(join(folder, 'rules'))
  writeFileSync(join(folder, 'my rule.yaml'), '')
})

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** Typed text, and the line after completion. Both shells add a space after a complete word. */
const lines: [typed: string, line: string][] = [
  ['flagadm fe\t', 'flagadm feature '],
  ['flagadm --color=al\t', 'flagadm --color=always '],
  ['flagadm sandbox -o js\t', 'flagadm sandbox -o json '],
  ['flagadm project settings export --dir ru\t', 'flagadm project settings export --dir rules/'],
  ['flagadm -p st\t', 'flagadm -p staging '],
  ["flagadm -p 'my.p\t", "flagadm -p 'my.profile' "],
  ['flagadm -p "my.p\t', 'flagadm -p "my.profile" '],
  ['flagadm naming check --rule my\t', 'flagadm naming check --rule my\\ rule.yaml '],
  ['flagadm naming check --rule "my\t', 'flagadm naming check --rule "my rule.yaml" '],
  ['flagadm -p "$(touch planted)" nam\t', 'flagadm -p "$(touch planted)" naming '],
  ["flagadm -p 'it\"s' nam\t", "flagadm -p 'it\"s' naming "],
]

/** Where the shells differ. Bash takes what follows a backtick for a new command. */
const ownLines: Record<'bash' | 'zsh', typeof lines> = {
  bash: [
    ['flagadm --profile="my.p\t', 'flagadm --profile="my.profile" '],
    ['flagadm -p `touch planted` nam\t', 'flagadm -p `touch planted` nam'],
  ],
  zsh: [
    ['flagadm --profile="my.p\t', 'flagadm --profile=my.profile '],
    ['flagadm -p `touch planted` nam\t', 'flagadm -p `touch planted` naming '],
  ],
}

describe.each(['bash', 'zsh'] as const)('in %s, Tab', (shell) => {
  let terminal: Terminal | undefined
  const type = async (keys: string) => terminal?.type(keys)
  beforeAll(async () => {
    terminal = await openTerminal(shell, folder, env)
  })
  afterAll(() => terminal?.end())

  test.each([...lines, ...ownLines[shell]])('turns %j into %j', async (typed, line) => {
    expect(await type(typed)).toBe(line)
  })

  test('runs nothing of the line', () => {
    expect(existsSync(join(folder, 'planted'))).toBe(false)
  })
})

describe('in fish, completion', () => {
  beforeAll(() => requireProgram('fish'))

  test('replaces what is there already', async () => {
    const home = await temporaryFolder({
      '.config/fish/completions/flagadm.fish': 'flagadm completion fish | source\n',
      '.local/share/fish/generated_completions/flagadm.fish':
        "complete -c flagadm -l config -d 'of a page'\n",
    })
    const { stdout } = await promisify(execFile)('fish', ['-c', 'complete -C "flagadm --conf"'], {
      cwd: folder,
      env: { HOME: home, LC_ALL: 'C.UTF-8', ...env },
    })
    expect(stdout).toBe('--config\tconfiguration file to read instead of searching\n')
  })

  async function offered(line: string): Promise<string[]> {
    const script = 'flagadm completion fish | source; complete -C "$LINE"'
    const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', script], {
      cwd: folder,
      env: { HOME: folder, LC_ALL: 'C.UTF-8', ...env, LINE: line },
    })
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((candidate) => candidate.split('\t')[0] ?? '')
      .sort()
  }

  test.each<[string, string[]]>([
    ['flagadm sandbox -o ', ['json', 'text']],
    ['flagadm -p ', ['my.profile', 'sandbox', 'staging']],
    ['flagadm --profile=st', ['--profile=staging']],
    ['flagadm naming check --rule ', ['my rule.yaml', 'rules/']],
    ['flagadm naming check "--rule=my', ['--rule=my rule.yaml']],
    ['flagadm naming check --rule $HOME/my', ['$HOME/my rule.yaml']],
    ['flagadm naming check --rule (touch planted)m', []],
    ['flagadm -p (touch planted) nam', ['naming']],
  ])('of %j offers %j', async (line, candidates) => {
    expect(await offered(line)).toEqual(candidates)
  })

  test('runs nothing of the line', () => {
    expect(existsSync(join(folder, 'planted'))).toBe(false)
  })
})
