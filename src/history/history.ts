import type { Context, Define } from '../command/context.ts'
import {
  choices,
  collect,
  collectWords,
  count,
  sortOption,
  spanOption,
  withExamples,
} from '../command/options.ts'
import { refuseUsage } from '../errors.ts'
import { givenNames } from '../input/names.ts'
import { timeSpan, type TimeSpan } from '../input/values.ts'
import { matcherOf } from '../input/wildcards.ts'
import { addressCell } from '../output/addresses.ts'
import { field, type RowField } from '../output/fields.ts'
import { factsOf, type RowFormat, rowFormats } from '../output/formats.ts'
import { counted, type Incomplete, listed } from '../output/incomplete.ts'
import { orderBy } from '../output/order.ts'
import { printRows } from '../output/print.ts'
import { firstRows, type ViewOptions } from '../output/rows.ts'
import { isoText, shortTimeCell, timeCell, timeText } from '../output/time.ts'
import { warnOfClock } from '../flags/clocks.ts'
import { connect } from '../profile/connect.ts'
import { readProjects, refuseUnknownProject } from '../project/projects.ts'
import {
  projectOption,
  type ProjectOptions,
  requireNamesOrProjects,
  scopeText,
  selectsProjects,
  singleProject,
} from '../project/selection.ts'
import type { Connection } from '../service/connection.ts'
import type { FlagEvent } from '../service/schema.ts'
import { createNameCheck } from '../usage/name-check.ts'
import { type Change, changeOf, changeText, readSegmentNames } from './change.ts'
import { type HistoryScope, readChanges } from './read-changes.ts'
import { type Kind, kinds, wordsOf } from './words.ts'

interface HistoryOptions extends ProjectOptions, ViewOptions {
  namesFrom?: string | undefined
  since: TimeSpan
  environment?: readonly string[] | undefined
  author?: readonly string[] | undefined
  change?: readonly Kind[] | undefined
  sort: keyof typeof orders
}

const orders = {
  // The newest first; the service gives ids in the order of the changes.
  time: ({ time }: Change) => -(time ?? 0),
  flag: ({ featureName }: Change) => featureName,
  author: ({ createdBy }: Change) => createdBy,
}

/** `project shop`, for a change that is not of a flag; `*` is every project. */
const projectCell = (project: string | null | undefined) =>
  project && project !== '*' ? `project ${project}` : undefined

/**
 * @param names the given names, in which `*` matches any text
 */
export function historyFields(
  names: readonly string[],
  options: Pick<HistoryOptions, 'environment' | keyof ProjectOptions>,
  changes: readonly Change[] = [],
): RowField<Change>[] {
  const shortAuthor = addressCell(changes.map(({ createdBy }) => createdBy))
  // A column with the same text in each row says nothing.
  const isOneFlag = names.length === 1 && !names[0]?.includes('*')
  const [environment = '*', ...others] = options.environment ?? []
  const isOnePlace = others.length === 0 && !environment.includes('*')
  const withProject = singleProject(options) === undefined && !isOneFlag
  const years = new Set(changes.map(({ createdAt }) => createdAt?.slice(0, 4)))
  return [
    field.key('flag', isOneFlag ? undefined : 'Flag', ({ featureName }) => featureName, {
      cell: ({ featureName, project }) => featureName || projectCell(project),
    }),
    field.word('createdAt', 'When (UTC)', ({ createdAt }) => createdAt, {
      cell: ({ time, createdAt }) => (time === undefined ? createdAt : timeCell(time)),
      shortCell: ({ time }) =>
        time === undefined || years.size > 1 ? undefined : shortTimeCell(time),
      before: 'flag',
    }),
    field.name('author', 'Author', ({ createdBy }) => createdBy, {
      cell: ({ createdBy }) => shortAuthor(createdBy),
      before: 'flag',
    }),
    field.name('project', withProject ? 'Project' : undefined, ({ project }) => project, {
      dropOrder: 1,
    }),
    field.name('environment', isOnePlace ? undefined : 'Environment', (one) => one.environment),
    field.data('kind', ({ kind }) => kind),
    field.text('change', 'Change', wordsOf, { cell: changeText }),
    field.data('differences', ({ differences }) => differences),
    field.data('type', ({ type }) => type),
    field.data('id', ({ id }) => id),
    field.data('before', ({ preData }) => preData ?? undefined),
    field.data('after', ({ data }) => data ?? undefined),
  ]
}

