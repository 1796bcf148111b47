import type { Reference } from '../code/lookups/results.ts'
import type { CodePlace, FoundNames } from '../code/search.ts'
import type { Context, Define } from '../cli/context.ts'
import { throwFailures } from '../requests/each.ts'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { emptyList, givenNames } from '../input/names.ts'
import {
  codeGaps,
  type CodeOptions,
  type CodeReading,
  codeRequest,
  type CodeRequest,
  lookUpNames,
  nothingToScan,
  presenceOf,
  searchGaps,
  searchNames,
  searchRemoved,
  unreadAt,
} from '../code/reading.ts'
import {
  allowEmptyOption,
  choices,
  collect,
  count,
  refuseEmpty,
  withExamples,
} from '../cli/options.ts'
import { field, filled, type RowField } from '../output/fields.ts'
import { factsOf, printsRows, rowFormats } from '../output/formats.ts'
import { counted, listed } from '../output/incomplete.ts'
import { orderBy } from '../output/order.ts'
import { printReport, printRows } from '../output/print.ts'
import { type Gap, limitProblems, positionText, type Problem } from '../output/problems.ts'
import { firstRows, type ViewOptions } from '../output/rows.ts'
import { connect } from '../profile/connect.ts'
import {
  projectOption,
  type ProjectOptions,
  selectsProjects,
  withoutFlagsText,
} from '../project/selection.ts'
import { lastingName } from '../service/connection.ts'
import { readAbsences } from './absences.ts'
import { namesAsGiven, selectFlags } from './flags.ts'
import { headOf } from './references-file.ts'

const problemKinds = ['unresolved', 'unknown', 'unreferenced', 'unread'] as const
type ProblemKind = (typeof problemKinds)[number]
const formats = [...rowFormats, 'github'] as const

interface ReferencesOptions extends CodeOptions, ProjectOptions, ViewOptions {
  namesFrom?: string | undefined
  unreferenced?: true | undefined
  unknown?: true | undefined
  removedSince?: string | undefined
  failOn?: readonly ProblemKind[] | undefined
  allowEmpty?: true | undefined
}

/** What is searched for: the problems that it can find, and the text instead of an empty list if everything was read. */
const searches = {
  known: { problems: ['unreferenced', 'unread'], nothing: 'No flag names.' },
  lookups: { problems: ['unresolved', 'unread'], nothing: 'No flag names.' },
  unknown: {
    problems: ['unresolved', 'unknown', 'unread'],
    nothing: 'All names in the code are flags.',
  },
  removed: { problems: ['unread'], nothing: 'No names were removed from the code.' },
} as const satisfies Record<string, { problems: readonly ProblemKind[]; nothing: string }>
type Search = keyof typeof searches

/** Whether names or a list of them are given. */
function isGiven(names: readonly string[], { namesFrom }: ReferencesOptions): boolean {
  return names.length > 0 || namesFrom !== undefined
}

/** @throws a usage error for options that cannot be combined */
function searchOf(names: readonly string[], options: ReferencesOptions): Search {
  const { unreferenced, unknown, removedSince, failOn = [] } = options
  const isNamed = isGiven(names, options) || selectsProjects(options)
  const filters = [unreferenced, unknown, removedSince].filter((one) => one !== undefined)
  if (filters.length > 1) {
    const message = '--unreferenced, --unknown and --removed-since cannot be combined'
    refuseUsage(message, 'use one of them')
  }
  if (unknown && isGiven(names, options)) {
    refuseUsage('--unknown cannot be combined with names', 'leave out the names')
  }
  const named = unknown ? 'unknown' : isNamed || unreferenced ? 'known' : 'lookups'
  const search = removedSince === undefined ? named : 'removed'
  const found: readonly ProblemKind[] = searches[search].problems
  const other = failOn.find((kind) => !found.includes(kind))
  if (other === undefined) return search
  const needed = other === 'unresolved' ? 'a search without known names' : `--${other}`
  const hint = other === 'unresolved' ? 'leave out names and projects' : `add --${other}`
  return refuseUsage(`--fail-on ${other} requires ${needed}`, hint)
}

/** A line of the report: a name at a place or without one, or a place without a name. */
interface Row extends Partial<CodePlace> {
  name?: string
  project?: string | undefined
  /** Why the name is not, or may not be, in the code, or not a flag. */
  status?: string | undefined
  /** `text`: a known name; `composed`: a text that may be the name; a kind of lookup; `unresolved` or `unread`. */
  kind?: 'text' | 'composed' | Reference['kind'] | 'unresolved' | 'unread'
  /** What is certainly wrong with it. */
  problem?: ProblemKind | undefined
  /** Whether the name is in the code; undefined if that is not known, and without a name. */
  inCode?: boolean | undefined
}

