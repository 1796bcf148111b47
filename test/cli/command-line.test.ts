import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { describe, expect, it } from 'vitest'
import { flagadm } from '../support/flagadm.ts'
import { loadCommands } from '../support/program.ts'
import { sandboxOf } from '../support/sandbox.ts'
import { ending, words } from '../support/text.ts'

const { all } = await loadCommands()
const wordsAfter = (path: string) => path.split(' ').slice(1)

/** The options of a command that take a value. */
const valued = ({ options }: CommandUnknownOpts) => options.filter(({ required }) => required)

/** The names of the options of a command. */
const namesOf = ({ options }: CommandUnknownOpts) =>
  options.flatMap(({ long, short }: Option) => [long, short]).filter((name) => name !== undefined)

const unset = 'a variable in the command line may be unset'

/** How to remove what `project settings set` stores, instead of an empty text. */
const removing: Record<string, string> = {
  '--pattern': '--clear-naming',
  '--example': '--clear-example',
  '--description': '--clear-description',
}

const commands = all.filter(({ command }) => valued(command).length > 0)

const swallowing = (option: string, value: string, what: string) =>
  `2 error: ${option} needs a value, and ${value} ${what} an option\n` +
  (what === 'is'
    ? `hint: write a value after ${option}\n`
    : `hint: write ${option}=${value} if you mean that text\n`)

describe.each(commands)('every option of $path that takes a value', ({ command, path }) => {
  const options = valued(command).map(({ long }) => `${long}`)
  const names = namesOf(command)

  it('refuses an option of the command as its value', async () => {
    for (const [index, option] of options.entries()) {
      // Each option once as the value of another one.
      const values = names.filter((_, at) => at % options.length === index)
      for (const value of values) {
        const outcome = await flagadm([...wordsAfter(path), option, value])
        expect(ending(outcome)).toBe(swallowing(option, value, 'is'))
      }
    }
  })

  it('refuses what looks like an option', async () => {
    for (const option of options) {
      const outcome = await flagadm([...wordsAfter(path), option, '--no-such'])
      expect(ending(outcome)).toBe(swallowing(option, '--no-such', 'looks like'))
    }
  })

  it('refuses an empty value', async () => {
    for (const option of options) {
      const outcome = ending(await flagadm([...wordsAfter(path), option, '']))
      const other = path === 'flagadm project settings set' ? removing[option] : undefined
      const hint = other ? `to remove what is stored: ${other}; otherwise, ${unset}` : unset
      expect(outcome).toBe(`2 error: ${option}: the value is empty\nhint: ${hint}\n`)
    }
  })
})

describe('an option as a value', () => {
  it.each([
    ['before the command', '-p --limit project list', '--profile', '--limit'],
    ['of a global option, from a later command', '-p -f project settings plan', '--profile', '-f'],
    ['with a value of its own', 'project list --sort --limit 3', '--sort', '--limit'],
    ['that is global', 'project settings set p --description -q', '--description', '-q'],
    ['that is global and has a value', 'project list --sort -p sandbox', '--sort', '-p'],
    ['after letters of other options', 'project list -qp --limit', '--profile', '--limit'],
    ['that prints the help', 'project list --sort --help', '--sort', '--help'],
    [
      'with its value attached',
      'project settings set p --description -otext --dry-run',
      '--description',
      '-otext',
    ],
    [
      'combined with another one',
      'project settings set p --pattern -vq --no-verify --yes',
      '--pattern',
      '-vq',
    ],
    [
      'combined with one of the command',
      'project settings set p --description -yq --dry-run',
      '--description',
      '-yq',
    ],
  ])('is refused %s', async (_what, line, option, value) => {
    expect(ending(await flagadm(words(line)))).toBe(swallowing(option, value, 'is'))
  })

  it('is refused without its own value, which may be an API key', async () => {
    const { code, stderr } = await flagadm(['project', 'list', '--sort', '--api-key=canary'])
    expect([code, stderr]).toEqual([
      2,
      'error: --sort needs a value, and --api-key=… looks like an option\n' +
        'hint: write --sort=--api-key=… if you mean that text\n',
    ])
  })

  it('is refused after = as well if nothing follows', async () => {
    expect(ending(await flagadm(['project', 'list', '--sort=']))).toBe(
      `2 error: --sort: the value is empty\nhint: ${unset}\n`,
    )
  })

  it('is refused as JSON if the output is JSON', async () => {
    const { stderr } = await flagadm(['--json', 'project', 'list', '--sort', '--limit'])
    expect(JSON.parse(stderr).error).toEqual({
      kind: 'usage',
      exitCode: 2,
      message: '--sort needs a value, and --limit is an option',
      hint: 'write a value after --sort',
    })
  })

  it('is sent to no service', async () => {
    const sandbox = await sandboxOf([{ id: 'checkout', mode: 'open' }])
    const argv = words('project settings set checkout --description --dry-run')
    expect((await flagadm(argv, { env: sandbox.env })).code).toBe(2)
    expect(sandbox.requests()).toEqual([])
  })
})

describe('a value that begins with - is a value', () => {
  const set = [
    'project',
    'settings',
    'set',
    'p',
    '--dry-run',
    '--no-read',
    '--json',
    '-p',
    'sandbox',
  ]

  it.each([
    ['after =', ['--description=--dry-run'], { description: '--dry-run' }],
    ['unless it is an option', ['--pattern', '-foo-[a-z]+'], { pattern: '-foo-[a-z]+' }],
    ['of a single character', ['--example', '-', '--no-verify'], { example: '-' }],
  ])('%s', async (_what, argv, featureNaming) => {
    const { code, stdout } = await flagadm([...set, ...argv])
    expect([code, JSON.parse(stdout).settings]).toEqual([0, { featureNaming }])
  })

  it('also if it is a negative number', async () => {
    expect(ending(await flagadm(['project', 'list', '--limit', '-1']))).toBe(
      "2 error: --limit: '-1' is not a whole number from 1 to 999999999\nhint: use a number such as 10\n",
    )
  })

  it('behind --, after which there are no options', async () => {
    const argv = words('naming check --pattern=--?[a-z]+ -o jsonl -- --allow --limit')
    expect(await flagadm(argv)).toMatchObject({ code: 0, stdout: '' })
  })
})
