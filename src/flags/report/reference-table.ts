import type { Blocks } from '../../output/blocks.ts'
import { asCode } from '../../output/markdown.ts'
import type { Printer } from '../../output/printer.ts'
import { rowCsv, type RowField, rowMarkdown, rowTable } from '../../output/rows.ts'
import { joined, linesOf, safe, type Sanitizer } from '../../output/text.ts'
import { wrappedLines } from '../../output/width.ts'
import { missingLine } from '../../projects/report/missing.ts'
import type { Unresolved } from '../../scan/references.ts'
import {
  nothing,
  placeOf,
  referenceProblemText,
  type ReferenceReport,
  type Row,
  rowsOf,
  totals,
} from './reference-rows.ts'

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
  { title: safe`Place`, value: placeOf },
  { name: 'file', value: ({ file }) => file },
  { name: 'line', value: ({ line }) => line },
  { name: 'column', value: ({ column }) => column },
  { name: 'kind', title: safe`Kind`, value: ({ kind }) => kind, kind: 'word' },
  { name: 'text', title: safe`Text`, value: ({ text }) => text, isExtra: true },
]

const unresolvedFields: readonly RowField<Unresolved>[] = [
  { title: safe`Place`, value: placeOf },
  { title: safe`Text`, value: ({ text }) => text },
  { title: safe`One of`, value: ({ candidates }) => candidates.join(', ') || undefined },
]

/** References as CSV, below them the lookups that could not be read. */
export function referenceCsv(report: ReferenceReport, sanitizer: Sanitizer): Blocks {
  const unread = report.unresolved.map((lookup) => ({ ...lookup, name: '', kind: 'unresolved' }))
  const fields = [...nameFields(report), ...placeFields]
  return rowCsv([...rowsOf(report), ...unread], fields, sanitizer)
}

/** References as tables: the names, then the lookups that could not be read. */
export function* referenceTables(
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
