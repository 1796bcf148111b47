// The errors for command lines that commander rejects, in our words, and with the command that was meant.
import type { CommanderError, CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { OpenContext } from '../command/context.ts'
import { firstExample, helpCommand, pathOf } from '../command/help-text.ts'
import { serviceOptions } from '../command/service-options.ts'
import { failureOf, FlagadmError, type NextStep } from '../errors.ts'
import { closest, lowerFirst } from '../input/spelling.ts'
import { defaultName, readConfiguration } from '../profile/configuration.ts'
import { nameWords } from '../shell.ts'
import { type CommandLine, optionsOf, readCommandLine } from './command-line.ts'

const KEY = 'set FLAGADM_API_KEY or use --api-key-file: every process can read command lines'
const REDIRECT = 'redirect the output: > <file>'

/** Options that people try, and what to use instead. */
const triedOptions: Readonly<Record<string, string>> = {
  '--access-token': KEY,
  '--actor': 'use --author',
  '--api-key': KEY,
  '--all': 'use --all-projects',
  '--all-namespaces': 'use --all-projects',
  '--auto-approve': 'use --yes',
  '--context': 'use --profile',
  '--days': 'use --since',
  '--debug': 'use --verbose',
  '--dir': 'use --scan',
  '--env': 'use --environment',
  '--filter': 'use --name',
  '--flag': 'give the names of flags without an option',
  '--format': 'use --output',
  '--from-file': 'use --file',
  '--insecure': 'name the certificate with caFile in the profile, or NODE_EXTRA_CA_CERTS',
  '--last': 'use --since',
  '--method': 'flagadm api sends only GET',
  '--namespace': 'use --project',
  '--naming-description': 'use --description',
  '--naming-description-file': 'use --description-file',
  '--naming-example': 'use --example',
  '--naming-pattern': 'use --pattern',
  '--out': REDIRECT,
  '--output-file': REDIRECT,
  '--path': 'use --scan',
  '--query': 'use --name',
  '--regex': 'use --pattern',
  '--search': 'use --name',
  '--state': 'use --on or --off',
  '--status': 'use --verdict',
  '--token': KEY,
  '--url': 'use --base-url',
  '--user': 'use --author',
  '--verdict': 'let feature review select: its -o names is for --names-from -',
  '-A': 'use --all-projects',
  '-L': 'use --limit',
  '-X': 'flagadm api sends only GET',
  '-auto-approve': 'use --yes',
  '-f': 'use --names-from',
  '-n': 'use --project',
}

/** What is used instead of a command that people try: other words, or a sentence. */
type Instead = { words: string; option?: string | undefined } | { hint: string }

const SWITCH: Instead = { hint: 'use feature off or feature on' }
const RESTORE: Instead = {
  hint: 'use feature on or off to switch a flag back, feature revive for an archived one; feature history shows what was',
}
const EDIT: Instead = {
  hint: 'flagadm switches flags (feature on, feature off); change anything else in the admin interface of the service',
}
const SEARCH: Instead = { hint: 'use feature references, with --scan <path>' }
const LIST_OF_FLAG = 'feature list --all-projects'

/** Commands, and what other tools call them: the words after `flagadm`, or the last word alone. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  api: ['curl'],
  feature: ['features', 'flag', 'flags'],
  'feature archive': ['archive', 'feature delete', 'feature remove', 'feature rm'],
  'feature history': [
    'audit-log',
    'events',
    'feature blame',
    'feature changes',
    'feature events',
    'feature log',
    'feature logs',
    'history',
    'logs',
  ],
  'feature list': ['feature ls'],
  'feature off': ['disable', 'feature disable', 'feature toggle-off', 'off'],
  'feature on': ['enable', 'feature enable', 'feature toggle-on', 'on'],
  'feature references': ['references'],
  'feature review': ['review'],
  'feature revive': ['feature unarchive', 'revive'],
  'feature usage': ['usage'],
  'naming check': ['naming test', 'naming validate'],
  'naming diff': ['diff'],
  'naming lint': ['lint'],
  'profile add': ['init', 'login'],
  'profile list': ['profile ls'],
  'profile remove': ['profile delete', 'profile rm'],
  'profile show': ['profile current', 'profile get', 'profile view'],
  'profile use': ['profile set', 'profile switch', 'profile use-context'],
  'project list': ['project ls', 'projects'],
  'project settings': ['settings'],
  'project settings apply': ['apply'],
  'project settings export': ['export'],
  'project settings get': [
    'get',
    'project describe',
    'project get',
    'project settings describe',
    'project settings show',
    'project settings view',
    'project show',
    'project view',
  ],
  'project settings plan': ['plan', 'project settings diff', 'project settings validate'],
  'project settings set': [
    'project edit',
    'project set',
    'project settings edit',
    'project settings update',
    'project update',
    'set',
  ],
  [LIST_OF_FLAG]: [
    'feature describe',
    'feature get',
    'feature search',
    'feature show',
    'feature status',
    'feature view',
  ],
}

/** Commands that people try, for which there is none, or more than one. */
const sentences: Readonly<Record<string, Instead>> = {
  auth: { hint: 'use profile add, or doctor for the connection' },
  check: { hint: 'use naming check for names, or profile check for the connection' },
  config: { hint: 'use profile add, list, show or use' },
  create: { hint: 'flagadm does not create flags or projects' },
  environment: { hint: 'use flagadm api environments' },
  'feature edit': EDIT,
  'feature find': SEARCH,
  'feature grep': SEARCH,
  'feature restore': RESTORE,
  'feature revert': RESTORE,
  'feature rollback': RESTORE,
  'feature set': EDIT,
  'feature switch': SWITCH,
  'feature toggle': SWITCH,
  'feature undo': RESTORE,
  'feature update': EDIT,
  find: SEARCH,
  grep: SEARCH,
  list: { hint: 'use feature list or project list' },
  logout: { hint: 'use profile remove' },
  'profile rename': { hint: 'use profile add for the new name, then profile remove' },
  restore: RESTORE,
  revert: RESTORE,
  rollback: RESTORE,
  rollout: RESTORE,
  scan: SEARCH,
  segment: { hint: 'use flagadm api segments' },
  status: { hint: 'use flagadm doctor' },
  toggle: SWITCH,
  undo: RESTORE,
  version: { hint: 'use flagadm --version' },
  whoami: { hint: 'use flagadm doctor' },
}

/**
 * What is used instead of commands that people try. Arguments of `feature get` become values of `--name`.
 * @internal A test finds each of the commands that they lead to.
 */
export const triedCommands: Readonly<Record<string, Instead>> = {
  ...sentences,
  ...Object.fromEntries(
    Object.entries(otherNames).flatMap(([words, names]) => {
      const option = words === LIST_OF_FLAG ? '--name' : undefined
      return names.map((name) => [name, { words, option }])
    }),
  ),
}

/** What a command is about, as people type it after a verb: `get flags`. */
const nouns: Readonly<Record<string, string>> = {
  feature: 'feature',
  features: 'feature',
  flag: 'feature',
  flags: 'feature',
  profile: 'profile',
  profiles: 'profile',
  project: 'project',
  projects: 'project',
}

// An API key that is given by mistake has a colon.
const SAFE_ARGUMENT = /^[\w~.][\w~.*/-]*$/
const SAFE_PATTERN = /^[^\s:]+$/

/** Whether a text is an address without credentials. */
function isAddress(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false
  const { username, password, search, hash } = new URL(text)
  return username + password + search + hash === ''
}

/** Whether a run is for another service than the sandbox. */
async function isForService(context: OpenContext): Promise<boolean> {
  const { options, host } = context
  const profile = options.profile ?? host.env.FLAGADM_PROFILE
  if (profile) return profile !== 'sandbox'
  if (options.baseUrl ?? host.env.FLAGADM_BASE_URL) return true
  // A configuration that cannot be read is not what the error is about.
  const configurations = await readConfiguration(context).catch(failureOf)
  return !(configurations instanceof FlagadmError) && defaultName(configurations) !== undefined
}

/** Whether a name is that of a profile, as far as is known. */
async function isProfile(name: string, context: OpenContext): Promise<boolean> {
  const configurations = await readConfiguration(context).catch(failureOf)
  if (configurations instanceof FlagadmError) return true
  return name === 'sandbox' || configurations.profiles.has(name)
}

/** An option with its value, in its short form as hints have it. */
const wordsOfOption = ({ option, value }: { option: Option; value: string }) => [
  option.short ?? option.long ?? '',
  value,
]

/** The first example of a command, for the service of the run. */
async function exampleFor(
  command: CommandUnknownOpts,
  context: OpenContext,
): Promise<readonly string[] | undefined> {
  const example = firstExample(command)
  const at = example?.indexOf('-p') ?? -1
  if (at < 0 || !(await isForService(context))) return example
  return example?.toSpliced(at, 2, ...serviceOptions(context))
}

/** The first example of a command, with the given names and options in place of its own, as far as the line has them. */
async function completed(
  { command, operands, values }: CommandLine,
  context: OpenContext,
): Promise<readonly string[] | undefined> {
  const example = await exampleFor(command, context)
  const isTaken = command.registeredArguments.length > 0
  const names = operands.filter((operand) => SAFE_ARGUMENT.test(operand))
  if (!example || !isTaken || names.length === 0) return example
  const { values: sample } = await readCommandLine(example.slice(1), context.program)
  const isGiven = (one: Option) => values.some(({ option }) => option === one)
  const missing = sample.filter(({ option }) => option.mandatory && !isGiven(option))
  const isMissing = (name: string) => missing.some(({ value }) => value === name)
  const options = [...values, ...missing].flatMap(wordsOfOption)
  return [
    ...pathOf(command).split(' '),
    ...options,
    ...nameWords(names.filter((name) => !isMissing(name))),
  ]
}

/** The commands that need neither arguments nor options. */
const alone = new Set(['flagadm profile add', 'flagadm profile show', 'flagadm project list'])

/**
 * Other words for the command of a command line, with its arguments and options as far as that command has them; an example
 * of the command if it needs more, or less.
 * @param option takes the arguments
 */
async function rewritten(
  words: readonly string[],
  others: readonly string[],
  context: OpenContext,
  option?: string,
): Promise<NextStep> {
  const line = await readCommandLine([...words, ...others], context.program)
  const { command, values, switches } = line
  const path = pathOf(command)
  if (command.commands.length > 0) {
    const [word = ''] = line.operands
    const instead = triedCommands[[...words, word].join(' ')] ?? sentences[word]
    if (!instead) return { hint: 'see', command: helpCommand(command) }
    if ('hint' in instead) return instead
    const rest = withoutWords(others, [word])
    return rewritten(instead.words.split(' '), rest, context, instead.option)
  }
  const operands = line.operands.filter((operand) => SAFE_ARGUMENT.test(operand))
  const isGiven = (one: Option) => values.some((given) => given.option === one)
  const lacks = command.options.some((one) => one.mandatory && !isGiven(one))
  const hasOptions = command.options.some(
    (one) => isGiven(one) || switches.includes(one.long ?? ''),
  )
  const isBare = operands.length === 0 && !hasOptions
  const { registeredArguments: taken } = command
  const isTooMuch = !taken.some(({ variadic }) => variadic) && operands.length > taken.length
  if (lacks) return { hint: `use ${path}, for example:`, command: await completed(line, context) }
  if ((isTooMuch && !option) || (isBare && !alone.has(path))) {
    return { hint: `use ${path}, for example:`, command: await exampleFor(command, context) }
  }
  const formats = context.formatsOf(command)
  const options = values
    .filter(({ option, value }) => option.long !== '--output' || formats.includes(value))
    .flatMap(wordsOfOption)
  const operandWords = option
    ? operands.flatMap((operand) => [option, operand])
    : nameWords(operands)
  const isOfProject = values.some(({ option: { long } }) => long === '--project')
  const shown = isOfProject ? switches.filter((word) => word !== '--all-projects') : switches
  return {
    hint: 'use',
    command: [...path.split(' '), ...new Set(shown), ...options, ...operandWords],
  }
}

/** The words of a command line without those of its command. */
function withoutWords(argv: readonly string[], words: readonly string[]): readonly string[] {
  const wordsLeft = [...words]
  return argv.filter((word) => {
    if (word !== wordsLeft[0]) return true
    wordsLeft.shift()
    return false
  })
}

/** What to use instead of a command that does not exist; undefined if nothing is known. @param suggestion commander's own */
async function insteadOf(
  word: string,
  suggestion: string | undefined,
  context: OpenContext,
): Promise<NextStep | undefined> {
  const { argv, program } = context
  const path = pathOf(program.current()).split(' ').slice(1)
  const next = argv[argv.indexOf(word) + 1] ?? ''
  const noun = path.length === 0 ? nouns[next] : undefined
  if (noun !== undefined) {
    const others = withoutWords(argv, [word, next])
    return rewritten([noun], [word, ...others], context)
  }
  const tried = Object.keys(triedCommands)
  const inGroup = [...path, word].join(' ')
  const exact = [inGroup, word].find((one) => tried.includes(one))
  const meant = suggestion === undefined ? closest(word, tried) : undefined
  const instead = triedCommands[exact ?? meant ?? '']
  if (!instead || 'hint' in instead) return instead
  const others = withoutWords(argv, [...path, word])
  return rewritten(instead.words.split(' '), others, context, instead.option)
}

/** The command line with an argument that the command does not take as the value of an option; undefined without one. */
async function withOption(
  command: CommandUnknownOpts,
  context: OpenContext,
): Promise<NextStep | undefined> {
  const { argv } = context
  const path = pathOf(command).split(' ').slice(1)
  const excess = command.args.slice(command.registeredArguments.length)
  const has = (name: string) => command.options.some(({ long }) => long === name)
  const isPattern = (argument: string) =>
    has('--pattern') && /[*+?|[(\\^$]/.test(argument) && SAFE_PATTERN.test(argument)
  const isSafe = (argument: string) =>
    SAFE_ARGUMENT.test(argument) || isAddress(argument) || isPattern(argument)
  if (!excess.every(isSafe)) return undefined
  const address = command.args.find(isAddress)
  if (address !== undefined) {
    const words = withoutWords(argv, [...path, address])
    return rewritten([...path, '--base-url', address], words, context)
  }
  const others = withoutWords(argv, [...path, ...excess])
  const [first = '', second] = excess
  if (has('--from') && second !== undefined) {
    const rules = isPattern(first)
      ? ['--from-pattern', first, '--pattern', second]
      : ['--from', first, '--rule', second]
    return rewritten([...path, ...rules], others, context)
  }
  const { project, allProjects } = command.opts()
  const hasProject = project !== undefined || allProjects !== undefined
  if (has('--name') && (hasProject || first.includes('-'))) {
    const all = hasProject ? [] : ['--all-projects']
    const names = excess.flatMap((name) => ['--name', name])
    return rewritten([...path, ...all, ...names], others, context)
  }
  const isFile = /[/.]/.test(first)
  const fileOption = isFile ? ['--rule', '--file'].find(has) : undefined
  const isPlan = has('--plan') && /plan[^/]*\.json$/.test(first)
  const valueOption = isPlan ? '--plan' : (fileOption ?? '--project')
  const option = isPattern(first) ? '--pattern' : valueOption
  if (!has(option)) return undefined
  const values = excess.flatMap((argument) => [option, argument])
  return rewritten([...path, ...values], others, context)
}

/** The error for arguments that a command does not take. */
async function excessError(context: OpenContext): Promise<FlagadmError> {
  const command = context.program.current()
  const excess = command.args[command.registeredArguments.length] ?? ''
  if (context.argv.some((word, index) => word === '--json' && context.argv[index + 1] === excess)) {
    return new FlagadmError('usage', '--json takes no value', { hint: 'it prints all fields' })
  }
  const next = await withOption(command, context)
  // Without the argument if it may be an API key: of profile add, for example.
  const what = next ? `unexpected argument '${excess}'` : 'too many arguments'
  return new FlagadmError('usage', what, next ?? { hint: 'see', command: helpCommand(command) })
}

const EXCESS_ARGUMENTS = 'commander.excessArguments'

/** Commander's codes for what a command line lacks, where an example helps. */
const lacking = new Set(['commander.missingArgument', 'commander.missingMandatoryOptionValue'])

// The second line of a message of commander.
const SUGGESTION = /\n\((Did you mean .*\?)\)$/s

/** A message of commander in our words. */
function problemIn(message: string): string {
  return (
    message
      .replace(SUGGESTION, '')
      .replace(/^error: /, '')
      .replace(/\.$/, '')
      // Drop the value of an unknown option: it may be an API key.
      .replace(/^(unknown option '[^=']*)=.*/s, "$1'")
      .replace(/(?<!unknown )option '(?:-\w, )?(--[\w-]+)[^']*'/g, '$1')
      .replace(/^required (--\S+) not specified$/, '$1 is required')
      .replace(/^missing required argument '(.*)'$/, '<$1> is required')
      .replace(/^(--\S+) argument missing$/, '$1 needs a value')
  )
}

/** The error for a command line that lacks something: because of another mistake in it, or with an example. */
async function lackError(what: string, context: OpenContext): Promise<FlagadmError | undefined> {
  const line = await readCommandLine(context.argv, context.program)
  const { command, unknown } = line
  if (unknown !== undefined) {
    const options = optionsOf(command).map(({ long }) => long ?? '')
    const meant = closest(unknown, options)
    const suggestion = meant === undefined ? undefined : `did you mean ${meant}?`
    return unknownError(`unknown option '${unknown}'`, suggestion, context)
  }
  const { registeredArguments: taken } = command
  const isExcess = command.args.length > taken.length && !taken.some(({ variadic }) => variadic)
  if (isExcess && (await withOption(command, context))) return excessError(context)
  const names = line.operands.filter((operand) => SAFE_ARGUMENT.test(operand))
  const { profile } = context.options
  if (
    what === '--project is required' &&
    profile !== undefined &&
    !(await isProfile(profile, context))
  ) {
    return new FlagadmError('usage', what, { hint: `use --project ${profile}: -p is --profile` })
  }
  if (what === '--project is required' && names.length > 0) {
    const review = ['flagadm', 'feature', 'review', ...serviceOptions(context), ...names]
    const hint = 'add --project <id>; to see the project of a flag:'
    return new FlagadmError('usage', what, { hint, command: review })
  }
  const example = await completed(line, context)
  if (!example) return undefined
  return new FlagadmError('usage', what, { hint: 'for example:', command: example })
}

/** The command line with the value of `--project` as an argument; undefined if the command takes no project. */
async function withProject(
  command: CommandUnknownOpts,
  context: OpenContext,
): Promise<NextStep | undefined> {
  if (!command.registeredArguments.some((one) => one.name() === 'project-id')) return undefined
  const path = pathOf(command).split(' ').slice(1)
  const words = context.argv.flatMap((word) => {
    return word === '--project' ? [] : word.replace(/^--project=/, '')
  })
  return rewritten(path, withoutWords(words, path), context)
}

/** The error for a command line that commander rejects. */
export async function usageError(
  { code, message }: CommanderError,
  context: OpenContext,
): Promise<FlagadmError> {
  if (code === EXCESS_ARGUMENTS) return excessError(context)
  const what = problemIn(message)
  if (code === 'commander.conflictingOption') {
    return new FlagadmError('usage', what, { hint: 'leave out one of them' })
  }
  const error = lacking.has(code) ? await lackError(what, context) : undefined
  return error ?? unknownError(what, SUGGESTION.exec(message)?.[1], context)
}

/** The error for an unknown option or command. @param suggestion commander's own */
async function unknownError(
  what: string,
  suggestion: string | undefined,
  context: OpenContext,
): Promise<FlagadmError> {
  const command = context.program.current()
  const [, kind, word = ''] = /^unknown (option|command) '([^']*)'/.exec(what) ?? []
  if (optionsOf(command).some(({ long }) => long === word)) {
    return new FlagadmError('usage', `${word} takes no value`, { hint: `use ${word}` })
  }
  // An option that the command lacks as well is no help.
  const own = optionsOf(command).map(({ long }) => long)
  const options = Object.keys(triedOptions).filter((tried) => {
    const [, instead] = /^use (--\S+)/.exec(triedOptions[tried] ?? '') ?? []
    return instead === undefined || own.includes(instead)
  })
  const option = options.includes(word) ? word : closest(word, options)
  const steps = [
    word === '--project' ? await withProject(command, context) : undefined,
    word === '--all-projects' && own.includes('--project')
      ? { hint: 'use --project <id>, in a run for each project' }
      : undefined,
    options.includes(word) ? { hint: triedOptions[word] } : undefined,
    kind === 'command' ? await insteadOf(word, suggestion, context) : undefined,
    suggestion === undefined ? undefined : { hint: lowerFirst(suggestion) },
    option === undefined ? undefined : { hint: triedOptions[option] },
    { hint: 'see', command: helpCommand(command) },
  ]
  return new FlagadmError(
    'usage',
    what,
    steps.find((step) => step !== undefined),
  )
}
