import type { Context, Define } from '../command/context.ts'
import { type Attempt, throwFailures } from '../requests/each.ts'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { emptyList, givenNames } from '../input/names.ts'
import {
  callsRemedy,
  codeGaps,
  type CodeOptions,
  codeRequest,
  type CodeRequest,
  type FoundNames,
  lookUpNames,
  nothingToScan,
  readProvenance,
  searchGaps,
  searchNames,
} from '../code/index.ts'
import {
  allowEmptyOption,
  choices,
  collect,
  count,
  refuseEmpty,
  withExamples,
} from '../command/options.ts'
import { field, filled, type RowField } from '../output/fields.ts'
import { factsOf, printsRows, rowFormats } from '../output/formats.ts'
import { counted, type Incomplete, listed } from '../output/incomplete.ts'
import { orderBy } from '../output/order.ts'
import { printReport, printRows } from '../output/print.ts'
import { limitProblems, positionText, type Problem } from '../output/problems.ts'
import { firstRows, type ViewOptions } from '../output/rows.ts'
import { connect } from '../profile/connect.ts'
import {
  projectOption,
  type ProjectOptions,
  selectsProjects,
  withoutFlagsText,
} from '../project/selection.ts'
import { type Connection, lastingName } from '../service/connection.ts'
import { readAbsences } from '../flags/absences.ts'
import { type ChangeOptions, explainChanges, findChangedNames } from './changed-names.ts'
import { verdictText } from '../review/verdicts.ts'
import { namesAsGiven, selectFlags, type Selection } from '../flags/selection.ts'
import {
  type Findings,
  type ReferenceProblem,
  referenceProblems,
  type ReferenceRow as Row,
  rowNames,
  rowsOfName,
} from './rows.ts'
import { headOf } from '../review/references-file.ts'

const formats = [...rowFormats, 'github'] as const

interface ReferencesOptions extends CodeOptions, ChangeOptions, ProjectOptions, ViewOptions {
  namesFrom?: string | undefined
  unreferenced?: true | undefined
  unknown?: true | undefined
  failOn?: readonly ReferenceProblem[] | undefined
  allowEmpty?: true | undefined
}

interface Search {
  kind: 'known' | 'lookups' | 'unknown' | 'changes'
  /** The problems that it can find. */
  problems: readonly ReferenceProblem[]
  /** The text instead of an empty list if everything was read. */
  nothing: string
}

/** Whether names or a list of them are given. */
function isGiven(names: readonly string[], { namesFrom }: ReferencesOptions): boolean {
  return names.length > 0 || namesFrom !== undefined
}

/** Whether names are new or gone since a revision. */
function changesSearch({ addedSince, removedSince }: ChangeOptions, hasNames: boolean): Search {
  const added = 'No names were added to the code'
  const nothing = removedSince === undefined ? `${added}.` : `${added} or removed from it.`
  return {
    kind: 'changes',
    problems: addedSince === undefined || hasNames ? ['unread'] : ['unresolved', 'unread'],
    nothing: addedSince === undefined ? 'No names were removed from the code.' : nothing,
  }
}

/** @throws a usage error for options that cannot be combined */
function filtersOf({ unreferenced, unknown, addedSince, removedSince }: ReferencesOptions) {
  const isChange = addedSince !== undefined || removedSince !== undefined
  if ([unreferenced, unknown, isChange].filter(Boolean).length > 1) {
    const changes = addedSince === undefined ? '--removed-since' : '--added-since'
    const message = `--unreferenced, --unknown and ${changes} cannot be combined`
    refuseUsage(message, 'use one of them')
  }
  return { unreferenced, unknown, isChange }
}

/** @throws a usage error for options that cannot be combined */
function searchOf(names: readonly string[], options: ReferencesOptions): Search {
  const { unreferenced, unknown, isChange } = filtersOf(options)
  const hasNames = isGiven(names, options)
  if (isChange) return changesSearch(options, hasNames)
  if (unknown) {
    if (hasNames) refuseUsage('--unknown cannot be combined with names', 'leave out the names')
    const nothing = 'All names in the code are flags.'
    return { kind: 'unknown', problems: ['unresolved', 'unknown', 'unread'], nothing }
  }
  const nothing = 'No flag names.'
  return hasNames || selectsProjects(options) || unreferenced
    ? { kind: 'known', problems: ['unreferenced', 'unread'], nothing }
    : { kind: 'lookups', problems: ['unresolved', 'unread'], nothing }
}