/** What was found in the code. */
interface Findings extends CodeReading {
  rows: readonly Row[]
  /** What could not be read. */
  gaps: readonly Gap[]
}

/** A row for each place of a known name, or one that says why it has none. */
function rowsOfName(found: FoundNames, name: string): Row[] {
  const presence = presenceOf(found, name)
  switch (presence.kind) {
    case 'found':
      return presence.places.map((place) => ({ name, ...place, kind: 'text', inCode: true }))
    case 'absent':
      return [{ name, status: 'not in the code', problem: 'unreferenced', inCode: false }]
    case 'unclear': {
      const { message, place } = presence.first
      const status = `unclear: ${message}`
      return place ? [{ name, status, ...place, kind: 'composed' }] : [{ name, status }]
    }
  }
}

function knownNames(found: FoundNames): Findings {
  const rows = [...found.names.keys()].flatMap((name) => rowsOfName(found, name))
  return { ...found, rows, gaps: searchGaps(found) }
}

async function findLookups(context: Context, request: CodeRequest): Promise<Findings> {
  const found = await lookUpNames(context, request)
  const rows = found.references.map((row) => ({ ...row, inCode: true }))
  return { ...found, rows, gaps: codeGaps(found) }
}

/** The names that are no longer in the code, where they were. */
async function findRemoved(
  context: Context,
  names: readonly string[] | undefined,
  revision: string,
  request: CodeRequest,
): Promise<Findings> {
  const { removed, now, before } = await searchRemoved(context, names, revision, request)
  const rows = knownNames(now).rows.flatMap((row) =>
    (removed.get(row.name ?? '') ?? []).map((place): Row => ({ ...row, ...place, kind: 'text' })),
  )
  const unread = [...now.unread, ...unreadAt(before.unread, revision)]
  const gaps = [...searchGaps({ ...now, unread: [] }), ...codeGaps({ ...before, unread })]
  return { ...before, rows, unread, files: now.files, gaps }
}

const namesOf = (rows: readonly Row[]) => [...new Set(rows.map(({ name = '' }) => name))]

/** Reads the flags that the search needs, then the code. */
async function find(
  context: Context,
  search: Search,
  given: readonly string[],
  request: CodeRequest,
  options: ReferencesOptions,
) {
  const { removedSince } = options
  const isNamed = isGiven(given, options) || selectsProjects(options)
  const needsFlags = search === 'unknown' || (search === 'known' && !isGiven(given, options))
  const connection = selectsProjects(options) || needsFlags ? await connect(context) : undefined
  const selection = connection
    ? await selectFlags(context, connection, given, options)
    : namesAsGiven(given)
  const { names, flags } = selection
  const found =
    removedSince !== undefined
      ? await findRemoved(context, isNamed ? names : undefined, removedSince, request)
      : search === 'known'
        ? knownNames(await searchNames(context, names, request))
        : await findLookups(context, request)
  const isUnknown = search === 'unknown'
  const wanted = isUnknown ? found.rows.filter(({ name = '' }) => !flags.has(name)) : found.rows
  const absent =
    connection && selection.lists && isUnknown
      ? await readAbsences(connection.service, namesOf(wanted), selection.lists)
      : { absences: selection.absences, incomplete: [] }
  const rows = wanted.map((row): Row => {
    const { name = '', status } = row
    const { kind, reason } = absent.absences.get(name) ?? {}
    const texts = [status, reason].filter((text) => text !== undefined)
    const problem = isUnknown && kind !== 'unclear' ? 'unknown' : row.problem
    const project = flags.get(name)?.projectId
    return { ...row, project, status: texts.join('; ') || undefined, problem }
  })
  const codeIncomplete = found.gaps.map(({ message, names, places = [] }) => {
    return { message, names: [...names, ...places.map(positionText)] }
  })
  return {
    ...found,
    rows,
    selection,
    service: connection && lastingName(connection),
    incomplete: [...selection.incomplete, ...absent.incomplete],
    /** What could not be read, as sentences. */
    codeIncomplete,
    /** The places that could not be read. */
    gaps: [
      ...found.unresolved.map(({ candidates, ...place }): Row => {
        const status = candidates.length > 0 ? `one of ${listed(candidates)}` : undefined
        return { ...place, status, kind: 'unresolved', problem: 'unresolved' }
      }),
      ...found.unread.map(({ file, reason }): Row => {
        return { file, status: reason, kind: 'unread', problem: 'unread' }
      }),
    ],
  }
}

