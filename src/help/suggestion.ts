import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { closest } from '../input/spelling.ts'
import { tokenKind } from '../service/token.ts'
import { CHANGES } from './documentation.ts'
import { maxArguments, pathOf } from './options.ts'
import { type CursorPosition, positionAfter } from './position.ts'

/** Our commands, by the group where they are typed, and the words of other tools for them. */
const synonyms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  flagadm: {
    feature: ['flag', 'flags', 'features', 'toggle'],
    'profile add': ['login', 'auth', 'init'],
    'project list': ['projects'],
    'naming lint': ['lint'],
    'naming check': ['validate'],
  },
  'flagadm project': {
    'settings get': ['get', 'show'],
    'settings set': ['set', 'update'],
    'settings plan': ['plan'],
    'settings apply': ['apply'],
    'settings export': ['export'],
  },
  'flagadm project settings': { get: ['show'], set: ['update'], plan: ['diff'] },
  'flagadm feature': { usage: ['get', 'show', 'status', 'metrics'], references: ['find'] },
  'flagadm naming': { check: ['validate', 'test'] },
  'flagadm profile': { show: ['get'], use: ['switch'], add: ['create'], remove: ['delete', 'rm'] },
}

/** The options to use instead of an argument that a command does not take, by its position among those. */
const optionsFor: Readonly<Record<string, (word: string, index: number) => readonly string[]>> = {
  'flagadm feature list': (word) =>
    word.includes('*') ? ['--all-projects', '--name', word] : ['--project', word],
  'flagadm naming diff': (word, index) => [index === 0 ? '--from' : '--to', word],
  'flagadm naming lint': (word) => [/\.(ya?ml|json)$/.test(word) ? '--rule' : '--pattern', word],
  'flagadm project settings plan': (word) => ['-f', word],
  'flagadm project settings apply': (word) => ['-f', word],
  'flagadm project settings set': (word) => {
    const [, field, value = ''] = /^(mode|pattern|example|description)=(.*)$/s.exec(word) ?? []
    return field === undefined ? [word] : [field === 'mode' ? '--mode' : `--naming-${field}`, value]
  },
}

/** The words to add to a command that lacks something required. */
function additions({ command, given, operands }: CursorPosition): string[] {
  const has = (...names: string[]) => operands.length > 0 || names.some((name) => given.has(name))
  switch (pathOf(command)) {
    case 'flagadm feature list':
      return has('project', 'allProjects', 'unknown') ? [] : ['--all-projects']
    case 'flagadm feature usage':
      return has('project', 'allProjects', 'namesFrom', 'scan') ? [] : ['--all-projects']
    case 'flagadm project settings get':
      return has('all') ? [] : ['--all']
    case 'flagadm project settings export':
      return given.has('dir') ? [] : ['--dir', 'flags', ...(has('all') ? [] : ['--all'])]
    default:
      return []
  }
}

/**
 * The words of the command that was probably meant with an unknown word; undefined without a good guess.
 * Only a synonym or a part of a path leads to a command that changes something, because a misspelt word
 * may be meant to read.
 */
export function meantCommand(
  group: CommandUnknownOpts,
  word: string,
  topics: readonly string[] = [],
): string[] | undefined {
  const commands = Object.entries(synonyms[pathOf(group)] ?? {})
  const synonym = commands.find(([, words]) => words.includes(word))
  if (synonym) return synonym[0].split(' ')
  const names = group
    .createHelp()
    .visibleCommands(group)
    .filter((command) => command.helpGroup() !== CHANGES)
    .map((command) => command.name())
  const similar = closest(word, [...names, ...topics])
  return similar === undefined ? undefined : [similar]
}

/** Whether the words form a command that can be run. */
function isValid({ command, operands, isKnown, pending }: CursorPosition): boolean {
  const least = command.registeredArguments.filter(({ required }) => required).length
  const isComplete = operands.length >= least && operands.length <= maxArguments(command)
  return isKnown && isComplete && !pending && command.commands.length === 0
}

/**
 * The command line that was probably meant with an invalid one: with another command, with options for
 * arguments that the command does not take, or with what it lacks.
 * @returns undefined without a guess that can be run as it is
 */
export function meantLine(
  program: CommandUnknownOpts,
  argv: readonly string[],
): string[] | undefined {
  // A hint must not repeat an API key given by mistake.
  if (argv.some((word) => tokenKind(word))) return undefined
  const words = [...argv]
  for (;;) {
    const { command, operands, places } = positionAfter(program, words)
    const [word] = operands
    const [place] = places
    if (command.commands.length === 0 || word === undefined || place === undefined) break
    const meant = meantCommand(command, word)
    if (!meant) return undefined
    words.splice(place, 1, ...meant)
  }
  const { command, places } = positionAfter(program, words)
  const excess = places.slice(maxArguments(command))
  const optionFor = optionsFor[pathOf(command)]
  // From the end, so that the places of the others stay as they are.
  for (const [index, place] of [...excess.entries()].reverse()) {
    const word = words[place] ?? ''
    words.splice(place, 1, ...(optionFor?.(word, index) ?? [word]))
  }
  words.push(...additions(positionAfter(program, words)))
  const isChanged = words.join('\0') !== argv.join('\0')
  return isChanged && isValid(positionAfter(program, words)) ? words : undefined
}
