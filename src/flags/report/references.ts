import type { Blocks } from '../../old/output/blocks.ts'
import type { FormatOf } from '../../old/output/formats.ts'
import { jsonReport } from '../../old/output/json.ts'
import { asCode } from '../../old/output/markdown.ts'
import { counted } from '../../old/output/phrases.ts'
import type { Printer } from '../../old/output/printer.ts'
import { githubReport } from '../../old/output/problems/ci.ts'
import type { ReportItem } from '../../old/output/problems/text.ts'
import { nameLines, rowCsv, type RowField, rowJsonl, rowMarkdown } from '../../old/output/rows.ts'
import { rowTable } from '../../old/output/table.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { wrappedLines } from '../../old/output/width.ts'
import type { Missing } from '../../projects/missing.ts'
import {
  missingJson,
  missingJsonl,
  missingLine,
  unreadText,
} from '../../projects/report/missing.ts'
import type { UnreadFile } from '../../code/files.ts'
import type { Unresolved } from '../../code/lookups/result.ts'
import type { CodeReference } from '../../names/scanned.ts'
import { positionText } from '../../code/positions.ts'
import type { ReferenceProblem } from '../options.ts'

/** Which names a report has. */
export type ReferenceView = 'all' | 'unreferenced' | 'unknown'

/** A name and where it is; nowhere for a known name without a reference. */
export interface NamedReferences {
  name: string
  /** The project of a flag; undefined for a name that is not one, and if no flags were read. */
  project: string | undefined
  references: readonly CodeReference[]
}

/** Where flags are in source code. */
export interface ReferenceReport {
  view: ReferenceView
  /** The projects whose flags were read. */
  scope: string
  /** Whether flags were read, so that their projects are known. */
  hasProjects: boolean
  /** Whether they are of a single project. */
  isSingle: boolean
  names: readonly NamedReferences[]
  /** How many names `--limit` leaves out. */
  cut: number
  /** Names in the code that are not flags; empty if no flags were read. */
  unknown: readonly string[]
  /** Known names that the code does not contain. */
  unreferenced: readonly string[]
  failOn: readonly ReferenceProblem[]
  unresolved: readonly Unresolved[]
  skipped: readonly UnreadFile[]
  /** How many files were scanned. */
  files: number
  missing: Missing
}

/** A problem that `--fail-on` can specify, as a sentence. */
export function referenceProblemText(
  report: ReferenceReport,
  problem: ReferenceProblem,
  { text }: Sanitizer,
): string {
  const { unknown, unreferenced, missing } = report
  switch (problem) {
    case 'unresolved':
      return missing.lookups.map((lookups) => unreadText(lookups, text)).join('; ')
    case 'unknown': {
      const are = unknown.length === 1 ? 'is not a flag' : 'are not flags'
      return `${counted(unknown.length, 'name')} in the code ${are} of ${report.scope}`
    }
    case 'unreferenced': {
      const are = unreferenced.length === 1 ? 'is' : 'are'
      return `${counted(unreferenced.length, 'known name')} ${are} not in the code`
    }
  }
}

/** A line of a list: a name at a place, or without one. */
interface Row {
  name: string
  project?: string | undefined
  file?: string
  line?: number
  column?: number
  kind?: string
  text?: string
}

function rowsOf({ names }: ReferenceReport): Row[] {
  return names.flatMap(({ name, project, references }): readonly Row[] => {
    if (references.length === 0) return [{ name, project }]
    // Copies of many references would take much memory.
    if (project === undefined) return references
    return references.map((reference) => ({ ...reference, project }))
  })
}

/** The fields of a name. */
function nameFields({ hasProjects, isSingle }: ReferenceReport): RowField<Row>[] {
  const project = ({ project }: Row) => project
  return [
    ...(hasProjects ? [{ name: 'project', value: project }] : []),
    { name: 'name', title: safe`Flag`, value: ({ name }) => name, isGroup: true },
    ...(hasProjects && !isSingle ? [{ title: safe`Project`, value: project }] : []),
  ]
}

const placeFields: readonly RowField<Row>[] = [
  { title: safe`Place`, value: (row) => positionText(row) || undefined },
  { name: 'file', value: ({ file }) => file },
  { name: 'line', value: ({ line }) => line },
  { name: 'column', value: ({ column }) => column },
  { name: 'kind', title: safe`Kind`, value: ({ kind }) => kind, kind: 'word' },
  { name: 'text', title: safe`Text`, value: ({ text }) => text, isExtra: true },
]

const unresolvedFields: readonly RowField<Unresolved>[] = [
  { title: safe`Place`, value: positionText },
  { title: safe`Text`, value: ({ text }) => text },
  { title: safe`One of`, value: ({ candidates }) => candidates.join(', ') || undefined },
]

/** References as CSV, below them the lookups that could not be read. */
function referenceCsv(report: ReferenceReport, sanitizer: Sanitizer): Blocks {
  const unread = report.unresolved.map((lookup) => ({ ...lookup, name: '', kind: 'unresolved' }))
  const fields = [...nameFields(report), ...placeFields]
  return rowCsv([...rowsOf(report), ...unread], fields, sanitizer)
}

/** The text instead of an empty list. */
const nothing: Record<ReferenceView, string> = {
  all: 'No flag names.',
  unreferenced: 'All known names are in the code.',
  unknown: 'All names in the code are flags.',
}