/** @throws a usage error for a problem that the search cannot find */
function checkFailOn(
  { kind, problems }: Search,
  { failOn = [], addedSince }: ReferencesOptions,
): void {
  const other = failOn.find((problem) => !problems.includes(problem))
  if (other === undefined) return
  const isOfOldCode = kind === 'changes' && addedSince === undefined
  const isOfNames = other === 'unresolved' && !isOfOldCode
  const option = other === 'unresolved' ? '--added-since' : `--${other}`
  const needed = isOfNames ? 'a search without known names' : option
  const hint = isOfNames ? 'leave out names and projects' : `add ${option}`
  refuseUsage(`--fail-on ${other} requires ${needed}`, hint)
}

function knownNames(places: FoundNames): Findings {
  const rows = [...places.names.keys()].flatMap((name) => rowsOfName(places, name))
  return { ...places, rows, gaps: searchGaps(places) }
}

async function findLookups(context: Context, request: CodeRequest): Promise<Findings> {
  const lookups = await lookUpNames(context, request)
  const rows = lookups.references.map((row) => ({ ...row, inCode: true }))
  return { ...lookups, rows, gaps: codeGaps(lookups) }
}

/** Rows, and what is missing of what the service says about them. */
interface Explained {
  rows: readonly Row[]
  incomplete: readonly Incomplete[]
  /** How many flags were reviewed, and what failed. */
  attempt?: Attempt
}

/** Adds why names are not flags: those that were given, or all others that lookups use. */
async function explainAbsences(
  connection: Connection | undefined,
  { flags, lists, absences, incomplete }: Selection,
  { kind }: Search,
  findings: Findings,
): Promise<Explained> {
  const isUnknown = kind === 'unknown'
  const wanted = isUnknown
    ? findings.rows.filter(({ name = '' }) => !flags.has(name))
    : findings.rows
  const absent =
    connection && lists && isUnknown
      ? await readAbsences(connection.service, rowNames(wanted), lists)
      : { absences, incomplete: [] }
  const rows = wanted.map((row): Row => {
    const { name = '', status } = row
    const absence = absent.absences.get(name)
    const texts = [status, absence?.reason].filter((text) => text !== undefined)
    const problem = isUnknown && absence?.kind !== 'unclear' ? 'unknown' : row.problem
    return { ...row, status: texts.join('; ') || undefined, problem }
  })
  return { rows, incomplete: [...incomplete, ...absent.incomplete] }
}

/** Reads the flags that the search needs, then the code. The service is undefined unless it was asked. */
async function readNames(
  context: Context,
  search: Search,
  namesGiven: readonly string[],
  request: CodeRequest,
  options: ReferencesOptions,
) {
  const hasNames = isGiven(namesGiven, options)
  const isKnown = search.kind === 'known'
  const needsFlags = search.kind === 'unknown' || (isKnown && !hasNames)
  const hasProjects = selectsProjects(options)
  const connection = hasProjects || needsFlags ? await connect(context) : undefined
  const selection = connection
    ? await selectFlags(context, connection, namesGiven, options)
    : namesAsGiven(namesGiven)
  const service = connection && lastingName(connection)
  const { names } = selection
  if (search.kind === 'changes') {
    const compared = { knownNames: hasNames || hasProjects ? names : undefined, isGiven: hasNames }
    const findings = await findChangedNames(context, compared, request, options)
    const explained = await explainChanges(context, connection, selection, findings, options)
    return { service, selection, findings, explained }
  }
  const findings = isKnown
    ? knownNames(await searchNames(context, names, request))
    : await findLookups(context, request)
  const explained = await explainAbsences(connection, selection, search, findings)
  return { service, selection, findings, explained }
}