const lowerCase = (text: string) => text.toLowerCase()

/** What an author can be called: a token, a user name, or an e-mail address with or without its domain. */
function namesOfAuthor({ createdBy }: FlagEvent): string[] {
  if (createdBy == null) return []
  const name = lowerCase(createdBy)
  return [name, name.replace(/@.*/, '')]
}

/** What was asked for, and the changes that were read of it. */
interface History extends HistoryScope {
  /** When it begins, in milliseconds since the epoch. */
  since: number
  all: readonly Change[]
  incomplete: readonly Incomplete[]
}

function kept({ names, projects, all }: History, options: HistoryOptions): Change[] {
  const { environment, author, change: wanted } = options
  const isNamed = matcherOf(names)
  const isOfProject = matcherOf(projects)
  const isPlace = matcherOf(environment)
  const isAuthor = matcherOf(author?.map(lowerCase))
  return all.filter((change) => {
    const isWanted =
      isNamed(change.featureName ?? undefined) &&
      isOfProject(change.project ?? undefined) &&
      isPlace(change.environment ?? undefined) &&
      (author === undefined || namesOfAuthor(change).some(isAuthor))
    return isWanted && (wanted?.includes(change.kind) ?? true)
  })
}

/** Warns of filters that match none of the changes in the span, with those that there are. */
function warnOfFilters(
  { messages }: Context,
  changes: readonly Change[],
  { author = [], environment = [] }: HistoryOptions,
): void {
  const authors = [...new Set(changes.flatMap(({ createdBy }) => createdBy ?? []))].sort()
  const places = [...new Set(changes.flatMap(({ environment: one }) => one ?? []))].sort()
  const namesText = (all: readonly string[]) => (all.length > 0 ? listed(all) : 'none')
  for (const wantedAuthor of author) {
    if (changes.flatMap(namesOfAuthor).some(matcherOf([lowerCase(wantedAuthor)]))) continue
    messages.warn(`no change by '${wantedAuthor}' in this time (authors: ${namesText(authors)})`)
  }
  for (const wantedEnvironment of environment) {
    if (places.some(matcherOf([wantedEnvironment]))) continue
    messages.warn(
      `no change in the environment '${wantedEnvironment}' in this time (there are: ${namesText(places)})`,
    )
  }
}

/** Warns of given names without any change that are not flags. */
async function warnOfNames(
  { messages }: Context,
  connection: Connection,
  names: readonly string[],
  changes: readonly Change[],
): Promise<void> {
  const changed = new Set(changes.map(({ featureName }) => featureName))
  const unchanged = names.filter((name) => !name.includes('*') && !changed.has(name))
  const nameCheck = createNameCheck(connection, 1)
  for (const name of unchanged) {
    const { problem, isFlag } = await nameCheck.check(name)
    if (problem !== undefined) messages.warn(`${name}: ${problem}`)
    else if (!isFlag) {
      messages.warn(`${name}: it could not be checked whether a flag has this name`)
    }
  }
}

/** @throws `notFound` for a selected project without any change that does not exist */
async function refuseUnknown(
  { service }: Connection,
  { project = [] }: ProjectOptions,
  changes: readonly Change[],
): Promise<void> {
  const changed = new Set(changes.map((one) => one.project))
  for (const id of project) {
    if (!id.includes('*') && !changed.has(id)) await refuseUnknownProject(service, id)
  }
}

/** The ids of the selected projects; empty for all that the key may see. */
async function projectIds(
  context: Context,
  connection: Connection,
  options: ProjectOptions,
): Promise<string[]> {
  if (!options.project) return []
  const { results } = await readProjects(context, connection, options, async (id) => id)
  return results
}