type Found = Awaited<ReturnType<typeof find>>

const fields: readonly RowField<Row>[] = [
  field.key('name', 'Flag', ({ name }) => name),
  field.key('project', 'Project', ({ project }) => project, { dropOrder: 2 }),
  field.text('status', 'Status', ({ status }) => status),
  field.name(undefined, 'Place', (row) => positionText(row) || undefined),
  field.data('file', ({ file }) => file),
  field.data('line', ({ line }) => line),
  field.data('column', ({ column }) => column),
  field.word('kind', 'Kind', ({ kind }) => kind, { dropOrder: 3 }),
  field.text('text', 'Text', ({ text }) => text, { dropOrder: 1 }),
  field.data('inCode', ({ inCode }) => inCode),
]

const isFound = ({ kind }: Row) => kind !== undefined && kind !== 'composed'

/** Whether the command fails on a row. */
const isFailing = ({ problem }: Row, { failOn = [] }: ReferencesOptions) =>
  problem !== undefined && failOn.includes(problem)

function problemOf(row: Row, options: ReferencesOptions): Problem {
  const { name, file, line, column, status, kind, problem } = row
  const warning = name && problem ? 'warning' : 'info'
  return {
    code: problem ?? 'reference',
    severity: isFailing(row, options) ? 'error' : warning,
    name,
    message: status ?? (name ? `${kind}` : 'could not be read'),
    file,
    line,
    column,
  }
}

/** The rows whose names a script may act on; warns of names that are left out because of a doubt. */
function certainRows(
  rows: readonly Row[],
  search: Search,
  { unreferenced }: ReferencesOptions,
  { messages }: Context,
): Row[] {
  const unclear = rows.filter(({ status }) => status?.startsWith('unclear'))
  if (unclear.length > 0) {
    messages.warn(`left out because they may be in the code: ${listed(namesOf(unclear))}`)
  }
  const isProblem = unreferenced || search === 'unknown' || search === 'removed'
  return rows.filter((row) => (isProblem ? row.problem : isFound(row)))
}

/** The text instead of an empty list, which says "all" and "no" only if everything was read. */
function nothingText(search: Search, { rows, incomplete, codeIncomplete }: Found): string {
  if (codeIncomplete.length > 0) return 'Nothing found in what could be read.'
  if (rows.length === 0) return searches[search].nothing
  return incomplete.length > 0
    ? 'All names that could be read are in the code.'
    : 'All known names are in the code.'
}

/** When the code was read, and where it comes from. */
async function readSource({ host }: Context, { globs, ...request }: CodeRequest) {
  const { readProvenance } = await import('../code/provenance.ts')
  return { readAt: host.clock.now(), ...(await readProvenance(globs, request)) }
}

type Source = Awaited<ReturnType<typeof readSource>>

async function print(
  context: Context,
  format: (typeof formats)[number],
  search: Search,
  found: Found,
  source: Source | undefined,
  options: ReferencesOptions,
): Promise<void> {
  const { files } = found
  const wanted = options.unreferenced ? found.rows.filter((row) => !isFound(row)) : found.rows
  const order = orderBy<Row>(({ name }) => name)
  const { rows, beyondLimit } = firstRows(wanted, order, options)
  const all = [...rows, ...found.gaps]
  if (!printsRows(format)) {
    const places = all.map((row) => problemOf(row, options))
    const problems = [...places, ...limitProblems({ rows, beyondLimit })]
    const incomplete = [...found.incomplete, ...found.codeIncomplete]
    const report = { title: 'flagadm feature references', groups: [{ problems }], incomplete }
    return printReport(format, report, context)
  }
  const names = counted(new Set(rows.map(({ name }) => name)).size, 'name')
  const places = counted(rows.filter(({ file }) => file !== undefined).length, 'place')
  const shown =
    factsOf(format).rowsAs === 'name'
      ? certainRows(rows, search, options, context)
      : factsOf(format).reader === 'people'
        ? rows
        : all
  // They are rows as well.
  const isReported = shown === all
  const codeIncomplete = found.codeIncomplete.map((one) => ({ ...one, isReported }))
  const report = {
    fields: filled(fields, rows),
    rows: shown,
    beyondLimit,
    incomplete: [...found.incomplete, ...codeIncomplete],
    nothing: nothingText(search, found),
    marker: 'feature references',
    below: [`${names}, ${places}; ${counted(files, 'file')} read`],
    json: { ...(source && { head: headOf({ ...source, ...found }) }), rows: 'references' },
  }
  await printRows(format, report, context)
}