/** The totals, as sentences below a list. */
function totals(report: ReferenceReport, sanitizer: Sanitizer): Safe[] {
  const { names, cut, files, unknown, unreferenced, view } = report
  const references = names.reduce((sum, one) => sum + one.references.length, 0)
  const shown = `${counted(names.length, 'name')}, ${counted(references, 'reference')}`
  const problems: ReferenceProblem[] = [
    ...(unknown.length > 0 && view !== 'unreferenced' ? (['unknown'] as const) : []),
    ...(unreferenced.length > 0 && view !== 'unknown' ? (['unreferenced'] as const) : []),
  ]
  const more = cut > 0 ? [`${counted(cut, 'more name')} not shown (--limit)`] : []
  return [
    `${shown}; ${counted(files, 'file')} scanned`,
    ...more,
    ...problems.map((problem) => referenceProblemText(report, problem, sanitizer)),
  ].map(sanitizer.text)
}

/** References as tables: the names, then the lookups that could not be read. */
function* referenceTables(
  format: 'table' | 'markdown',
  report: ReferenceReport,
  printer: Printer,
): Blocks {
  const { text } = printer
  const { view, unresolved, missing } = report
  const wording = format === 'table' ? printer : asCode(printer)
  const draw = format === 'table' ? rowTable : rowMarkdown
  const rows = rowsOf(report)
  // Names without a reference have no place.
  const places = view === 'unreferenced' ? [] : placeFields
  if (rows.length === 0) yield linesOf([text(nothing[view])])
  else yield* draw(rows, [...nameFields(report), ...places], printer)
  if (unresolved.length > 0) {
    const title = text(`${referenceProblemText(report, 'unresolved', printer)}:`)
    yield linesOf([safe``, title, safe``])
    const hasCandidates = unresolved.some(({ candidates }) => candidates.length > 0)
    const fields = hasCandidates ? unresolvedFields : unresolvedFields.slice(0, 2)
    yield* draw(unresolved, fields, printer)
  }
  yield missingLine({ ...missing, lookups: [] }, wording)
  const sums = totals(report, printer)
  const lines = format === 'table' ? sums : [joined(sums, '; ')]
  yield wrappedLines([safe``, ...lines], wording.width)
}

function* referenceJsonl(report: ReferenceReport, sanitizer: Sanitizer): Blocks {
  const rows = rowsOf(report).map(({ name, project, file, line, column, kind, text }) => {
    const place = { file, line, column, kind, text }
    return report.hasProjects ? { project, name, ...place } : { name, ...place }
  })
  yield* rowJsonl([...rows, ...report.unresolved.map((unresolved) => ({ unresolved }))], sanitizer)
  yield missingJsonl(report.missing, sanitizer)
}

function referenceJson(report: ReferenceReport, sanitizer: Sanitizer): Safe {
  const { names, unresolved, skipped, files, missing } = report
  const document = {
    names: names.map(({ name, project, references }) => ({
      name,
      project,
      references: references.map(({ file, line, column, kind, text }) => {
        return { file, line, column, kind, text }
      }),
    })),
    unresolved,
    skipped,
    files,
    incomplete: missingJson({ ...missing, lookups: [] }),
  }
  return jsonReport(document, sanitizer)
}

function referenceGithub(report: ReferenceReport, sanitizer: Sanitizer): Safe {
  const { scope, unknown, unreferenced, unresolved, failOn, missing } = report
  const isUnknown = new Set(unknown)
  const isUnreferenced = new Set(unreferenced)
  const itemOf = (code: ReferenceProblem, message: string): ReportItem => {
    return { code, severity: failOn.includes(code) ? 'error' : 'warning', message }
  }
  const items = rowsOf(report).map(({ name, file, line, column, kind = '' }): ReportItem => {
    const item = { name, file, line, column }
    if (isUnreferenced.has(name)) return { ...item, ...itemOf('unreferenced', 'not in the code') }
    if (isUnknown.has(name)) return { ...item, ...itemOf('unknown', `not a flag of ${scope}`) }
    return { ...item, code: 'reference', severity: 'info', message: kind }
  })
  const summary = missing.lookups.map(() =>
    itemOf('unresolved', referenceProblemText(report, 'unresolved', sanitizer)),
  )
  const severity = failOn.includes('unresolved') ? 'error' : 'info'
  const unread = unresolved.map(({ file, line, column }): ReportItem => {
    return { code: 'unresolved', severity, message: 'could not be read', file, line, column }
  })
  return githubReport([...items, ...summary, ...unread], sanitizer)
}

export function renderReferences(
  format: FormatOf<'references'>,
  report: ReferenceReport,
  printer: Printer,
): Blocks {
  switch (format) {
    case 'table':
    case 'markdown':
      return referenceTables(format, report, printer)
    case 'json':
      return [referenceJson(report, printer)]
    case 'jsonl':
      return referenceJsonl(report, printer)
    case 'csv':
      return referenceCsv(report, printer)
    case 'github':
      return [referenceGithub(report, printer)]
    case 'names':
      return nameLines(
        report.names.flatMap(({ name, references }) =>
          references.length > 0 || report.view === 'unreferenced' ? name : [],
        ),
        printer,
      )
  }
}
