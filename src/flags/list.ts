import type { Context, Define } from '../command/context.ts'
import { throwFailures } from '../requests/each.ts'
import { FlagadmError } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import type { TimeSpan } from '../input/values.ts'
import { matcherOf } from '../input/wildcards.ts'
import {
  collect,
  count,
  refuseWithJson,
  sortOption,
  spanOption,
  withExamples,
} from '../command/options.ts'
import { field, type RowField } from '../output/fields.ts'
import { factsOf, type RowFormat, rowFormats } from '../output/formats.ts'
import { counted, listed } from '../output/incomplete.ts'
import { orderBy } from '../output/order.ts'
import { printRows } from '../output/print.ts'
import { firstRows, type ViewOptions } from '../output/rows.ts'
import type { Style } from '../output/text.ts'
import { ageText, timeText } from '../output/time.ts'
import { connect } from '../profile/connect.ts'
import { type ProjectResults, readProjects } from '../project/projects.ts'
import {
  projectOption,
  type ProjectOptions,
  requireProjects,
  scopeText,
  singleProject,
} from '../project/selection.ts'
import type { Connection, ServiceClock } from '../service/connection.ts'
import {
  createdKey,
  environmentsOf,
  type Flag,
  lastSeen,
  NEVER,
  seenKey,
  typeText,
} from './flag.ts'
import { type FlagList, readFlags, refuseUnknownFilters } from './selection.ts'
import { clockDifference, warnOfClock } from './clocks.ts'
import { SILENCE_MS, silenceGaps, silentWhereOn } from './silence.ts'
import { isOfType, readFlagTypes, typeOption } from './types.ts'
import { latest } from './records.ts'

const orders = {
  name: ({ name }: Flag) => name,
  type: ({ type }: Flag) => type,
  age: createdKey,
  'last-seen': seenKey,
}

interface ListOptions extends ProjectOptions, ViewOptions {
  name?: readonly string[] | undefined
  type?: readonly string[] | undefined
  environment?: readonly string[] | undefined
  on?: true | undefined
  off?: true | undefined
  stale?: true | undefined
  neverSeen?: true | undefined
  notSeenFor?: TimeSpan | undefined
  sort: keyof typeof orders
}

/** A flag and, in CSV and JSON Lines, one of its environments. */
type FlagRow = Flag & { environment?: Flag['environments'][number] | undefined }

/** When a flag was last seen, if none of its environments has that time. */
function seenElsewhere(flag: Flag) {
  const { environments } = lastSeen(flag)
  return environments.length === 0 ? flag.lastSeenAt : undefined
}

/** `30 h`, `5 d` or `now`: short, because each environment has one. */
function shortAge(milliseconds: number): string {
  return milliseconds < 60_000 ? 'now' : ageText(milliseconds)
}

/** Whether a flag is on; the state of a flag that is off is less important. */
function stateStyle(name: string, { environments }: Flag): Style | undefined {
  const enabled = environments.find((one) => one.name === name)?.enabled
  if (enabled === undefined) return undefined
  return enabled ? 'green' : 'dim'
}

/** @param now the current time, for times as ages */
export function listFields(
  flags: readonly Flag[],
  now: number | undefined,
  withProjects: boolean,
): RowField<FlagRow>[] {
  const timeCell = (timestamp: string | null | undefined, none = '—') => {
    const time = timeOf(timestamp)
    if (time === undefined) return timestamp == null ? none : '?'
    return now === undefined ? timeText(time) : shortAge(now - time)
  }
  const stateIn = (name: string, { environments }: Flag) => {
    const environment = environments.find((one) => one.name === name)
    if (!environment) return undefined
    const { enabled, lastSeenAt } = environment
    const state = enabled === undefined ? '?' : enabled ? 'on' : 'off'
    return `${state} ${timeCell(lastSeenAt, lastSeenAt === null ? '—' : '?')}`
  }
  const columnOf = (name: string) =>
    field.word<FlagRow>(undefined, name, (flag) => stateIn(name, flag), {
      isTitleName: true,
      style: (flag) => stateStyle(name, flag),
    })
  const seenTitle = flags.some(seenElsewhere) ? 'Last seen' : undefined
  return [
    field.key('name', 'Flag', ({ name }) => name),
    field.name('project', withProjects ? 'Project' : undefined, ({ projectId }) => projectId, {
      dropOrder: 2,
    }),
    field.word('type', 'Type', ({ type }) => type, {
      cell: typeText,
      dropOrder: 1,
    }),
    field.data('stale', ({ stale }) => stale),
    field.word('createdAt', now === undefined ? 'Created' : 'Age', ({ createdAt }) => createdAt, {
      cell: ({ createdAt }) => timeCell(createdAt),
      dropOrder: 3,
    }),
    field.word('flagLastSeenAt', seenTitle, ({ lastSeenAt }) => lastSeenAt, {
      cell: (flag) => timeCell(seenElsewhere(flag)),
      dropOrder: 4,
    }),
    ...environmentsOf(flags).map(columnOf),
    field.data('environment', ({ environment }) => environment?.name),
    field.data('enabled', ({ environment }) => environment?.enabled),
    field.data('lastSeenAt', ({ environment }) => environment?.lastSeenAt),
  ]
}