/** Refuses a check that cannot decide about some names. @throws `checkFailed` */
function refuseUndecided(search: Search, { rows }: Found, { failOn = [] }: ReferencesOptions) {
  const [kind, doubt] =
    search === 'unknown'
      ? (['unknown', 'may or may not be flags'] as const)
      : (['unreferenced', 'may or may not be in the code'] as const)
  if (!failOn.includes(kind)) return
  // A composed text that may be a name is a use of it, until it is shown to be another.
  const isOpen = (row: Row) => !row.problem && (search === 'unknown' || row.kind === undefined)
  const names = namesOf(rows.filter(isOpen))
  if (names.length === 0) return
  const what = `inconclusive: ${listed(names)} ${doubt}`
  throw new FlagadmError('checkFailed', what, { names, hint: 'the status of each has the reason' })
}

/** Refuses a check that has neither names to search for nor lookups. Notes that there are no lookups. */
function refuseWithoutNames(
  { messages }: Context,
  search: Search,
  { selection, files, lookups }: Found,
  options: ReferencesOptions,
): void {
  const { failOn = [], namesFrom } = options
  if (search === 'known') {
    if (failOn.length === 0 || selection.names.length > 0) return
    const why = withoutFlagsText(options, selection)
    refuseEmpty(messages, options, namesFrom === undefined ? { why } : emptyList(namesFrom))
  } else if (search !== 'removed' && lookups === 0) {
    const why = `no lookup of a flag in ${counted(files, 'file')}`
    const remedy = '--call adds functions that take a flag name'
    // Files were read in any case.
    const isEmpty = failOn.some((kind) => kind !== 'unread')
    if (isEmpty) refuseEmpty(messages, options, { why, remedy, isInput: true })
    else messages.note(`${why}; ${remedy}`)
  }
}

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  return withExamples(
    command,
    [
      'flagadm feature references --scan src',
      'flagadm feature references checkout-new-basket --scan . -o json',
      'flagadm feature references --scan src --unreferenced --all-projects -p sandbox',
      'flagadm feature references --scan src --unknown --fail-on unknown -p sandbox',
    ],
    `Searches for the given names, or the flags of projects, as text in every file that git shows. Without names and projects, shows the names that calls of the SDKs look up.`,
  )
    .argument('[name...]', "names of the flags; with a project, '*' matches any text")
    .optionsGroup('Names:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects that the service lists')
    .option('--names-from <path>', "file of names, one per line ('-': standard input)")
    .optionsGroup('Source code:')
    .option('--scan <path>', 'source code: a file, folder or glob', collect)
    .option('--call <function>', 'function that takes a flag name: isOn, isOn:2, flags.*', collect)
    .option('--match <regex>', 'custom pattern with a group named flag or constant', collect)
    .optionsGroup('Filters:')
    .option('--unreferenced', 'only known names that the code does not contain')
    .option('--unknown', 'only names in the code that are not flags of the projects')
    .option('--removed-since <revision>', 'only names removed from the code since this revision')
    .optionsGroup('Check:')
    .addOption(choices('--fail-on <problem>', 'exit with 9 if there are any', problemKinds))
    .addOption(allowEmptyOption())
    .optionsGroup('View:')
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n rows', count('--limit'))
    .action(async (given, options) => {
      const chosen = format()
      const request = await codeRequest(context, given, options)
      if (!request) throw nothingToScan()
      const { namesFrom, allowEmpty = false } = options
      const names = await givenNames(context, given, namesFrom, allowEmpty)
      const search = searchOf(names, options)
      const source = chosen === 'json' ? await readSource(context, request) : undefined
      const found = await find(context, search, names, request, options)
      await print(context, chosen, search, found, source, options)
      throwFailures(context, found.selection)
      const failing = [...found.rows, ...found.gaps].filter((row) => isFailing(row, options))
      const texts = [...groupBy(failing, ({ problem }) => problem)].map(([problem, rows]) => {
        const subjects = new Set(rows.map((row) => row.name ?? positionText(row)))
        return `${problem}: ${listed([...subjects])}`
      })
      if (texts.length > 0) throw new FlagadmError('checkFailed', texts.join('; '))
      refuseUndecided(search, found, options)
      refuseWithoutNames(context, search, found, options)
    })
}
