import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { describe, expect, it, test } from 'vitest'
import { pathOf } from '../src/help/usage-error.ts'
import { formats } from '../src/output/formats.ts'
import { createProgram } from '../src/commands/program.ts'
import { flagadm } from './support/flagadm.ts'

const candidates = [...new Set(Object.values(formats).flatMap((choice) => choice.formats)), 'xml']

const rule = ['--pattern', '[a-z]+', '--example', 'a', '--description', 'd']
const sandbox = ['-p', 'sandbox']
const profiles = '{"profiles":{"staging":{"baseUrl":"https://a.test"}}}'

/** A command line for each command, and the exit code of a run that succeeds. */
const runs: Record<string, { argv: string[]; code?: number }> = {
  'flagadm completion': { argv: ['bash'] },
  'flagadm feature list': { argv: ['--project', 'default', ...sandbox] },
  'flagadm feature references': { argv: ['--scan', '.'] },
  'flagadm feature usage': { argv: ['dark-mode', ...sandbox] },
  'flagadm naming lint': { argv: rule },
  'flagadm naming check': { argv: ['a', ...rule] },
  'flagadm naming diff': { argv: ['--from', 'pattern:a', '--to', 'pattern:b'] },
  'flagadm doctor': { argv: sandbox },
  'flagadm profile add': { argv: ['a', '--base-url', 'https://a.test', '--api-key-env', 'A'] },
  'flagadm profile check': { argv: sandbox },
  'flagadm profile list': { argv: [] },
  'flagadm profile remove': { argv: ['staging', '--yes'] },
  'flagadm profile rename': { argv: ['staging', 'test'] },
  'flagadm profile show': { argv: sandbox },
  'flagadm profile use': { argv: ['staging'] },
  'flagadm project list': { argv: sandbox },
  'flagadm project settings get': { argv: ['default', ...sandbox] },
  'flagadm project settings plan': { argv: ['-f', 'flags.yaml', ...sandbox] },
  'flagadm project settings apply': { argv: ['-f', 'flags.yaml', '--yes', ...sandbox] },
  'flagadm project settings export': { argv: ['--all', '--dir', 'flags', ...sandbox] },
  'flagadm project settings set': { argv: ['default', '--mode', 'open', ...sandbox] },
  'flagadm sandbox': { argv: ['--port', '0'], code: 130 },
}

function leaves(command: CommandUnknownOpts): string[] {
  const below = command.createHelp().visibleCommands(command)
  return below.length === 0 ? [pathOf(command)] : below.flatMap(leaves)
}

const program = createProgram(() => {
  throw new Error('no command is run here')
}, {})

/** The formats in a line of a command's help. */
async function formatsIn(words: readonly string[], label: string): Promise<string[]> {
  const { stdout } = await flagadm([...words, '--help'])
  const [, line = ''] = new RegExp(`^${label}: +(.*)$`, 'm').exec(stdout) ?? []
  return line.replace(/ \(default.*?\)/, '').split(', ')
}

it('every command has a command line in this file', () => {
  const commands = leaves(program).filter((command) => command !== 'flagadm help')
  expect(Object.keys(runs).sort()).toEqual(commands.sort())
})

describe.each(Object.entries(runs))('%s', (command, { argv, code = 0 }) => {
  const words = command.split(' ').slice(1)

  test('accepts with -o exactly the formats that its help lists', async () => {
    const listed = await formatsIn(words, 'Output formats')
    expect(candidates).toEqual(expect.arrayContaining(listed))
    for (const format of candidates) {
      const isListed = listed.includes(format)
      const { code: exit, stderr } = await flagadm([...words, ...argv, '-o', format, '-q'], {
        files: {
          'home/.config/flagadm/config.json': profiles,
          'work/flags.yaml': 'projects: {default: {mode: open}}\n',
        },
        ...(code === 130 && isListed && { signal: AbortSignal.abort() }),
      })
      expect([format, exit]).toEqual([format, isListed ? code : 2])
      if (isListed) continue
      expect(stderr).toContain(`this command has no output format '${format}'`)
      expect(stderr).toContain(`choose one of ${listed.join(', ')}`)
    }
  })
})

describe.each([
  ['--expect', ['--expect', 'used']],
  ['--watch', ['--watch', '--count', '1']],
])('flagadm feature usage %s', (option, argv) => {
  const words = ['feature', 'usage']

  test('accepts with -o exactly the formats that the help lists', async () => {
    const listed = await formatsIn(words, `With ${option}`)
    expect(candidates).toEqual(expect.arrayContaining(listed))
    for (const format of candidates) {
      const own = [...words, 'dark-mode', ...sandbox, ...argv, '-o', format, '-q', '--no-color']
      const { code, stderr } = await flagadm(own, { columns: 80 })
      expect([format, code]).toEqual([format, listed.includes(format) ? 0 : 2])
      if (listed.includes(format)) continue
      expect(stderr).toContain(`${format} cannot be combined with ${option} (use ${listed[0]}`)
    }
  })
})

test('flagadm help environment has text output only', async () => {
  const { code, stderr } = await flagadm(['help', 'environment', '-o', 'json'])
  expect([code, stderr.includes("this command has no output format 'json'")]).toEqual([2, true])
})
