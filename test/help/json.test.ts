import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { pathOf } from '../../src/help/options.ts'
import { exitCodes } from '../../src/errors.ts'
import { createProgram } from '../../src/old/commands/program.ts'
import schema from '../../schemas/help.schema.json' with { type: 'json' }
import { flagadm } from '../support/flagadm.ts'

const program: CommandUnknownOpts = createProgram(() => {
  throw new Error('no command is run here')
}, {})

function visible(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.createHelp().visibleCommands(command).flatMap(visible)]
}

const commands = visible(program).map(pathOf)
const matches = new Ajv().compile(schema)

async function helpOf(path: string) {
  const words = path.split(' ').slice(1)
  const { code, stdout, stderr } = await flagadm(['help', '--json', ...words])
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

describe.each(commands)('help --json of %s', (path) => {
  it('matches its schema', async () => {
    const help = await helpOf(path)
    expect(matches(help), JSON.stringify(matches.errors)).toBe(true)
    expect([help.path, help.exitCodes.length]).toEqual([path, Object.keys(exitCodes).length])
  })
})

it('lists every command at the root', async () => {
  const help = await helpOf('flagadm')
  expect(help.commands.map((command: { path: string }) => command.path)).toEqual(commands.slice(1))
  expect(help.commands.every((command: { summary: string }) => command.summary)).toBe(true)
})

it('describes a command', async () => {
  const { globalOptions, exitCodes: codes, ...help } = await helpOf('flagadm naming diff')
  const text = { required: false, repeatable: false }
  const path = { ...text, type: 'path' }
  expect(help).toEqual({
    path: 'flagadm naming diff',
    summary: 'Show what changes when one naming rule replaces another',
    version: manifest.version,
    usage: 'flagadm naming diff [options]',
    arguments: [],
    options: [
      {
        ...path,
        name: '--from',
        group: 'Rules',
        placeholder: 'rule',
        description: "old rule: a rule file, or 'pattern:<regex>'",
      },
      {
        ...path,
        name: '--to',
        group: 'Rules',
        placeholder: 'rule',
        description: "new rule: a rule file, or 'pattern:<regex>'",
        required: true,
      },
      {
        ...text,
        type: 'text',
        name: '--project',
        group: 'Rules',
        placeholder: 'id',
        description:
          "old rule and existing names of this project, unless others are given; '*': any text",
        repeatable: true,
      },
      {
        ...text,
        type: 'boolean',
        name: '--all-projects',
        group: 'Rules',
        description: 'old rules and existing names of all projects that the service lists',
      },
      {
        ...path,
        name: '--names-from',
        group: 'Names',
        placeholder: 'path',
        description: "existing names, one per line ('-': standard input)",
      },
      {
        ...path,
        name: '--scan',
        group: 'Source code',
        placeholder: 'glob',
        description: 'existing names in source code',
        repeatable: true,
      },
      {
        ...text,
        type: 'text',
        name: '--call',
        group: 'Source code',
        placeholder: 'function',
        description: 'function that takes a flag name; isOn:2 or isOn:key for another argument',
        repeatable: true,
      },
      {
        ...text,
        type: 'text',
        name: '--definitions',
        group: 'Source code',
        placeholder: 'type',
        description: 'enum, class or object whose members are flags',
        repeatable: true,
      },
      {
        ...text,
        type: 'text',
        name: '--match',
        group: 'Source code',
        placeholder: 'regex',
        description: 'custom pattern with a group named flag or constant',
        repeatable: true,
      },
      {
        ...text,
        type: 'boolean',
        name: '--no-wrappers',
        group: 'Source code',
        description: 'do not follow functions that pass on the name of a flag',
      },
      {
        ...text,
        type: 'text',
        name: '--fail-on',
        group: 'Gate',
        placeholder: 'change',
        description: 'exit with 9 if names become rejected or accepted; existing names, if given',
        choices: ['rejected', 'accepted', 'any'],
      },
      {
        ...path,
        name: '--output-file',
        group: 'View',
        placeholder: 'path',
        description: 'replace a file with the output instead of writing to stdout',
      },
      {
        ...text,
        type: 'boolean',
        name: '--help',
        short: '-h',
        description: 'print help',
        group: 'Other',
      },
    ],
    formats: [{ formats: ['text', 'json', 'markdown', 'github'] }],
    notes: [],
    examples: [
      'flagadm naming diff --from old.yaml --to naming.yaml',
      'flagadm naming diff --from pattern:checkout-.+ --to naming.yaml --names-from names.txt',
      'flagadm naming diff --from old.yaml --to naming.yaml --scan src --fail-on rejected -o github',
      'flagadm naming diff --project checkout --to naming.yaml -p sandbox',
      'flagadm naming diff --all-projects --to naming.yaml -p sandbox',
    ],
    commands: [],
  })
  expect(globalOptions).toContainEqual({
    name: '--timeout',
    group: 'Connection',
    description: 'deadline of one request, retries included: 10, 10s, 5m or 2h',
    type: 'duration',
    placeholder: 'duration',
    required: false,
    repeatable: false,
    default: '10s',
    environment: ['FLAGADM_TIMEOUT'],
  })
  expect(codes[9]).toEqual({ code: 9, meaning: exitCodes.checkFailed[1] })
})

it.each([
  [['project', 'help', '--json', 'settings', 'set'], 'flagadm project settings set'],
  [['help', 'naming', '-o', 'json'], 'flagadm naming'],
])('is also what %j prints', async (argv, path) => {
  expect(JSON.parse((await flagadm(argv)).stdout)).toEqual(await helpOf(path))
})

it('refuses an unknown command', async () => {
  const { code, stderr } = await flagadm(['help', '--json', 'namin'])
  expect([code, JSON.parse(stderr)]).toEqual([
    2,
    {
      error: {
        kind: 'usage',
        exitCode: 2,
        message: "unknown command 'namin'",
        hint: 'did you mean flagadm help naming?',
      },
    },
  ])
})
