import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { describe, expect, it } from 'vitest'
import { pathOf } from '../../src/help/usage-error.ts'
import { settings } from '../../src/help/environment.ts'
import { createProgram } from '../../src/commands/program.ts'
import { patientClock } from '../support/clock.ts'
import { flagadm } from '../support/flagadm.ts'

const program: CommandUnknownOpts = createProgram(() => {
  throw new Error('no command is run here')
}, {})

function visible(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.createHelp().visibleCommands(command).flatMap(visible)]
}

const commands = visible(program).map(pathOf)
const wordsAfter = (command: string) => command.split(' ').slice(1)

async function helpOf(command: string): Promise<string> {
  const { code, stdout, stderr } = await flagadm([...wordsAfter(command), '--help'])
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

function examplesIn(help: string): string[] {
  const [, block = ''] = /\nExamples:\n((?: {2}.*\n)+)/.exec(help) ?? []
  return block.trimEnd().split('\n')
}

describe('the help', () => {
  it.each(commands)('of %s shows at least two examples of it', async (command) => {
    const examples = examplesIn(await helpOf(command))
    expect(examples.length).toBeGreaterThanOrEqual(2)
    for (const example of examples) expect(`${example} `).toMatch(new RegExp(`^  ${command} `))
  })

  it.each(commands)('of %s is the same with flagadm help', async (command) => {
    const { code, stdout, stderr } = await flagadm(['help', ...wordsAfter(command)])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(await helpOf(command))
  })

  it.each([
    [['project', 'help', 'settings', 'set'], 'flagadm project settings set'],
    [['project', 'settings', 'help', 'set'], 'flagadm project settings set'],
    [['naming', 'help'], 'flagadm naming'],
  ])('of a command is also shown by %j', async (argv, command) => {
    expect((await flagadm(argv)).stdout).toBe(await helpOf(command))
  })
})

const rule = [
  'featureNaming:',
  '  pattern: checkout-[a-z-]+',
  '  example: checkout-pay',
  '  description: The team, then what the flag is about',
].join('\n')
const seed = {
  projects: [{ id: 'default', mode: 'open' }],
  flags: [],
}
const profiles = {
  staging: { baseUrl: 'https://flags.staging.example.com', apiKeyEnv: 'STAGING_KEY' },
}
const files = {
  'home/.config/flagadm/config.yaml': JSON.stringify({ profiles }),
  'work/naming.yaml': rule,
  'work/flags.yaml': 'projects: {default: {mode: open}}\n',
  'work/old.yaml': rule.replace('+', '*'),
  'work/names.txt': 'checkout-pay\ncheckout-new-basket\n',
  'work/seed.yaml': JSON.stringify(seed),
  'work/src/a.ts': "isEnabled('checkout-new-basket')",
}

function wordsOf(example: string): string[] {
  return [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

describe('the example', () => {
  const examples = commands.flatMap((command) => {
    const lines: string[] = []
    const parsed = wordsAfter(command).reduce<CommandUnknownOpts>(
      (group, word) => group.commands.find((one) => one.name() === word) ?? group,
      program,
    )
    parsed.configureOutput({ writeOut: (text) => lines.push(text) }).outputHelp()
    return examplesIn(lines.join('')).map((line) => line.trim())
  })

  it.each([...new Set(examples)])('works: %s', async (example) => {
    // The sandbox serves until it is interrupted, and its fixed port may be in use.
    const isSandbox = example.startsWith('flagadm sandbox')
    const argv = wordsOf(example).slice(1)
    const { code, stderr } = await flagadm(isSandbox ? [...argv, '--port', '0'] : argv, {
      files,
      env: { FLAGADM_PROFILE: 'sandbox' },
      ...(isSandbox && { signal: AbortSignal.abort() }),
      clock: patientClock().clock,
      dialog: [['?', 'y']],
    })
    expect(code, stderr).toBe(isSandbox ? 130 : 0)
  })
})

describe('flagadm help environment', () => {
  it('lists every variable that the code reads', async () => {
    const root = fileURLToPath(new URL('../../src/', import.meta.url))
    const listed = settings.flatMap(({ variables }) => variables)
    const { stdout } = await flagadm(['help', 'environment'])
    for (const variable of listed) expect(stdout).toContain(variable)
    for (const entry of await readdir(root, { recursive: true })) {
      if (!entry.endsWith('.ts')) continue
      const text = readFileSync(join(root, entry), 'utf8')
      const read =
        text.match(/\bFLAGADM_[A-Z_]+[A-Z]\b|(?<=\benv\.)[A-Z_]+\b|\b[A-Z]+_PROXY\b/g) ?? []
      expect(listed, entry).toEqual(expect.arrayContaining([...new Set(read)]))
    }
  })

  it.each([
    ['linux', '$XDG_CONFIG_HOME'],
    ['win32', '$env:XDG_CONFIG_HOME'],
  ] as const)('lists the places of configuration files on %s', async (platform, folder) => {
    const { code, stdout, stderr } = await flagadm(['help', 'environment'], { platform })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(
      [
        'User configuration, the first of:',
        `  ${folder}/flagadm/config.yaml`,
        `  ${folder}/flagadm/config.yml`,
        `  ${folder}/flagadm/config.json`,
        '',
      ].join('\n'),
    )
    expect(stdout).toContain('\n  package.json (its field flagadm)\n')
  })

  it('shows an example of a configuration that works', async () => {
    const { stdout } = await flagadm(['help', 'environment'])
    const [, example = ''] = /\nExample of a user configuration:\n(.*)$/s.exec(stdout) ?? []
    const argv = ['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run', '--json']
    const outcome = await flagadm(argv, {
      files: { 'home/.config/flagadm/config.yaml': example.replace(/^ {2}/gm, '') },
    })
    expect(JSON.parse(outcome.stdout).baseUrl).toBe('https://flags.example.com')
  })
})

it('no hint refers to the README', async () => {
  const root = fileURLToPath(new URL('../../src/', import.meta.url))
  for (const entry of await readdir(root, { recursive: true })) {
    if (!entry.endsWith('.ts')) continue
    expect(readFileSync(join(root, entry), 'utf8'), entry).not.toMatch(/^[^/*]*['"`].*README/m)
  }
})