/** A row for each environment of each flag. */
function placed(flags: readonly Flag[]): FlagRow[] {
  return flags.flatMap((flag) => {
    const places = flag.environments.length > 0 ? flag.environments : [undefined]
    return places.map((environment) => ({ ...flag, environment }))
  })
}

/** @throws `unavailable` if there are flags of which it is not known whether a filter keeps them */
function refuseUnclear(what: string, flags: readonly { name: string }[], hint: string): void {
  if (flags.length === 0) return
  const names = flags.map(({ name }) => name)
  throw new FlagadmError('unavailable', `${what}: ${listed(names)}`, { hint })
}

/**
 * The flags that are on, or off, in one of their environments.
 * @throws `unavailable` if that is not known of some
 */
function inState(flags: readonly Flag[], option: '--on' | '--off'): Flag[] {
  const enabled = option === '--on'
  const isInState = ({ environments }: Flag) => environments.some((one) => one.enabled === enabled)
  const unknown = flags.filter((flag) => {
    const { environments } = flag
    const isUnknown = environments.length === 0 || environments.some((one) => one.enabled == null)
    return isUnknown && !isInState(flag)
  })
  const what = 'the service does not report whether some flags are on'
  refuseUnclear(what, unknown, `leave out ${option}`)
  return flags.filter(isInState)
}

/**
 * The flags that the filters keep but for those by time, each with the environments that they keep.
 * @throws `unavailable` if that is not known of some
 */
function selected(flags: readonly Flag[], options: ListOptions): Flag[] {
  const { name, type, environment, on, off, stale } = options
  const [matchesName, isWanted] = [matcherOf(name), matcherOf(environment)]
  // The time when the flag itself was seen may be of another environment.
  const narrowed = (flag: Flag) => {
    const environments = flag.environments.filter((one) => isWanted(one.name))
    return environment ? { ...flag, environments, lastSeenAt: undefined } : flag
  }
  const matching = flags
    .filter((flag) => matchesName(flag.name))
    .map(narrowed)
    // Without the environment, a flag would appear as never seen.
    .filter((flag) => !environment || flag.environments.length > 0)
  const ofType = matching.filter((flag) => isOfType(flag, type))
  if (type) {
    const untyped = ofType.filter((flag) => !flag.type)
    refuseUnclear('the service does not report the type of some flags', untyped, 'leave out --type')
  }
  const switchedOn = on ? inState(ofType, '--on') : ofType
  const kept = off ? inState(switchedOn, '--off') : switchedOn
  if (!stale) return kept
  const unmarked = kept.filter((flag) => flag.stale === undefined)
  const what = 'the service does not report whether some flags are marked as stale'
  refuseUnclear(what, unmarked, 'leave out --stale')
  return kept.filter((flag) => flag.stale)
}

/** When a flag was last seen by all its entries: the lists may have it more than once. */
interface Sighting {
  name: string
  time: number
  isReported: boolean
}

function sightingsOf(flags: readonly Flag[]): Sighting[] {
  const sightings = new Map<string, Sighting>()
  for (const flag of flags) {
    const { name } = flag
    const { time = NEVER, isReported } = lastSeen(flag)
    const other = sightings.get(name) ?? { time, isReported }
    sightings.set(name, {
      name,
      time: Math.max(time, other.time),
      isReported: isReported && other.isReported,
    })
  }
  return [...sightings.values()]
}

/** The flags that the filters by time keep. @throws `unavailable` if that is not known of some */
function unseen(
  flags: readonly Flag[],
  { neverSeen, notSeenFor }: ListOptions,
  clock: ServiceClock,
): readonly Flag[] {
  if (!neverSeen && !notSeenFor) return flags
  const now = clock.now()
  const limit = notSeenFor && !neverSeen ? now - notSeenFor.milliseconds : NEVER
  const sightings = sightingsOf(flags)
  refuseUnclear(
    'the service does not report when some flags were last seen',
    sightings.filter(({ time, isReported }) => time <= limit && !isReported),
    'leave out --never-seen and --not-seen-for, or look at the usage of the flags',
  )
  const differ = clockDifference(clock, now, latest(sightings.map(({ time }) => time)))
  const isOpen = ({ time }: Sighting) => time > NEVER && Math.abs(time - limit) <= differ
  refuseUnclear(
    `the clocks differ by ${ageText(differ)}, so it is not known when some flags were last seen`,
    differ > 0 ? sightings.filter(isOpen) : [],
    'correct the clock of this machine or of the service',
  )
  const kept = new Set(sightings.flatMap(({ name, time }) => (time <= limit ? [name] : [])))
  return flags.filter(({ name }) => kept.has(name))
}

