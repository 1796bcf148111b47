// The options of a review: what they are, what rests on them, and how they are written in a command.
import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../command/context.ts'
import { collect, spanOption } from '../command/options.ts'
import { timeSpan, type TimeSpan } from '../input/values.ts'
import { serviceOptions } from '../command/service-options.ts'
import type { ProjectOptions } from '../project/selection.ts'
import { LONGEST_DEFAULT } from '../usage/daily-usage.ts'
import type { UsageFilter } from '../flags/selection.ts'
import type { CodeEvidenceOptions } from './code-evidence.ts'

/** How long ago a removable flag was created and last seen, at least, unless an option says otherwise. */
export const NOT_SEEN_FOR = timeSpan('', '30d')

/** Adds the options of usage and age that verdicts rest on. */
export function usageOptions<
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Options, Globals>) {
  const longest = `as far back as the service keeps, at most ${LONGEST_DEFAULT}`
  const since = spanOption('--since <duration>', 'span of usage')
  const notSeenFor = 'removable only if created and last seen longer ago than this'
  const notSeen = spanOption('--not-seen-for <duration>', notSeenFor)
  return command
    .optionsGroup('Evidence:')
    .addOption(since.default(undefined, longest))
    .addOption(notSeen.default(NOT_SEEN_FOR, '30d'))
    .option('--include-permanent', 'review permanent flags like others')
    .option('--accept-silence <project>', 'project whose SDKs may report no usage', collect)
}

/** Adds the options of the code that verdicts rest on. */
export function codeOptions<
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Options, Globals>) {
  return command
    .option('--scan <path>', 'search source code: a file, folder or glob', collect)
    .option('--call <function>', 'function that takes a flag name: isOn, isOn:2, flags.*', collect)
    .option('--match <regex>', 'custom pattern with a group named flag or constant', collect)
    .option(
      '--references-from <file...>',
      'JSON of feature references in other repositories',
      collect,
    )
}

export interface EvidenceOptions extends ProjectOptions, UsageFilter, CodeEvidenceOptions {
  namesFrom?: string | undefined
  /** Without it, as far as the service keeps usage. */
  since?: TimeSpan | undefined
  notSeenFor: TimeSpan
  includePermanent?: boolean | undefined
  /** Projects that are retired or report nothing on purpose; `*` matches any text. */
  acceptSilence?: readonly string[] | undefined
  type?: readonly string[] | undefined
}

/** What a review is about, and which of its flags its JSON has. */
interface SelectingOptions extends EvidenceOptions {
  verdict?: readonly string[] | undefined
  limit?: number | undefined
}

/** The value of an option: that of a switch is true. */
type Value = string | number | true | readonly string[] | undefined

interface OptionFacts {
  flag: string
  /** What it decides: which flags there are, what is known about them, or which of them are shown. */
  about: 'flags' | 'evidence' | 'view'
  option: Exclude<keyof SelectingOptions, 'namesFrom'>
}

// Every option that decides about the rows, by its name in `selection` of the JSON: a review is compared only with one that has the same.
const table: Readonly<Record<string, OptionFacts>> = {
  projects: { flag: '--project', about: 'flags', option: 'project' },
  allProjects: { flag: '--all-projects', about: 'flags', option: 'allProjects' },
  types: { flag: '--type', about: 'flags', option: 'type' },
  removedSince: { flag: '--removed-since', about: 'flags', option: 'removedSince' },
  applications: { flag: '--app', about: 'view', option: 'application' },
  environments: { flag: '--environment', about: 'view', option: 'environment' },
  since: { flag: '--since', about: 'evidence', option: 'since' },
  notSeenFor: { flag: '--not-seen-for', about: 'evidence', option: 'notSeenFor' },
  scan: { flag: '--scan', about: 'evidence', option: 'scan' },
  call: { flag: '--call', about: 'evidence', option: 'call' },
  match: { flag: '--match', about: 'evidence', option: 'match' },
  referencesFrom: { flag: '--references-from', about: 'evidence', option: 'referencesFrom' },
  includePermanent: { flag: '--include-permanent', about: 'evidence', option: 'includePermanent' },
  acceptSilence: { flag: '--accept-silence', about: 'evidence', option: 'acceptSilence' },
  verdicts: { flag: '--verdict', about: 'view', option: 'verdict' },
  limit: { flag: '--limit', about: 'view', option: 'limit' },
}

/** The value of an option; lengths of time as they were given. */
function givenValue({ option }: OptionFacts, options: SelectingOptions): Value {
  const value = options[option]
  return (typeof value === 'object' && 'text' in value ? value.text : value) || undefined
}

/** What a review is about: the options as they were given, of which those that are not given are missing. */
export type ReviewSelection = Record<string, unknown>

const sorted = (value: Value) => (typeof value === 'object' ? [...new Set(value)].sort() : value)

/** What a review is about, for its JSON. @param names those that were given */
export function selectionOf(names: readonly string[], options: SelectingOptions): ReviewSelection {
  const selection: ReviewSelection = {}
  if (names.length > 0) selection.names = sorted(names)
  for (const [name, facts] of Object.entries(table)) {
    selection[name] = sorted(givenValue(facts, options))
  }
  return selection
}

/** How an option is written: `--project`; `names` for the names of flags. @param name its name in a selection */
export function writtenOption(name: string): string {
  return table[name]?.flag ?? name
}

/** The words of a command that reviews or archives flags of this service by the same evidence, without the project and the names. */
export function evidenceCommand(
  command: 'review' | 'archive',
  context: Pick<Context, 'options'>,
  options: EvidenceOptions,
): string[] {
  const words = ['flagadm', 'feature', command, ...serviceOptions(context)]
  for (const facts of Object.values(table)) {
    if (facts.about !== 'evidence') continue
    for (const optionValue of [givenValue(facts, options) ?? []].flat()) {
      words.push(facts.flag)
      if (optionValue !== true) words.push(String(optionValue))
    }
  }
  return words
}
