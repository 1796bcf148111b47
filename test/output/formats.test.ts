import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { describe, expect, it, test } from 'vitest'
import { pathOf } from '../../src/help/options.ts'
import { formats } from '../../src/old/output/formats.ts'
import { createProgram } from '../../src/old/commands/program.ts'
import { flagadm } from '../support/flagadm.ts'
import { runs } from '../support/operations.ts'

const candidates = [...new Set(Object.values(formats).flatMap((choice) => choice.formats)), 'xml']

const profiles = '{"profiles":{"staging":{"baseUrl":"https://a.test"}}}'

function leaves(command: CommandUnknownOpts): string[] {
  const below = command.createHelp().visibleCommands(command)
  return below.length === 0 ? [pathOf(command)] : below.flatMap(leaves)
}

const program = createProgram(() => {
  throw new Error('no command is run here')
}, {})

/** The formats in a line of a command's help. */
async function formatsIn(words: readonly string[], label: string): Promise<string[]> {
  const { stdout } = await flagadm([...words, '--help'], { columns: 200 })
  const [, line = ''] = new RegExp(`^${label}: +(.*)$`, 'm').exec(stdout) ?? []
  return line.replace(/ \(default.*?\)/, '').split(', ')
}

it('every command has a command line in test/support/operations.ts', () => {
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
      const own = [
        ...words,
        'dark-mode',
        '-p',
        'sandbox',
        ...argv,
        '-o',
        format,
        '-q',
        '--no-color',
      ]
      const { code, stderr } = await flagadm(own, { columns: 80 })
      expect([format, code]).toEqual([format, listed.includes(format) ? 0 : 2])
      if (listed.includes(format)) continue
      expect(stderr).toContain(`${format} output cannot be combined with ${option}`)
      expect(stderr).toContain(`choose one of ${listed[0]}`)
    }
  })
})

test('flagadm help environment has text output only', async () => {
  const { code, stderr } = await flagadm(['help', 'environment', '-o', 'json'])
  expect([code, stderr.includes("this command has no output format 'json'")]).toEqual([2, true])
})