async function find(
  context: Context,
  search: Search,
  names: readonly string[],
  request: CodeRequest,
  options: ReferencesOptions,
) {
  const read = await readNames(context, search, names, request, options)
  const { service, selection, findings, explained } = read
  const rows = explained.rows.map((row): Row => {
    return { ...row, project: selection.flags.get(row.name ?? '')?.projectId }
  })
  const codeIncomplete = findings.gaps.map(({ message, names }) => ({ message, names }))
  // A review of removed flags reports what is missing of the code as well.
  const ofCode = new Set(codeIncomplete.map(({ message }) => message))
  return {
    ...findings,
    rows,
    selection,
    service,
    reviewed: explained.attempt,
    incomplete: explained.incomplete.filter(({ message }) => !ofCode.has(message)),
    /** What could not be read, as sentences. */
    codeIncomplete,
    /** The places that could not be read. */
    gaps: [
      ...findings.unresolved.map(({ candidates, revision, ...place }): Row => {
        const texts = [
          candidates.length > 0 && `one of ${listed(candidates)}`,
          revision !== undefined && `could not be read at ${revision}`,
        ]
        const status = texts.filter(Boolean).join(', ') || undefined
        // A check of what is new does not fail for what is old.
        const problem = revision === undefined ? 'unresolved' : undefined
        return { ...place, status, kind: 'unresolved', problem }
      }),
      ...findings.unread.map(({ file, reason }): Row => {
        return { file, status: reason, kind: 'unread', problem: 'unread' }
      }),
    ],
  }
}

type Report = Awaited<ReturnType<typeof find>>

/** The verdict for people, as in a review. */
function verdictOf({ verdict }: Row): string | undefined {
  return verdict && verdictText(verdict)
}

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
  field.word('change', 'Change', ({ change }) => change, { before: 'project' }),
  field.word('verdict', 'Verdict', ({ verdict }) => verdict, {
    cell: verdictOf,
    before: 'status',
  }),
]

const isFound = ({ kind }: Row) => kind !== undefined && kind !== 'composed'

const isFailing = ({ problem }: Row, { failOn = [] }: ReferencesOptions) =>
  problem !== undefined && failOn.includes(problem)

function problemOf(row: Row, options: ReferencesOptions): Problem {
  const { name, change, file, line, column, status, kind, problem } = row
  const warning = name && problem ? 'warning' : 'info'
  const facts = [change, verdictOf(row), status].filter((text) => text !== undefined)
  return {
    code: problem ?? (kind === 'unresolved' ? kind : 'reference'),
    severity: isFailing(row, options) ? 'error' : warning,
    name,
    message: facts.join(': ') || (name ? `${kind}` : 'could not be read'),
    file,
    line,
    column,
  }
}

/** The rows whose names a script may act on; warns of names that are left out because of a doubt. */
function certainRows(
  rows: readonly Row[],
  { kind }: Search,
  { unreferenced }: ReferencesOptions,
  { messages }: Context,
): Row[] {
  const warn = (doubt: string, unclear: readonly Row[]) => {
    if (unclear.length === 0) return
    messages.warn(`left out because they ${doubt}: ${listed(rowNames(unclear))}`)
  }
  const unclear = rows.filter(({ isUnclear }) => isUnclear)
  const isAdded = ({ change }: Row) => change === 'added'
  warn('may have been in the code', unclear.filter(isAdded))
  warn(
    'may be in the code',
    unclear.filter((row) => !isAdded(row)),
  )
  const isProblem = unreferenced || kind === 'unknown'
  return rows.filter((row) => {
    if (isAdded(row)) return !row.isUnclear
    return isProblem || row.change === 'removed' ? row.problem : isFound(row)
  })
}

/** The text instead of an empty list, which says "all" and "no" only if everything was read. */
function nothingText({ kind, nothing }: Search, findings: Report): string {
  const { rows, incomplete, codeIncomplete, lookups } = findings
  if (codeIncomplete.length > 0) return 'Nothing found in what could be read.'
  if (kind === 'unknown' && lookups === 0) return 'The code looks up no names.'
  if (rows.length === 0) return nothing
  return incomplete.length > 0
    ? 'All names that could be read are in the code.'
    : 'All known names are in the code.'
}

/** When the code was read, and where it comes from. */
async function readSource({ host }: Context, request: CodeRequest) {
  return { readAt: host.clock.now(), ...(await readProvenance(request)) }
}

type Source = Awaited<ReturnType<typeof readSource>>

