import type { Reference } from '../code/lookups/scanner.ts'
import { positionText } from '../code/positions.ts'
import type { FoundNames, Place } from '../code/search.ts'
import type { Context, Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { givenNames } from '../input/names.ts'
import {
  codeGaps,
  type CodeReading,
  codeRequest,
  type CodeRequest,
  lookUpNames,
  nothingToScan,
  searchNames,
  searchRemoved,
} from '../names/code.ts'
import { inRepository } from '../names/repository.ts'
import type { NameOptions } from '../names/sources.ts'
import { choices, collect, collectPaths, count, sortOption, withExamples } from '../options.ts'
import type { RowField } from '../output/fields.ts'
import { counted, incompleteLines, listed } from '../output/incomplete.ts'
import { byCodeUnit } from '../output/order.ts'
import { githubText, type Problem } from '../output/problems.ts'
import { firstRows, nameLines, printRows, rowFormats } from '../output/rows.ts'
import { connect } from '../profile/connection.ts'
import { type ProjectOptions, projectOption, selectsProjects } from '../project/options.ts'
import { scopeText, throwFailures } from '../project/reading.ts'
import type { Service } from '../service/client.ts'
import { absencesOf, namesAsGiven, type Selection, selectFlags } from './selection.ts'

const problemKinds = ['unresolved', 'unknown', 'unreferenced', 'unread'] as const
const sortKeys = ['name', 'references'] as const
const formats = [...rowFormats, 'github'] as const
const filters = ['unreferenced', 'unknown', 'removedSince'] as const

interface ReferencesOptions extends NameOptions, ProjectOptions {
  unreferenced?: true | undefined
  unknown?: true | undefined
  removedSince?: string | undefined
  failOn?: readonly (typeof problemKinds)[number][] | undefined
  sort: (typeof sortKeys)[number]
  reverse?: true | undefined
  limit?: number | undefined
}

/** `text`: a known name; `composed`: a text that may be the name; the others: a lookup. */
type Kind = 'text' | 'composed' | Reference['kind']

/** A name, and where it is. */
interface Entry {
  name: string
  references: readonly (Place & { kind: Kind })[]
  /** Why it is not, or may not be, in the code, or not a flag. */
  status?: string | undefined
  /** Whether the status is a fact that can be acted upon. */
  isCertain?: boolean
}

/** What was found in the code. */
interface Findings extends CodeReading {
  entries: readonly Entry[]
}

function placed({ file, line, column, text }: Place, kind: Kind) {
  return { file, line, column, kind, text }
}

function knownNames(found: FoundNames): Findings {
  const { names, unread } = found
  const notRead = `unclear: ${counted(unread.length, 'file')} not read`
  const entries = Array.from(names, ([name, { places, composed }]): Entry => {
    if (places.length > 0) return { name, references: places.map((one) => placed(one, 'text')) }
    if (composed) {
      const status = 'unclear: a composed text may be its name'
      return { name, references: [placed(composed, 'composed')], status }
    }
    if (unread.length > 0) return { name, references: [], status: notRead }
    return { name, references: [], status: 'not in the code', isCertain: true }
  })
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
  const entries = Array.from(byName, ([name, references]) => {
    return { name, references: references.map((one) => placed(one, one.kind)) }
  })
  return { ...found, entries }
}

/** The names that are no longer in the code, where they were. */
async function findGone(
  context: Context,
  names: readonly string[] | undefined,
  revision: string,
  request: CodeRequest,
): Promise<Findings> {
  const { removed, now, before } = await searchRemoved(context, names, revision, request)
  const entries = knownNames(now).entries.flatMap((entry) => {
    const references = removed.get(entry.name)?.map((one) => placed(one, 'text'))
    return references ? [{ ...entry, references }] : []
  })
  const unread = before.unread.map((one) => ({ ...one, reason: `${one.reason}, at ${revision}` }))
  return { ...before, entries, unread: [...now.unread, ...unread], files: now.files }
}

/** The names in the code that are not flags of the projects, and why. */
async function unknownAmong(
  service: Service,
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

/** Finds the names, lookups in addition to known names if `--fail-on` needs them, and the names that are not flags. */
async function search(
  context: Context,
  given: readonly string[],
  request: CodeRequest,
  options: ReferencesOptions,
) {
  const { removedSince, failOn = [] } = options
  const isUnnamed = given.length === 0
  const asksUnknown = options.unknown || failOn.includes('unknown')
  const asksUnreferenced = options.unreferenced || failOn.includes('unreferenced')
  const ofProjects = selectsProjects(options)
  const needsNames = asksUnreferenced && isUnnamed && removedSince === undefined
  const connection = ofProjects || asksUnknown || needsNames ? await connect(context) : undefined
  const selection = connection
    ? await selectFlags(context, connection, given, options)
    : namesAsGiven(given)
  const hasFlags = connection && (ofProjects || asksUnreferenced) && !options.unknown
  const known = !isUnnamed || hasFlags ? selection.names : undefined
  const main =
    removedSince !== undefined
      ? await findGone(context, known, removedSince, request)
      : known
        ? knownNames(await searchNames(context, known, request))
        : await findLookups(context, request)
  const needsLookups = failOn.includes('unresolved') || (isUnnamed && failOn.includes('unknown'))
  const lookups = known && needsLookups ? await findLookups(context, request) : main
  const unknown =
    connection && asksUnknown
      ? await unknownAmong(connection.service, lookups.entries, selection, options)
      : []
  return { main, lookups, unknown, selection }
}

const byName = (a: Entry, b: Entry) => byCodeUnit(a.name, b.name)
const orders = {
  name: byName,
  references: (a: Entry, b: Entry) => b.references.length - a.references.length || byName(a, b),
}

/** What is printed. */
function reportOf(
  { main, lookups, unknown, selection }: Awaited<ReturnType<typeof search>>,
  options: ReferencesOptions,
) {
  const files = new Map([...main.unread, ...lookups.unread].map((one) => [one.file, one]))
  const unread = [...files.values()]
  const gaps = codeGaps({ ...lookups, unread })
  const missing = main.entries.filter(({ status }) => status !== undefined)
  const isRemoved = options.removedSince !== undefined
  const unreferenced = isRemoved ? [] : missing.filter(({ isCertain }) => isCertain)
  const known = (options.unreferenced ? missing : main.entries).map((entry) => {
    const reason = selection.absences.get(entry.name)?.reason
    return { ...entry, status: [entry.status ?? [], reason ?? []].flat().join('; ') || undefined }
  })
  const { rows, cut } = firstRows(options.unknown ? unknown : known, orders[options.sort], options)
  const { flags, incomplete } = selection
  const entries = rows.map(({ name, status, references, isCertain }) => {
    return { name, project: flags.get(name)?.projectId, status, references, isCertain }
  })
  const text = (some: readonly Entry[], what: string) =>
    some.length > 0 ? `${what}: ${listed(some.map(({ name }) => name))}` : undefined
  return {
    ...{ entries, cut, unread, unresolved: lookups.unresolved, files: main.files },
    unknown: new Set(unknown.map(({ name }) => name)),
    unreferenced: new Set(unreferenced.map(({ name }) => name)),
    hasProjects: selection.hasLists && !options.unknown,
    incomplete: [
      ...incomplete,
      ...gaps.map(({ message, names, places = [] }) => {
        return { message, names: [...names, ...places.map(positionText)] }
      }),
    ],
    /** A sentence on each kind of problem that there is. */
    problems: {
      unresolved: gaps.find(({ places }) => places)?.message,
      unread: gaps.find(({ places }) => !places)?.message,
      unknown: text(unknown, 'names that are not flags'),
      unreferenced: text(unreferenced, 'names that are not in the code'),
    },
  }
}

type Report = ReturnType<typeof reportOf>

/** A line of a list: a name at a place or without one, or a place without a name. */
interface Row extends Partial<Place> {
  name: string
  project?: string | undefined
  status?: string | undefined
  kind?: string
}

function rowsOf({ name, project, status, references }: Report['entries'][number]): Row[] {
  const row = { name, project, status }
  return references.length > 0 ? references.map((place) => ({ ...row, ...place })) : [row]
}

const fields: readonly RowField<Row>[] = [
  { name: 'name', title: 'Flag', value: ({ name }) => name, kind: 'key' },
  { name: 'project', title: 'Project', value: ({ project }) => project, kind: 'key' },
  { name: 'status', title: 'Status', value: ({ status }) => status, kind: 'name' },
  { title: 'Place', value: (row) => positionText(row) || undefined, kind: 'name' },
  { name: 'file', value: ({ file }) => file, kind: 'name' },
  { name: 'line', value: ({ line }) => line, kind: 'number' },
  { name: 'column', value: ({ column }) => column, kind: 'number' },
  { name: 'kind', title: 'Kind', value: ({ kind }) => kind, kind: 'word' },
  { name: 'text', title: 'Text', value: ({ text }) => text, kind: 'name', isOptional: true },
]

/** The text instead of an empty list. */
const nothing = {
  all: 'No flag names.',
  unreferenced: 'All known names are in the code.',
  unknown: 'All names in the code are flags.',
  removedSince: 'No names were removed from the code.',
}

function problemOf(
  { name, status, kind = '', file, line, column }: Row,
  report: Report,
  { failOn = [] }: ReferencesOptions,
): Problem {
  const at = { file, line, column }
  if (name === '') {
    const severity = failOn.includes('unresolved') ? 'error' : 'info'
    return { ...at, code: 'unresolved', severity, message: 'could not be read' }
  }
  const code = (['unknown', 'unreferenced'] as const).find((one) => report[one].has(name))
  const severity = code && failOn.includes(code) ? 'error' : code ? 'warning' : 'info'
  return { ...at, name, code: code ?? 'reference', severity, message: status ?? kind }
}

function print(
  { host, messages, out }: Context,
  format: (typeof formats)[number],
  report: Report,
  options: ReferencesOptions,
): void {
  const { entries, unresolved, unread, files, incomplete, problems, cut } = report
  const view = filters.find((name) => options[name] !== undefined) ?? 'all'
  const rows = entries.flatMap(rowsOf)
  const unnamed = unresolved.map((one): Row => ({ ...one, name: '', kind: 'unresolved' }))
  const gaps = incomplete.length > 0 ? { incomplete } : undefined
  switch (format) {
    case 'json': {
      const names = entries.map(({ isCertain: _, ...entry }) => entry)
      out.json({ names, unresolved, unread, files, ...gaps })
      return
    }
    case 'jsonl':
      for (const row of rows) out.json(row)
      for (const one of unresolved) out.json({ unresolved: one })
      for (const one of unread) out.json({ unread: one })
      if (gaps) out.json(gaps)
      return
    case 'names': {
      const safe = entries.filter(({ isCertain, references }) =>
        view === 'all' ? references.some(({ kind }) => kind !== 'composed') : isCertain,
      )
      const unclear = entries.filter(({ status }) => status?.startsWith('unclear'))
      const namesOf = (some: typeof entries) => some.map(({ name }) => name)
      out.raw(nameLines(namesOf(safe), out))
      if (unclear.length > 0) {
        messages.warn(`left out because they may be in the code: ${listed(namesOf(unclear))}`)
      }
      for (const line of incompleteLines(incomplete)) messages.warn(line)
      return
    }
    case 'github': {
      const named = [...rows, ...unnamed].map((row) => problemOf(row, report, options))
      const lacking = incompleteLines(incomplete).map((message): Problem => {
        return { message, code: 'incomplete', severity: 'warning' }
      })
      out.raw(githubText([...named.map(inRepository('github', host.cwd)), ...lacking], out))
      return
    }
    default: {
      const skipped = unread.map(({ file, reason }): Row => {
        return { name: '', file, kind: 'unread', text: reason }
      })
      const isFilled = ({ value }: RowField<Row>) => rows.some((row) => value(row) !== undefined)
      const columns = fields
        .filter(({ name }) => name !== 'project' || report.hasProjects)
        .map((one) => (isFilled(one) ? one : { ...one, title: undefined }))
      const places = rows.filter(({ file }) => file !== undefined)
      const below = [
        `${counted(entries.length, 'name')}, ${counted(places.length, 'place')}; ${counted(files, 'file')} read`,
        ...[problems.unknown ?? [], problems.unreferenced ?? []].flat(),
      ]
      const shown = format === 'csv' ? [...rows, ...unnamed, ...skipped] : rows
      const around = { nothing: nothing[view], cut, below, incomplete }
      const marker = 'feature references'
      printRows(format, { rows: shown, fields: columns, ...around, marker }, out)
    }
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
    .argument('[name...]', "names of the flags; with a project, '*' matches any text")
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
      const found = await search(context, names, request, options)
      const report = reportOf(found, options)
      print(context, chosen, report, options)
      const { failures, requested } = found.selection
      throwFailures(context, failures, requested, 'projects')
      const kinds = problemKinds.filter((kind) => options.failOn?.includes(kind))
      const texts = kinds.flatMap((kind) => report.problems[kind] ?? [])
      if (texts.length > 0) throw new FlagadmError('checkFailed', texts.join('; '))
    })
}
