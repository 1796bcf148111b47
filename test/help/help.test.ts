import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { describe, expect, it } from 'vitest'
import { pathOf } from '../../src/help/options.ts'
import { settings } from '../../src/help/environment.ts'
import { createProgram } from '../../src/old/commands/program.ts'
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
  return block
    .trimEnd()
    .replaceAll(/ \\\n +/g, ' ')
    .split('\n')
}

const writes = visible(program).filter(({ options }) =>
  options.some(({ long }) => long === '--yes' || long === '--dry-run'),
)

describe('the help', () => {
  it.each(writes.map(pathOf))('lists %s apart, because it changes something', async (command) => {
    const [group = '', name = ''] = command.split(/ (?=\S+$)/)
    const [, listed = ''] =
      /\nCommands that change something:\n((?: {2}.*\n)+)/.exec(await helpOf(group)) ?? []
    expect(listed).toMatch(new RegExp(`^ {2}${name} `, 'm'))
  })

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

describe('a command line without a command', () => {
  it.each([
    [[], 'flagadm'],
    [['project'], 'flagadm project'],
    [['project', 'settings'], 'flagadm project settings'],
  ])('%j is answered with the help, or with an error for --json', async (words, group) => {
    const help = await helpOf(group)
    expect(await flagadm(words)).toMatchObject({ code: 2, stdout: '', stderr: help })
    const { code, stdout, stderr } = await flagadm([...words, '-o', 'json'])
    expect([code, stdout, JSON.parse(stderr)]).toEqual([
      2,
      '',
      {
        error: {
          kind: 'usage',
          exitCode: 2,
          message: 'no command given',
          hint: `see ${group} --help`,
        },
      },
    ])
  })
})

describe('the help on a terminal', () => {
  const helpAt = async (command: string, columns?: number) =>
    (await flagadm([...wordsAfter(command), '--help'], columns === undefined ? {} : { columns }))
      .stdout
  const widest = (text: string) =>
    Math.max(...text.split('\n').map((line) => (/^ {4}\S/.test(line) ? 0 : line.length)))

  it.each(commands)('of %s is as wide as the terminal, at most 100 columns', async (command) => {
    for (const [columns, most] of [
      [60, 60],
      [80, 80],
      [140, 100],
    ] as const) {
      expect(widest(await helpAt(command, columns))).toBeLessThanOrEqual(most)
    }
  })

  it('is 80 columns wide in a pipe', async () => {
    expect(await helpAt('flagadm feature usage')).toBe(await helpAt('flagadm feature usage', 80))
  })

  it('shows descriptions below the options when they do not fit beside them', async () => {
    expect(await helpAt('flagadm profile remove', 40)).toBe(
      [
        'Usage: flagadm profile remove [options]',
        '<profile>',
        '',
        'Remove a profile from your',
        'configuration; asks for confirmation',
        '',
        'Examples:',
        '  flagadm profile remove staging',
        '  flagadm profile remove staging --yes',
        '',
        'Arguments:',
        '  profile',
        '      profile to remove',
        '',
        'Options:',
        '  -y, --yes',
        '      do not ask for confirmation',
        '',
        'Output formats: text (default), json',
        '',
        'Global options and exit codes: flagadm',
        '--help',
        '',
      ].join('\n'),
    )
  })

  it('shows what most people need of feature usage on the first 24 lines', async () => {
    const lines = (await helpAt('flagadm feature usage', 80)).split('\n').slice(0, 24)
    expect(lines.join('\n')).toBe(
      [
        'Usage: flagadm feature usage [options] [name...]',
        '',
        'Show how often flags were evaluated, in the current clock hour or a longer span',
        '',
        'Examples:',
        '  flagadm feature usage checkout-new-basket dark-mode -p sandbox',
        '  flagadm feature usage checkout-coupon-banner --since 2d --by day -p sandbox',
        '  flagadm feature usage --project checkout --since 48h --unused -p sandbox',
        "  flagadm feature usage dark-mode --environment 'prod*' --sort total -p sandbox",
        '  flagadm feature usage dark-mode --watch=5 --count 2 -p sandbox',
        '  flagadm feature usage --scan src -o markdown --output-file usage.md -p sandbox',
        '  flagadm feature usage legacy-invoice-export --project default \\',
        '    --expect unused --since 48h -p sandbox',
        '',
        'Arguments:',
        '  name                        names of the flags',
        '',
        'Names:',
        "  --project <id>              flags of this project; '*': any text (repeatable)",
        '  --all-projects              the flags of all projects that the service lists',
        "  --names-from <path>         file of names, one per line ('-': standard input)",
        '',
        'Time:',
        '  --since <duration>          hourly usage over a span such as 24h or 2d',
      ].join('\n'),
    )
  })

  it('shows the properties of options in one style', async () => {
    const help = `${await helpAt('flagadm', 100)}${await helpAt('flagadm feature usage', 100)}`
    for (const line of [
      '  --retries <n>          further attempts after a failed one (default: 2)',
      '  --color <when>         when to use colour (choices: auto, always, never; default: auto)',
      '  --concurrency <n>           concurrent requests (default: 4)',
      '  --definitions <type>        enum, class or object whose members are flags (repeatable)',
      '  --layout <layout>           with -o table: how to arrange several flags (choices: sections, table)',
    ]) {
      expect(help).toContain(`\n${line}\n`)
    }
  })

  it('leaves the properties of options to the help', () => {
    const options = visible(program).flatMap((command) => command.options)
    for (const { description } of options) {
      expect(description).not.toMatch(/repeatable|\((choices|default)/)
    }
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
    // The services of the examples do not exist.
    const unchecked = example.startsWith('flagadm profile add') ? ['--no-check'] : []
    const argv = [...wordsOf(example).slice(1), ...unchecked]
    const { code, stderr } = await flagadm(isSandbox ? [...argv, '--port', '0'] : argv, {
      files,
      env: { FLAGADM_PROFILE: 'sandbox' },
      ...(isSandbox && { signal: AbortSignal.abort() }),
      clock: patientClock().clock,
      dialog: [['?', 'y']],
    })
    // The sandbox has a flag that is removable.
    const expected = example.includes('--fail-on removable') ? 9 : 0
    expect(code, stderr).toBe(isSandbox ? 130 : expected)
  })
})

describe('flagadm help environment', () => {
  it('lists every variable that the code reads', async () => {
    const root = fileURLToPath(new URL('../../src/', import.meta.url))
    const listed = settings.flatMap(({ variables = [] }) => variables)
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