async function print(
  context: Context,
  format: (typeof formats)[number],
  search: Search,
  findings: Report,
  source: Source | undefined,
  options: ReferencesOptions,
): Promise<void> {
  const { files } = findings
  const wanted = options.unreferenced ? findings.rows.filter((row) => !isFound(row)) : findings.rows
  const order = orderBy<Row>(
    ({ change }) => change,
    ({ name }) => name,
  )
  const { rows, beyondLimit } = firstRows(wanted, order, options)
  const all = [...rows, ...findings.gaps]
  if (!printsRows(format)) {
    const places = all.map((row) => problemOf(row, options))
    const problems = [...places, ...limitProblems({ rows, beyondLimit })]
    const incomplete = [...findings.incomplete, ...findings.codeIncomplete]
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
  const codeIncomplete = findings.codeIncomplete.map((incomplete) => ({
    ...incomplete,
    isReported,
  }))
  const report = {
    fields: filled(fields, rows),
    rows: shown,
    beyondLimit,
    incomplete: [...findings.incomplete, ...codeIncomplete],
    nothing: nothingText(search, findings),
    marker: 'feature references',
    below: [`${names}, ${places}; ${counted(files, 'file')} read`],
    json: { ...(source && { head: headOf({ ...source, ...findings }) }), rows: 'references' },
  }
  await printRows(format, report, context)
}

/** Refuses a check that cannot decide about some names. @throws `checkFailed` */
function refuseUndecided(search: Search, { rows }: Report, { failOn = [] }: ReferencesOptions) {
  const [kind, doubt] =
    search.kind === 'unknown'
      ? (['unknown', 'may or may not be flags'] as const)
      : (['unreferenced', 'may or may not be in the code'] as const)
  if (!failOn.includes(kind)) return
  // A composed text that may be a name is a use of it, until it is shown to be another.
  const isOpen = (row: Row) => !row.problem && (search.kind === 'unknown' || row.kind === undefined)
  const names = rowNames(rows.filter(isOpen))
  if (names.length === 0) return
  const what = `inconclusive: ${listed(names)} ${doubt}`
  throw new FlagadmError('checkFailed', what, { names, hint: 'the status of each has the reason' })
}

/** Refuses a check that has neither names to search for nor lookups. Notes that there are no lookups. */
function refuseWithoutNames(
  { messages }: Context,
  search: Search,
  report: Report,
  options: ReferencesOptions,
): void {
  const { failOn = [], namesFrom } = options
  const { selection, files, lookups } = report
  if (search.kind === 'known') {
    if (failOn.length === 0 || selection.names.length > 0) return
    const why = withoutFlagsText(options, selection)
    refuseEmpty(messages, options, namesFrom === undefined ? { why } : emptyList(namesFrom))
  } else if (search.problems.includes('unresolved') && lookups === 0) {
    const why = `no lookup of a flag in ${counted(files, 'file')}`
    const remedy = callsRemedy(report.suggestedCalls)
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
    .option('--added-since <revision>', 'only names added to the code since this revision')
    .option('--removed-since <revision>', 'only names removed from the code since this revision')
    .optionsGroup('Check:')
    .addOption(choices('--fail-on <problem>', 'exit with 9 if there are any', referenceProblems))
    .addOption(allowEmptyOption())
    .optionsGroup('View:')
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n rows', count('--limit'))
    .action(async (namesGiven, options) => {
      const chosen = format()
      const request = await codeRequest(context, namesGiven, options)
      if (!request) throw nothingToScan()
      const { namesFrom, allowEmpty = false } = options
      const names = await givenNames(context, namesGiven, namesFrom, allowEmpty)
      const search = searchOf(names, options)
      checkFailOn(search, options)
      const source = chosen === 'json' ? await readSource(context, request) : undefined
      const report = await find(context, search, names, request, options)
      await print(context, chosen, search, report, source, options)
      throwFailures(context, report.selection, report.reviewed)
      const failing = [...report.rows, ...report.gaps].filter((row) => isFailing(row, options))
      const texts = [...groupBy(failing, ({ problem }) => problem)].map(([problem, rows]) => {
        const subjects = new Set(rows.map((row) => row.name ?? positionText(row)))
        return `${problem}: ${listed([...subjects])}`
      })
      if (texts.length > 0) throw new FlagadmError('checkFailed', texts.join('; '))
      refuseUndecided(search, report, options)
      refuseWithoutNames(context, search, report, options)
    })
}
