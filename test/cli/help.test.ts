import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { exitCodes } from '../../src/errors.ts'
import { configurationSources } from '../../src/cli/help.ts'
import { flagadm } from '../support/flagadm.ts'
import { examplesIn, loadCommands } from '../support/program.ts'

const { all } = await loadCommands()
const wordsAfter = (command: string) => command.split(' ').slice(1)

async function helpOf(command: string, columns?: number): Promise<string> {
  const world = columns === undefined ? {} : { columns, env: { NO_COLOR: '1' } }
  const { code, stdout, stderr } = await flagadm([...wordsAfter(command), '--help'], world)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

describe('the help', () => {
  it.each(all.map(({ path }) => path))('of %s is the same with flagadm help', async (command) => {
    const { code, stdout, stderr } = await flagadm(['help', ...wordsAfter(command)])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(await helpOf(command))
  })

  it.each(all.filter(({ command }) => command.commands.length === 0))(
    'of $path has examples of it alone',
    async ({ path }) => {
      const examples = examplesIn(await helpOf(path))
      for (const example of examples) expect(`${example} `).toMatch(new RegExp(`^${path} `))
    },
  )

  it('of the root answers the first questions, and has a line for each command or group', async () => {
    const lines = (await helpOf('flagadm', 80)).trimEnd().split('\n')
    const listed = all.filter(({ path }) => path.split(' ').length === 2)
    expect(lines.length - listed.length).toBeLessThanOrEqual(42)
    expect(lines.slice(0, 12)).toEqual([
      'Usage: flagadm <command> [options]',
      '',
      'Administer the feature flags of Unleash: usage, naming rules, project settings.',
      '',
      'Who uses a flag?',
      '  flagadm feature usage checkout-new-basket -p sandbox',
      'Which flags can go?',
      '  flagadm feature review --all-projects -p sandbox',
      'Is a rule right?',
      "  flagadm naming lint --pattern 'checkout-[a-z-]+'",
      'How do I connect?',
      '  flagadm profile add',
    ])
  })

  it.each(all)('of $path explains -p sandbox if examples have it', async ({ path, help }) => {
    const explained =
      /-p sandbox, a command uses an embedded service|'sandbox': an embedded service/
    const hasSandbox = examplesIn(help(100)).some((example) => example.includes('-p sandbox'))
    if (hasSandbox) expect(await helpOf(path)).toMatch(explained)
  })

  it('has bold headings on a terminal', async () => {
    const { stdout } = await flagadm(['naming', 'lint', '--help', '--color', 'always'])
    const headings = Array.from(stdout.matchAll(/\u001b\[1m(.+?)\u001b\[22m/g), ([, text]) => text)
    expect(headings).toEqual([
      'Usage:',
      'Examples:',
      'Rule (default: the project configuration):',
      'Check:',
      'Output formats:',
      'Global options:',
    ])
  })

  it('of a command is as wide as the terminal, at most 100 columns, except for examples', async () => {
    for (const [columns, most] of [
      [60, 60],
      [80, 80],
      [140, 100],
    ] as const) {
      const lines = (await helpOf('flagadm profile add', columns)).split('\n')
      const others = lines.filter((line) => !line.startsWith('  flagadm '))
      expect(Math.max(...others.map(({ length }) => length))).toBeLessThanOrEqual(most)
    }
    expect(await helpOf('flagadm profile add')).toBe(await helpOf('flagadm profile add', 80))
  })

  it.each([
    [
      'flagadm',
      ['Flags:', 'Projects and rules:', 'Connection and help:', 'Connection:', 'Output:'],
    ],
    ['flagadm project settings', ['Examples:', 'Commands:', 'Commands that change something:']],
  ])('of the group %s has the headings %j', async (group, headings) => {
    expect((await helpOf(group)).match(/^\S.*:$/gm)).toEqual(headings)
  })

  it('of the root is shown on stdout without a command', async () => {
    const help = await helpOf('flagadm')
    expect(await flagadm([])).toMatchObject({ code: 0, stdout: help, stderr: '' })
    const { code, stdout, stderr } = await flagadm(['--json'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(JSON.parse(stderr).error.message).toBe('no command given')
  })

  it.each([
    [['project'], 'flagadm project'],
    [['project', 'settings'], 'flagadm project settings'],
  ])('of a group is shown on stderr without a command: %j', async (words, group) => {
    const help = await helpOf(group)
    expect(await flagadm(words)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: help,
    })
    const { code, stdout, stderr } = await flagadm([...words, '-o', 'json'])
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: '',
    })
    expect(JSON.parse(stderr).error).toEqual({
      kind: 'usage',
      exitCode: 2,
      message: 'no command given',
      hint: `see ${group} --help`,
    })
  })
})

describe('flagadm help variables', () => {
  it('lists every variable that the code reads, and every exit code', async () => {
    const root = fileURLToPath(new URL('../../src/', import.meta.url))
    const listed = configurationSources.flatMap(({ variables = [] }) => variables)
    const { stdout } = await flagadm(['help', 'variables'])
    for (const variable of listed) expect(stdout).toContain(variable)
    for (const { code, meaning } of Object.values(exitCodes)) {
      expect(stdout).toContain(`\n  ${`${code}`.padEnd(5)}${meaning}\n`)
    }
    for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      if (!entry.endsWith('.ts')) continue
      const text = readFileSync(join(root, entry), 'utf8')
      const read =
        text.match(/\bFLAGADM_[A-Z_]+[A-Z]\b|(?<=\benv\.)[A-Z_]+\b|\b[A-Z]+_PROXY\b/g) ?? []
      expect(listed, entry).toEqual(expect.arrayContaining([...new Set(read)]))
    }
  })

  it('shows an example of a configuration that works', async () => {
    const { stdout } = await flagadm(['help', 'variables'])
    const [, example = ''] = /\nExample of a user configuration:\n(.*)$/s.exec(stdout) ?? []
    const argv = ['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run', '--json']
    const outcome = await flagadm(argv, {
      files: { 'home/.config/flagadm/config.yaml': example.replace(/^ {2}/gm, '') },
    })
    expect(JSON.parse(outcome.stdout).baseUrl).toBe('https://flags.example.com')
  })
})