async function print(
  context: Context,
  { target, clock }: Connection,
  format: RowFormat,
  { results, failures, incomplete }: ProjectResults<FlagList>,
  options: ListOptions,
): Promise<void> {
  const { messages } = context
  const { verbose } = context.options
  const { environment, neverSeen, notSeenFor, sort } = options
  const all = results.flatMap(({ flags }) => flags)
  const knownNames = {
    applications: [],
    environments: environmentsOf(all),
    isPart: failures.size > 0,
  }
  if (all.length > 0) refuseUnknownFilters(context, { environment }, knownNames)
  warnOfClock(messages, clock)
  // A flag may have been seen in an environment that its project no longer has.
  const duration = notSeenFor === undefined ? '' : ` for ${notSeenFor.text}`
  const seen =
    neverSeen || notSeenFor ? `, not seen in their project's environments${duration}` : ''
  const now = clock.now()
  const kept = unseen(selected(all, options), options, clock)
  const order = orderBy(orders[sort], orders.name, ({ projectId }) => projectId)
  const { rows, beyondLimit } = firstRows(kept, order, options)
  const withProjects = singleProject(options) === undefined
  // Where nothing is reported, a flag may be used unseen.
  const silence =
    neverSeen || notSeenFor
      ? silenceGaps(silentWhereOn(all, now - (notSeenFor?.milliseconds ?? SILENCE_MS)))
      : []
  const report = {
    // People read one row for each flag.
    rows: factsOf(format).reader === 'people' ? rows : placed(rows),
    beyondLimit,
    incomplete: [...incomplete, ...silence],
    fields: listFields(rows, verbose ? undefined : now, withProjects),
    caption: `Flags of ${scopeText(options, results.length)} on ${target}${seen}`,
    marker: 'feature list',
    nothing: all.length > 0 ? 'No flag matches the filters.' : 'No flags.',
    noun: 'flag',
    below: rows.length > 0 && beyondLimit === 0 ? [counted(rows.length, 'flag')] : [],
  }
  await printRows(format, report, context)
}

const NOTES = `JSON is the document of the service; of several projects, one per line: {"project":…,"flags":…}.`

export const define: Define = (command, context) => {
  const format = context.formats(command, rowFormats)
  return withExamples(
    command,
    [
      'flagadm feature list --project checkout -p sandbox',
      'flagadm feature list --all-projects --not-seen-for 24h -p sandbox',
      "flagadm feature list --project checkout --name '*-banner' -o names -p sandbox",
      'flagadm feature list --all-projects --on -e production --sort age -p sandbox',
    ],
    NOTES,
  )
    .optionsGroup('Projects:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects that the service lists')
    .optionsGroup('Filters:')
    .option('--name <name>', "only this name; '*' matches any text", collect)
    .addOption(typeOption())
    .option('-e, --environment <name>', "only this environment; '*' matches any text", collect)
    .option('--on', 'only flags that are on in an environment (with -e, in one of those)')
    .option('--off', 'only flags that are off in an environment (with -e, in one of those)')
    .option('--stale', 'only flags that are marked as stale')
    .option('--never-seen', "only flags that were not seen in any of their project's environments")
    .addOption(
      spanOption('--not-seen-for <duration>', 'only flags not seen for this long, or never'),
    )
    .optionsGroup('View:')
    .addOption(sortOption(orders))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n flags', count('--limit'))
    .action(async (options, self) => {
      requireProjects(options)
      refuseWithJson(format(), self, ['project', 'allProjects'])
      const connection = await connect(context)
      if (options.type) await readFlagTypes(connection.service, options.type)
      const projects = await readProjects(context, connection, options, (id, isListed) =>
        readFlags(connection.service, id, isListed),
      )
      const { results, failures } = projects
      if (format() === 'json') {
        const isSeveral = singleProject(options) === undefined
        for (const { projectId, json } of results) {
          // JSON has raw line breaks only between tokens, and the documents do not say which project they are of.
          const line = json.trim().replace(/[\r\n]\s*/g, '')
          const wrapped = `{"project":${JSON.stringify(projectId)},"flags":${line}}`
          context.out.jsonText(isSeveral ? wrapped : json)
        }
      } else if (results.length > 0 || failures.size === 0) {
        await print(context, connection, format(), projects, options)
      }
      throwFailures(context, projects)
    })
}
