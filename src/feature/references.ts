import type { UnreadFile } from '../code/files.ts'
import { positionText } from '../code/positions.ts'
import type { Unresolved } from '../code/lookups/scanner.ts'
import { findRemoved } from '../code/removed.ts'
import { type FoundName, isUnclear, type Place } from '../code/search.ts'
import type { Context, Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { givenNames } from '../input/names.ts'
import {
  codeRequest,
  type CodeOptions,
  type CodeRequest,
  lookUpNames,
  nothingToScan,
  refuseUnmatched,
  searchCode,
  unreadGaps,
  unresolvedGaps,
} from '../names/code.ts'
import { inRepository } from '../names/repository.ts'
import { choices, collect, collectPaths, count, sortOption, withExamples } from '../options.ts'
import type { RowField } from '../output/fields.ts'
import { counted, type Incomplete, incompleteLines, listed } from '../output/incomplete.ts'
import { byCodeUnit } from '../output/order.ts'
import { githubText, type Problem } from '../output/problems.ts'
import { firstRows, printRows, rowFormats } from '../output/rows.ts'
import { connect } from '../profile/connection.ts'
import { type ProjectOptions, projectOption, singleProject } from '../project/options.ts'
import { scopeText, throwFailures, unread as unreadIncomplete } from '../project/reading.ts'
import { absencesOf, refusePatterns, type Selection, selectFlags } from './selection.ts'

const problemKinds = ['unresolved', 'unknown', 'unreferenced', 'unread'] as const
const sortKeys = ['name', 'references'] as const
const formats = [...rowFormats, 'github'] as const

interface ReferencesOptions extends CodeOptions, ProjectOptions {
  namesFrom?: string | undefined
  unreferenced?: true | undefined
  unknown?: true | undefined
  removedSince?: string | undefined
  failOn?: readonly (typeof problemKinds)[number][] | undefined
  sort: (typeof sortKeys)[number]
  reverse?: true | undefined
  limit?: number | undefined
}

/** `text`: a known name; `composed`: a text that may be the name; the others: a lookup. */
type Kind = 'text' | 'composed' | 'call' | 'constant'

interface Reference extends Place {
  kind: Kind
}

/** A name, and where it is. */
interface Entry {
  name: string
  references: readonly Reference[]
  /** Why it is not, or may not be, in the code, or not a flag. */
  status?: string | undefined
  /** Whether the status is a fact that can be acted upon. */
  isCertain?: boolean
}

/** What was found in the code. */
interface Findings {
  entries: readonly Entry[]
  unresolved: readonly Unresolved[]
  /** How many lookups there are. */
  lookups: number
  unread: readonly UnreadFile[]
  files: number
}

const NOT_IN_CODE = 'not in the code'

function entryOf(name: string, found: FoundName, unread: readonly UnreadFile[]): Entry {
  const { places, composed } = found
  const references = places.map((place): Reference => ({ ...place, kind: 'text' }))
  if (references.length > 0) return { name, references }
  if (!isUnclear(found, unread)) {
    return { name, references, status: NOT_IN_CODE, isCertain: true }
  }
  if (!composed) {
    return { name, references, status: `unclear: ${counted(unread.length, 'file')} not read` }
  }
  const status = 'unclear: a composed text may be its name'
  return { name, references: [{ ...composed, kind: 'composed' }], status }
}

async function findKnown(
  context: Context,
  names: readonly string[],
  request: CodeRequest,
): Promise<Findings> {
  const found = await searchCode(context, names, request)
  const entries = Array.from(found.names, ([name, one]) => entryOf(name, one, found.unread))
  return { ...found, entries, unresolved: [], lookups: 0 }
}

async function findLookups(context: Context, request: CodeRequest): Promise<Findings> {
  const found = await lookUpNames(context, request)
  if (found.lookups === 0) {
    const files = counted(found.files, 'file')
    context.messages.note(
      `no lookup of a flag in ${files}; --call adds functions that take a flag name`,
    )
  }
  const byName = groupBy(found.references, ({ name }) => name)
  const entries = Array.from(byName, ([name, references]) => ({ name, references }))
  return { ...found, entries }
}

/** The names that are no longer in the code, where they were. */
async function findGone(
  { messages }: Context,
  names: readonly string[] | undefined,
  revision: string,
  { globs, ...request }: CodeRequest,
): Promise<Findings> {
  const { removed, now, before } = await findRemoved(names, revision, globs, request)
  const isNew = (glob: string) => !now.unmatched.includes(glob)
  refuseUnmatched(
    now.unmatched.filter((glob) => before.unmatched.includes(glob)),
    `check the path; it matches no file at ${revision} either`,
  )
  for (const glob of before.unmatched.filter(isNew)) {
    messages.warn(`${glob} matches no file at ${revision}: was it renamed?`)
  }
  const entries = Array.from(removed, ([name, places]): Entry => {
    const found = now.names.get(name)
    const { status = '', isCertain = false } = found ? entryOf(name, found, now.unread) : {}
    const references = places.map((place): Reference => ({ ...place, kind: 'text' }))
    return { name, references, status, isCertain }
  })
  const old = before.unread.map(({ file, reason }) => ({
    file,
    reason: `${reason}, at ${revision}`,
  }))
  const { unresolved, lookups } = before
  return { entries, unresolved, lookups, unread: [...now.unread, ...old], files: now.files }
}

/** The names in the code that are not flags of the projects, and why. */
async function unknownAmong(
  { service }: Awaited<ReturnType<typeof connect>>,
  entries: readonly Entry[],
  { flags, failures, projects }: Selection,
  options: ProjectOptions,
): Promise<Entry[]> {
  const others = entries.filter(({ name, references }) => references.length > 0 && !flags.has(name))
  const names = others.map(({ name }) => name)
  const scope = scopeText(options, projects)
  const absences = await absencesOf(service, names, [...flags.keys()], scope, failures)
  return others.map((entry) => {
    const absence = absences.get(entry.name)
    return { ...entry, status: absence?.reason, isCertain: absence?.kind !== 'unclear' }
  })
}

/** A line of a list: a name at a place, or without one. */
interface Row {
  name: string
  project: string | undefined
  status?: string | undefined
  file?: string | undefined
  line?: number | undefined
  column?: number | undefined
  kind?: string | undefined
  text?: string | undefined
}

/** What is printed. */
interface Report {
  entries: readonly Entry[]
  /** How many entries `--limit` leaves out. */
  cut: number
  view: 'all' | 'unreferenced' | 'unknown' | 'removed'
  selection: Selection | undefined
  findings: Findings
  unknown: readonly Entry[]
  unreferenced: readonly Entry[]
  incomplete: readonly Incomplete[]
}

function rowsOf({ entries, selection }: Report): Row[] {
  return entries.flatMap(({ name, references, status }): Row[] => {
    const row = { name, project: selection?.flags.get(name)?.projectId, status }
    return references.length > 0 ? references.map((place) => ({ ...row, ...place })) : [row]
  })
}

function fieldsOf(
  { view, selection }: Report,
  options: ProjectOptions,
  rows: readonly Row[],
): RowField<Row>[] {
  const has = (key: keyof Row) => rows.some((row) => row[key] !== undefined)
  const titled = (title: string, isShown: boolean) => (isShown ? { title } : {})
  const hasProjects = selection !== undefined && view !== 'unknown'
  const isShown = singleProject(options) === undefined
  const project: RowField<Row> = {
    ...{ name: 'project', ...titled('Project', isShown) },
    ...{ value: (row) => row.project, kind: 'key' },
  }
  const place: RowField<Row> = {
    title: 'Place',
    value: (row) => positionText(row) || undefined,
    kind: 'name',
  }
  const hasStatus = titled('Status', has('status'))
  return [
    { name: 'name', title: 'Flag', value: ({ name }) => name, kind: 'key' },
    ...(hasProjects ? [project] : []),
    { name: 'status', ...hasStatus, value: ({ status }) => status, kind: 'name' },
    ...(has('file') ? [place] : []),
    { name: 'file', value: ({ file }) => file, kind: 'name' },
    { name: 'line', value: ({ line }) => line, kind: 'number' },
    { name: 'column', value: ({ column }) => column, kind: 'number' },
    { name: 'kind', ...titled('Kind', has('kind')), value: ({ kind }) => kind, kind: 'word' },
    {
      ...{ name: 'text', ...titled('Text', has('text')) },
      ...{ value: ({ text }) => text, kind: 'name', isOptional: true },
    },
  ]
}

const unresolvedFields: readonly RowField<Unresolved>[] = [
  { title: 'Place', value: positionText, kind: 'name' },
  { title: 'Text', value: ({ text }) => text, kind: 'name' },
  { title: 'One of', value: ({ candidates }) => candidates.join(', ') || undefined, kind: 'name' },
]

/** The text instead of an empty list. */
const nothing: Record<Report['view'], string> = {
  all: 'No flag names.',
  unreferenced: 'All known names are in the code.',
  unknown: 'All names in the code are flags.',
  removed: 'No names were removed from the code.',
}

/** A sentence on each kind of problem that there is. */
function problemTexts({ findings, unknown, unreferenced }: Report) {
  const text = (count: number, what: string, one: string, many: string) =>
    count > 0 ? `${counted(count, what)} ${count === 1 ? one : many}` : undefined
  const names = listed(unknown.map(({ name }) => name))
  return {
    unresolved: unresolvedGaps(findings)[0]?.message,
    unread: unreadGaps(findings.unread)[0]?.message,
    unknown: text(
      unknown.length,
      'name',
      `in the code is not a flag: ${names}`,
      `in the code are not flags: ${names}`,
    ),
    unreferenced: text(
      unreferenced.length,
      'known name',
      'is not in the code',
      'are not in the code',
    ),
  }
}

function totals(report: Report): string[] {
  const { entries, findings } = report
  const texts = problemTexts(report)
  const places = entries.reduce((sum, { references }) => sum + references.length, 0)
  return [
    `${counted(entries.length, 'name')}, ${counted(places, 'place')}; ${counted(findings.files, 'file')} read`,
    ...[texts.unknown ?? [], texts.unreferenced ?? []].flat(),
  ]
}

function problemsOf(
  report: Report,
  { failOn = [] }: ReferencesOptions,
  context: Context,
): Problem[] {
  const { findings, unknown, unreferenced, incomplete } = report
  const placed = inRepository('github', context.host.cwd)
  const severityOf = (code: (typeof problemKinds)[number]) =>
    failOn.includes(code) ? ('error' as const) : ('warning' as const)
  const isIn = (entries: readonly Entry[], name: string) => entries.some((one) => one.name === name)
  const rows = rowsOf(report).map(({ name, status, kind, file, line, column }): Problem => {
    const at = { name, file, line, column, message: status ?? kind ?? NOT_IN_CODE }
    if (isIn(unknown, name)) return { ...at, code: 'unknown', severity: severityOf('unknown') }
    if (isIn(unreferenced, name)) {
      return { ...at, code: 'unreferenced', severity: severityOf('unreferenced') }
    }
    return { ...at, code: 'reference', severity: 'info' }
  })
  const unresolved = findings.unresolved.map(
    ({ file, line, column }): Problem => ({
      ...{ file, line, column, message: 'could not be read', code: 'unresolved' },
      severity: failOn.includes('unresolved') ? 'error' : 'info',
    }),
  )
  const gaps = incompleteLines(incomplete).map(
    (message): Problem => ({ message, code: 'incomplete', severity: 'warning' }),
  )
  return [...rows, ...unresolved, ...gaps].map(placed)
}

function print(
  context: Context,
  format: (typeof formats)[number],
  report: Report,
  options: ReferencesOptions,
): void {
  const { out, messages } = context
  const { entries, findings, cut, view, incomplete, selection } = report
  const { unresolved, unread, files } = findings
  const rows = rowsOf(report)
  const fields = fieldsOf(report, options, rows)
  switch (format) {
    case 'json': {
      const names = entries.map(({ name, status, references }) => {
        const project = selection?.flags.get(name)?.projectId
        const places = references.map(({ file, line, column, kind, text }) => {
          return { file, line, column, kind, text }
        })
        return { name, project, status, references: places }
      })
      const gaps = incomplete.length > 0 ? { incomplete } : {}
      out.json({ names, unresolved, unread, files, ...gaps })
      return
    }
    case 'jsonl': {
      const others = [
        ...unresolved.map((one) => ({ unresolved: one })),
        ...unread.map((one) => ({ unread: one })),
      ]
      for (const row of rows) out.json(objectOf(fields, row))
      for (const object of [...others, ...(incomplete.length > 0 ? [{ incomplete }] : [])]) {
        out.json(object)
      }
      return
    }
    case 'csv': {
      const none = { name: '', project: undefined }
      const others = [
        ...unresolved.map((one): Row => ({ ...none, ...one, kind: 'unresolved' })),
        ...unread.map(({ file, reason }): Row => ({ ...none, file, kind: 'unread', text: reason })),
      ]
      printRows(format, { rows: [...rows, ...others], fields, nothing: '' }, out)
      return
    }
    case 'names': {
      const isSafe = ({ isCertain, references }: Entry) =>
        view === 'all' ? references.some(({ kind }) => kind !== 'composed') : isCertain
      const named = entries.filter(isSafe).map(({ name }): Row => ({ name, project: undefined }))
      printRows(format, { rows: named, fields, nothing: '' }, out)
      const unclear = entries.filter((entry) => entry.status?.startsWith('unclear'))
      if (unclear.length > 0) {
        const names = listed(unclear.map(({ name }) => name))
        messages.warn(`left out because they may be in the code: ${names}`)
      }
      for (const line of incompleteLines(incomplete)) messages.warn(line)
      return
    }
    case 'github':
      out.raw(githubText(problemsOf(report, options, context), out))
      return
    default: {
      const [marker, below] = ['feature references', totals(report)]
      const table = { rows, fields, nothing: nothing[view], cut, below, incomplete, marker }
      printRows(format, table, out)
      if (unresolved.length === 0) return
      const hasCandidates = unresolved.some(({ candidates }) => candidates.length > 0)
      const shown = hasCandidates ? unresolvedFields : unresolvedFields.slice(0, 2)
      out.line()
      const caption = 'Lookups that could not be read'
      printRows(format, { rows: unresolved, fields: shown, caption, nothing: '' }, out)
    }
  }
}

/** The named fields of a row. */
function objectOf(fields: readonly RowField<Row>[], row: Row): object {
  return Object.fromEntries(fields.flatMap(({ name, value }) => (name ? [[name, value(row)]] : [])))
}

/** @throws `checkFailed` for the problems that `--fail-on` specifies */
function refuse(report: Report, { failOn = [] }: ReferencesOptions): void {
  const all = problemTexts(report)
  const texts = problemKinds.flatMap((kind) => (failOn.includes(kind) ? (all[kind] ?? []) : []))
  if (texts.length > 0) throw new FlagadmError('checkFailed', texts.join('; '))
}

const byName = (a: Entry, b: Entry) => byCodeUnit(a.name, b.name)
const orders = {
  name: byName,
  references: (a: Entry, b: Entry) => b.references.length - a.references.length || byName(a, b),
}

/** Whether the command needs the flags of the service. */
function needsFlags(given: readonly string[], options: ReferencesOptions): boolean {
  const { project, allProjects, unknown, unreferenced, removedSince, failOn = [] } = options
  const asksUnreferenced = unreferenced || failOn.includes('unreferenced')
  const isUnnamed = given.length === 0 && removedSince === undefined
  const asks = project || allProjects || unknown || failOn.includes('unknown')
  return Boolean(asks || (asksUnreferenced && isUnnamed))
}

async function findReferences(
  context: Context,
  given: readonly string[],
  request: CodeRequest,
  options: ReferencesOptions,
): Promise<Report> {
  const { unknown, unreferenced, removedSince, project, allProjects, failOn = [] } = options
  const connection = needsFlags(given, options) ? await connect(context) : undefined
  const selection = connection && (await selectFlags(context, connection, given, options))
  if (!selection) refusePatterns(given)
  const ofProjects =
    project !== undefined || allProjects || unreferenced || failOn.includes('unreferenced')
  const known =
    given.length > 0 || (selection && ofProjects && !unknown)
      ? (selection?.names ?? given)
      : undefined
  const main = removedSince
    ? await findGone(context, known, removedSince, request)
    : await (known ? findKnown(context, known, request) : findLookups(context, request))
  const wantsLookups =
    known && (failOn.includes('unresolved') || (failOn.includes('unknown') && given.length === 0))
  const lookups = wantsLookups ? await findLookups(context, request) : main
  const others =
    connection && selection && (unknown || failOn.includes('unknown'))
      ? await unknownAmong(connection, lookups.entries, selection, options)
      : []
  const view = removedSince
    ? 'removed'
    : unknown
      ? 'unknown'
      : unreferenced
        ? 'unreferenced'
        : 'all'
  const missing = main.entries.filter(({ status }) => status !== undefined)
  const entries = view === 'unknown' ? others : view === 'unreferenced' ? missing : main.entries
  const absent = entries.map((entry) => {
    const reason = view === 'unknown' ? undefined : selection?.absences.get(entry.name)?.reason
    const status = [entry.status ?? [], reason ?? []].flat().join('; ')
    return { ...entry, status: status === '' ? undefined : status }
  })
  const { rows, cut } = firstRows(absent, orders[options.sort], options)
  const unread = new Map([...main.unread, ...lookups.unread].map((one) => [one.file, one]))
  const findings = {
    ...main,
    unresolved: lookups.unresolved,
    lookups: lookups.lookups,
    unread: [...unread.values()],
  }
  return {
    entries: rows,
    cut,
    view,
    selection,
    findings,
    unknown: others,
    unreferenced: view === 'removed' ? [] : missing.filter(({ isCertain }) => isCertain),
    incomplete: [
      ...(selection?.incomplete ?? []),
      ...unreadIncomplete(selection?.failures ?? new Map(), selection?.requested ?? 0, 'projects'),
      ...[...unresolvedGaps(findings), ...unreadGaps(findings.unread)].map(({ message, names }) => {
        return { message, names }
      }),
    ],
  }
}

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  return command
    .description(
      `${withExamples(
        command.summary(),
        'flagadm feature references --scan src',
        'flagadm feature references checkout-new-basket --scan . -o json',
        'flagadm feature references --scan src --unreferenced --project checkout -p sandbox',
        'flagadm feature references --scan src --unknown --fail-on unresolved,unknown -o github -p sandbox',
      )}

Searches for the given names, or the flags of projects, as text in every file that git shows. Without names and projects, shows the names that calls of the SDKs look up.`,
    )
    .argument('[name...]', "names of the flags; with a project, '*': any text")
    .optionsGroup('Names:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects that the service lists')
    .option('--names-from <path>', "file of names, one per line ('-': standard input)")
    .optionsGroup('Source code:')
    .option('--scan <path>', 'source code: a file, folder or glob', collectPaths)
    .option('--call <function>', 'function that takes a flag name: isOn, isOn:2, flags.*', collect)
    .option('--match <regex>', 'custom pattern with a group named flag or constant', collect)
    .optionsGroup('Filters:')
    .option('--unreferenced', 'only known names that the code does not contain')
    .option('--unknown', 'only names in the code that are not flags of the projects')
    .option(
      '--removed-since <revision>',
      'only names removed from the code since this git revision',
    )
    .optionsGroup('Check:')
    .addOption(
      choices('--fail-on <problem>', 'exit with 9 if there are any of these', problemKinds),
    )
    .optionsGroup('View:')
    .addOption(sortOption(sortKeys))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n names', count('--limit'))
    .action(async (given, options) => {
      const chosen = format()
      const filters = ['unreferenced', 'unknown', 'removedSince'] as const
      if (filters.filter((name) => options[name] !== undefined).length > 1) {
        throw new FlagadmError(
          'usage',
          '--unreferenced, --unknown and --removed-since cannot be combined',
          { hint: 'use one of them' },
        )
      }
      const request = await codeRequest(context, given, options)
      if (!request) throw nothingToScan()
      const names = await givenNames(context, given, options.namesFrom)
      const report = await findReferences(context, names, request, options)
      print(context, chosen, report, options)
      const { selection } = report
      if (selection) throwFailures(context, selection.failures, selection.requested, 'projects')
      refuse(report, options)
    })
}
