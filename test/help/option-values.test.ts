import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { describe, expect, test } from 'vitest'
import { isRepeatable, optionType, takesValue } from '../../src/help/options.ts'
import { createProgram } from '../../src/old/commands/program.ts'
import { flagadm } from '../support/flagadm.ts'

function words(command: CommandUnknownOpts): string[] {
  return command.parent ? [...words(command.parent), command.name()] : []
}

function commandsBelow(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.flatMap((one) => [one, ...commandsBelow(one)])
}

const program = createProgram(() => {
  throw new Error('no action runs')
}, {})
const cases = commandsBelow(program).flatMap((command) =>
  command.options.filter(takesValue).map((option) => {
    const value = option.argChoices?.[0] ?? (optionType(option) === 'duration' ? '1h' : '1')
    return { argv: words(command), long: option.long ?? '', value, option }
  }),
)
const single = cases.filter(({ option }) => !isRepeatable(option))

const paths = cases.filter(({ option }) => ['path', 'folder'].includes(optionType(option)))

test.each(paths.map(({ argv, long }) => [argv.join(' '), long] as const))(
  'an empty path is refused: %s %s',
  async (path, long) => {
    const { code, stdout, stderr } = await flagadm([...path.split(' '), long, ''])
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `error: ${long} is empty\nhint: give a path; a variable in it may be unset\n`,
    ])
  },
)

describe('an option given twice', () => {
  test.each(single.map(({ argv, long, value }) => [argv.join(' '), long, value] as const))(
    'is refused: %s %s',
    async (path, long, value) => {
      const argv = [...path.split(' '), `${long}=${value}`, '--quiet', `${long}=${value}`]
      const { code, stdout, stderr } = await flagadm(argv)
      expect([code, stdout, stderr]).toEqual([
        2,
        '',
        `error: ${long} was given more than once\nhint: leave out one of them; see flagadm ${path} --help\n`,
      ])
    },
  )

  test('is refused in JSON', async () => {
    const argv = ['feature', 'list', '--sort', 'name', '--sort', 'type', '--json']
    const { code, stderr } = await flagadm(argv)
    expect([code, JSON.parse(stderr).error]).toEqual([
      2,
      {
        kind: 'usage',
        exitCode: 2,
        message: '--sort was given more than once',
        hint: 'leave out one of them; see flagadm feature list --help',
      },
    ])
  })

  test('may be one that accumulates', async () => {
    const argv = ['feature', 'list', '-p', 'sandbox', '--project', 'checkout', '-o', 'names']
    const { code, stdout } = await flagadm([...argv, '--name', 'checkout-n*', '--name', 'dark*'])
    expect([code, stdout]).toEqual([0, 'checkout-new-basket\n'])
  })

  test('may be a global one; the last one wins', async () => {
    const argv = ['-p', 'nothing', '-o', 'table', 'project', 'list', '-p', 'sandbox', '-o', 'names']
    const { code, stdout } = await flagadm([...argv, '--timeout', '1', '--timeout', '20'])
    expect([code, stdout.split('\n').slice(0, 1)]).toEqual([0, ['checkout']])
  })

  test('may be one without a value', async () => {
    const argv = ['profile', 'remove', 'a', '--yes', '--yes', '-qq']
    const files = {
      'home/.config/flagadm/config.yaml': 'profiles: { a: { baseUrl: "https://a" } }',
    }
    expect((await flagadm(argv, { files })).code).toBe(0)
  })
})