/** `pay in project shop`, `all projects` */
function subjectText(names: readonly string[], options: HistoryOptions): string {
  const { project = [], allProjects } = options
  const flags = names.length > 0 ? [listed(names, 3)] : []
  if (!selectsProjects(options)) return flags.join('')
  return [...flags, allProjects ? 'all projects' : scopeText(options, project.length)].join(' in ')
}

/** A span that looks further back than one in which nothing was found. */
function longerHint({ milliseconds }: TimeSpan): string[] {
  const longer = ['30d', '365d'].find((text) => timeSpan('', text).milliseconds > milliseconds)
  return longer === undefined ? [] : [`Look further back with --since ${longer}.`]
}

async function print(
  context: Context,
  { target }: Connection,
  format: RowFormat,
  history: History,
  options: HistoryOptions,
): Promise<void> {
  const { names, since, all, incomplete } = history
  const changes = kept(history, options)
  const order = orderBy(orders[options.sort], orders.time, ({ id }) => -(id ?? 0))
  // A name is for another command.
  const rows =
    factsOf(format).rowsAs === 'name' ? changes.filter((one) => one.featureName != null) : changes
  const shown = firstRows(rows, order, options)
  const isWhole = shown.beyondLimit === 0 && rows.length > 0
  const report = {
    ...shown,
    fields: historyFields(names, options, rows),
    caption: `Changes of ${subjectText(names, options)} on ${target}, since ${timeText(since)} (${options.since.text})`,
    marker: 'feature history',
    nothing: [
      all.length > 0 ? 'No change matches the filters.' : 'No changes.',
      ...longerHint(options.since),
    ].join(' '),
    noun: 'change',
    below: isWhole ? [counted(rows.length, 'change')] : [],
    incomplete,
    json: { head: { since: isoText(since) }, rows: 'changes' },
  }
  await printRows(format, report, context)
}

const SINCE = '7d'

export const define: Define = (command, context) => {
  const format = context.formats(command, rowFormats)
  const sinceOption = spanOption(
    '--since <duration>',
    'how far back to look, such as 10m, 48h or 30d',
  )
  return withExamples(
    command,
    [
      'flagadm feature history checkout-express-pay -p sandbox',
      'flagadm feature history --all-projects --since 1h -e production -p sandbox',
      'flagadm feature history --project checkout --author ada --change on -p sandbox',
    ],
    'One row for each change, the newest first: when, who, what, and what is different since. Secrets in the documents of the service are masked.',
  )
    .argument('[name...]', "names of flags; with a project, '*' matches any text")
    .optionsGroup('Names:')
    .addOption(projectOption('flags of this project, and the project itself'))
    .option('--all-projects', 'everything that the key may see, also without a project')
    .option('--names-from <path>', "file of names, one per line; '-' is standard input")
    .optionsGroup('Filters:')
    .addOption(sinceOption.default(timeSpan('', SINCE), SINCE))
    .option('-e, --environment <name>', "only in this environment; '*' matches any text", collect)
    .option('--author <who>', "only by this user or token; '*' matches any text", collectWords)
    .addOption(choices('--change <kind>', 'only changes of this kind', kinds))
    .optionsGroup('View:')
    .addOption(sortOption(orders))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n changes', count('--limit'))
    .action(async (given, options) => {
      const names = await givenNames(context, given, options.namesFrom)
      if (names.length === 0) requireNamesOrProjects(options, context)
      const isPattern = names.some((name) => name.includes('*'))
      if (isPattern && !selectsProjects(options)) {
        refuseUsage("names with '*' require a project", 'use --project <id> or --all-projects')
      }
      const connection = await connect(context)
      const projects = await projectIds(context, connection, options)
      const since = (await connection.clock.read()) - options.since.milliseconds
      warnOfClock(context.messages, connection.clock)
      const scope = { names: isPattern ? [] : names, projects }
      const { events, incomplete } = await readChanges(connection, scope, since)
      const segmentNames = await readSegmentNames(connection, events)
      const all = events.map((event) => changeOf(event, segmentNames))
      await refuseUnknown(connection, options, all)
      await warnOfNames(context, connection, names, all)
      warnOfFilters(context, all, options)
      const history = { names, projects, since, all, incomplete }
      await print(context, connection, format(), history, options)
    })
}
