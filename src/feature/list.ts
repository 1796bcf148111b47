import type { Context, Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import { timeSpan } from '../input/values.ts'
import { matcherOf } from '../input/wildcards.ts'
import { collect, count, sortOption, withExamples } from '../options.ts'
import { counted } from '../output/incomplete.ts'
import { byCodeUnit } from '../output/order.ts'
import type { RowField } from '../output/fields.ts'
import {
  firstRows,
  printRows,
  type RowFormat,
  rowFormats,
  type ViewOptions,
} from '../output/rows.ts'
import { cutText } from '../output/table.ts'
import type { Writer } from '../output/text.ts'
import { connect } from '../profile/connection.ts'
import {
  type ProjectOptions,
  type ProjectResults,
  projectOption,
  readProjects,
  refuseWithoutProjects,
  scopeText,
  singleProject,
  throwFailures,
} from '../project/reading.ts'
import type { Connection } from '../service/connection.ts'
import {
  environmentsOf,
  type Flag,
  type FlagEnvironment,
  type FlagFilter,
  type FlagList,
  lastSeen,
  matchesFlag,
  readFlags,
  refuseUnknownTypes,
  typeOption,
  unknownValues,
} from './flags.ts'
import { ageText, durationText, warnOfClock } from './span.ts'

// A time that cannot be read counts as recent, so that a flag in use is not listed as unused.
const UNKNOWN = Number.POSITIVE_INFINITY

/** When a flag was last seen in any of its environments; the smallest time if it never was. */
function seenAt(flag: Flag): number {
  const { time, isReported } = lastSeen(flag, undefined)
  return time ?? (isReported ? Number.NEGATIVE_INFINITY : UNKNOWN)
}

const createdAt = (flag: Flag) => timeOf(flag.createdAt) ?? UNKNOWN

/** Of equal times, the difference is not a number. */
const byTime = (a: number, b: number) => (a === b ? 0 : a - b)

const orders = {
  name: () => 0,
  type: (a: Flag, b: Flag) => byCodeUnit(a.type ?? '', b.type ?? ''),
  created: (a: Flag, b: Flag) => byTime(createdAt(a), createdAt(b)),
  'last-seen': (a: Flag, b: Flag) => byTime(seenAt(a), seenAt(b)),
}
const sortKeys = ['name', 'type', 'created', 'last-seen'] as const

/** A flag in an environment, as short as possible: `on 5m`, `off 3d`, `on —`. */
function stateText({ enabled, lastSeenAt }: FlagEnvironment, now: number): string {
  const state = enabled === undefined ? '?' : enabled ? 'on' : 'off'
  const time = timeOf(lastSeenAt)
  const seen = lastSeenAt === null ? '—' : time === undefined ? '?' : ageText(now - time)
  return `${state} ${seen}`
}

/** Whether a flag was seen at a time that none of its environments has. */
function isSeenElsewhere(flag: Flag): boolean {
  const { time, environments } = lastSeen(flag, undefined)
  return time !== undefined && environments.length === 0
}

// More environments than a project has; a column for each would take quadratic time.
const MAX_COLUMNS = 20

// Terminals of this width show the names of environments in full.
const WIDE = 100

// The longest state: `off 300d`.
const STATE_WIDTH = 8

/** @param isNarrow whether long names of environments are cut, so that they are not wider than the states */
function fieldsOf(
  flags: readonly Flag[],
  now: number,
  withProjects: boolean,
  isNarrow: boolean,
): RowField<Flag>[] {
  const ageField = (title: string, value: (flag: Flag) => string | null | undefined) => ({
    title,
    value,
    cell: (flag: Flag) => {
      const time = timeOf(value(flag))
      return time === undefined ? '—' : ageText(now - time)
    },
    kind: 'word' as const,
  })
  const environmentField = (name: string): RowField<Flag> => ({
    title: isNarrow ? cutText(name, STATE_WIDTH) : name,
    value: ({ environments }) => {
      const environment = environments.find((one) => one.name === name)
      return environment && stateText(environment, now)
    },
    kind: 'word',
  })
  return [
    { title: 'Flag', value: ({ name }) => name, kind: 'name' },
    ...(withProjects
      ? [{ title: 'Project', value: ({ projectId }: Flag) => projectId, kind: 'name' as const }]
      : []),
    {
      title: 'Type',
      value: ({ type, stale }) => (stale ? `${type ?? ''} (stale)` : type),
      kind: 'word',
    },
    ageField('Age', (flag) => flag.createdAt),
    ...(flags.some(isSeenElsewhere) ? [ageField('Seen', (flag) => flag.lastSeenAt)] : []),
    ...environmentsOf(flags).slice(0, MAX_COLUMNS).map(environmentField),
  ]
}

/** A flag in one of its environments, if it has any. */
interface PlacedFlag extends Flag {
  environment?: FlagEnvironment
}

const csvFields: readonly RowField<PlacedFlag>[] = [
  { name: 'project', value: ({ projectId }) => projectId, kind: 'key' },
  { name: 'name', value: ({ name }) => name, kind: 'key' },
  { name: 'type', value: ({ type }) => type, kind: 'word' },
  { name: 'stale', value: ({ stale }) => stale, kind: 'word' },
  { name: 'createdAt', value: ({ createdAt }) => createdAt, kind: 'time' },
  { name: 'environment', value: ({ environment }) => environment?.name, kind: 'name' },
  { name: 'enabled', value: ({ environment }) => environment?.enabled, kind: 'word' },
  { name: 'lastSeenAt', value: ({ environment }) => environment?.lastSeenAt, kind: 'time' },
]

/** The fields of JSON Lines: a flag with all its environments. */
const objectFields: readonly RowField<Flag>[] = [
  { name: 'project', value: ({ projectId }) => projectId, kind: 'key' },
  { name: 'name', value: ({ name }) => name, kind: 'key' },
  { name: 'type', value: ({ type }) => type, kind: 'word' },
  { name: 'stale', value: ({ stale }) => stale, kind: 'word' },
  { name: 'createdAt', value: ({ createdAt }) => createdAt, kind: 'time' },
  { name: 'environments', value: ({ environments }) => environments, kind: 'word' },
]

export const define: Define = (command, context) => {
  const format = context.formats(command, rowFormats)
  return command
    .description(
      withExamples(
        command.summary(),
        'flagadm feature list --project checkout -p sandbox',
        'flagadm feature list --all-projects --not-seen-for 24h --sort last-seen -p sandbox',
        "flagadm feature list --project checkout --name '*-banner' -o names -p sandbox",
      ),
    )
    .optionsGroup('Projects:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects that the service lists')
    .optionsGroup('Filters:')
    .option('--name <name>', "only this name; '*': any text", collect)
    .addOption(typeOption())
    .option('-e, --environment <name>', "only this environment; '*': any text", collect)
    .option('--stale', 'only flags that are marked as stale')
    .option('--never-seen', "only flags that were not seen in any of their project's environments")
    .option(
      '--not-seen-for <duration>',
      'only flags that no SDK has asked for in this time, including those never seen',
      (text) => timeSpan('--not-seen-for', text),
    )
    .optionsGroup('View:')
    .addOption(sortOption(sortKeys))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n flags', count('--limit'))
    .action(async (options) => {
      refuseWithoutProjects(options)
      const isJson = format() === 'json'
      if (isJson && (filterTexts(options).length > 0 || hasView(options))) {
        throw new FlagadmError('usage', "json is the service's own document", {
          hint: 'use -o jsonl to select, sort or limit flags',
        })
      }
      const connection = await connect(context)
      const projects = await readProjects(context, connection, options, (id, isListed) =>
        readFlags(connection.service, id, isListed),
      )
      const { results, failures, requested } = projects
      if (isJson) printDocuments(context.out, results)
      else if (results.length > 0 || failures.size === 0) {
        show(context, connection, format(), projects, options)
      }
      throwFailures(context, failures, requested, 'projects')
    })
}

interface ListOptions extends ProjectOptions, FlagFilter, ViewOptions {
  environment?: readonly string[] | undefined
  stale?: true | undefined
  neverSeen?: true | undefined
  notSeenFor?: number | undefined
  sort: (typeof sortKeys)[number]
}

function hasView({ sort, reverse, limit }: ListOptions): boolean {
  return sort !== 'name' || reverse !== undefined || limit !== undefined
}

/** The documents of the service; those of several projects on one line each. */
function printDocuments(out: Writer, lists: readonly FlagList[]): void {
  for (const { json } of lists) {
    // JSON has raw line breaks only between tokens.
    out.jsonText(lists.length > 1 ? json.replace(/[\r\n]\s*/g, '') : json)
  }
}

/** The filters in words. */
function filterTexts(options: ListOptions): string[] {
  const { name, type, environment, stale, neverSeen, notSeenFor } = options
  const anyOf = (what: string, values: readonly string[] | undefined) =>
    values ? [`${what} ${values.join(' or ')}`] : []
  return [
    ...anyOf('name', name),
    ...anyOf('type', type),
    ...anyOf('environment', environment),
    ...(stale ? ['stale'] : []),
    ...(neverSeen ? ["not seen in their project's environments"] : []),
    ...(notSeenFor === undefined ? [] : [`not seen for ${durationText(notSeenFor)}`]),
  ]
}

/** The flags that the filters keep, each with the environments that they keep. */
function selected(flags: readonly Flag[], options: ListOptions, now: number): Flag[] {
  const { environment, stale, neverSeen, notSeenFor } = options
  const isWanted = matcherOf(environment)
  return (
    flags
      .filter(matchesFlag(options))
      .filter((flag) => flag.stale || !stale)
      .map((flag) => (environment ? inEnvironments(flag, isWanted) : flag))
      // Without the environment, a flag would appear as never seen.
      .filter((flag) => !environment || flag.environments.length > 0)
      .filter((flag) => !neverSeen || seenAt(flag) === Number.NEGATIVE_INFINITY)
      .filter((flag) => notSeenFor === undefined || seenAt(flag) <= now - notSeenFor)
  )
}

function show(
  context: Context,
  { target, clock }: Connection,
  format: RowFormat,
  { results, incomplete }: ProjectResults<FlagList>,
  options: ListOptions,
): void {
  const { out, messages } = context
  const { type, environment, neverSeen, notSeenFor, sort } = options
  const all = results.flatMap(({ flags }) => flags)
  refuseUnknownTypes(type, all)
  const known = environmentsOf(all)
  const unknown = all.length > 0 ? unknownValues('environment', environment, known) : []
  for (const warning of unknown) messages.warn(warning)
  warnOfClock(context, clock)
  if (neverSeen || notSeenFor !== undefined) refuseWithoutSeen(all)
  const now = clock.now()
  const order = (a: Flag, b: Flag) =>
    orders[sort](a, b) || byCodeUnit(a.name, b.name) || byCodeUnit(a.projectId, b.projectId)
  const { rows, cut } = firstRows(selected(all, options, now), order, options)
  const texts = filterTexts(options)
  const about = texts.length > 0 ? `: ${texts.join(', ')}` : ''
  const report = {
    rows,
    cut,
    incomplete,
    caption: `Flags of ${scopeText(options, results.length)} on ${target}${about}`,
    nothing: texts.length > 0 ? 'No flag matches the filters.' : 'No flags.',
    below: rows.length > 0 ? linesBelow(rows, environmentsOf(rows)) : [],
  }
  if (format === 'csv') printRows(format, { ...report, fields: csvFields, rows: placed(rows) }, out)
  else if (format === 'jsonl') printRows(format, { ...report, fields: objectFields }, out)
  else {
    const isNarrow = out.width !== undefined && out.width < WIDE
    const fields = fieldsOf(rows, now, singleProject(options) === undefined, isNarrow)
    printRows(format, { ...report, fields }, out)
  }
}

/** A row for each environment of each flag. */
function placed(flags: readonly Flag[]): PlacedFlag[] {
  return flags.flatMap((flag): PlacedFlag[] =>
    flag.environments.length > 0
      ? flag.environments.map((environment) => ({ ...flag, environment }))
      : [flag],
  )
}

/** The flag with only those of its environments. The time when the flag itself was seen may be of another one. */
function inEnvironments(flag: Flag, isWanted: (name: string) => boolean): Flag {
  const environments = flag.environments.filter(({ name }) => isWanted(name))
  return { ...flag, environments, lastSeenAt: undefined }
}

/** `12 flags; on in development 3, production 9`, and how many environments have no column. */
function linesBelow(flags: readonly Flag[], environments: readonly string[]): string[] {
  const counts = environments.slice(0, MAX_COLUMNS).map((name) => {
    const isOn = (flag: Flag) => flag.environments.some((one) => one.name === name && one.enabled)
    return `${name} ${flags.filter(isOn).length}`
  })
  const on = counts.length > 0 ? `; on in ${counts.join(', ')}` : ''
  const more = environments.length - counts.length
  return [
    `${counted(flags.length, 'flag')}${on}`,
    ...(more > 0 ? [`${more} more environments not shown (csv and jsonl have all)`] : []),
  ]
}

/** @throws an error for a filter by when flags were seen if the service does not report that */
function refuseWithoutSeen(flags: readonly Flag[]): void {
  if (flags.every((flag) => flag.environments.length === 0 || seenAt(flag) !== UNKNOWN)) return
  throw new FlagadmError('unavailable', 'the service does not report when flags were last seen', {
    hint: 'leave out --never-seen and --not-seen-for, or use flagadm feature usage',
  })
}
