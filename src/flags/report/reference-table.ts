import type { Blocks } from '../../output/blocks.ts'
import { asCode } from '../../output/markdown.ts'
import type { Printer } from '../../output/printer.ts'
import { type RowField, rowMarkdown, rowTable } from '../../output/rows.ts'
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

/** The fields of a reference. People do not see those that names without one do not have. */
export function referenceFields({ hasProjects, isSingle, view }: ReferenceReport): RowField<Row>[] {
  const project = ({ project }: Row) => project
  const places: RowField<Row>[] = [
    { title: safe`Place`, value: placeOf },
    { title: safe`Kind`, value: ({ kind }) => kind, kind: 'word' },
    { title: safe`Text`, value: ({ text }) => text, isExtra: true },
  ]
  return [
    ...(hasProjects ? [{ name: 'project', value: project }] : []),
    { name: 'name', value: ({ name }) => name },
    ...(hasProjects && !isSingle ? [{ title: safe`Project`, value: project }] : []),
    ...(view === 'unreferenced' ? [] : places),
    { name: 'file', value: ({ file }) => file },
    { name: 'line', value: ({ line }) => line },
    { name: 'column', value: ({ column }) => column },
    { name: 'kind', value: ({ kind }) => kind },
    { name: 'text', value: ({ text }) => text },
  ]
}

const flagField: RowField<Row> = {
  title: safe`Flag`,
  value: ({ name }) => name,
  isGroup: true,
}

const unresolvedFields: readonly RowField<Unresolved>[] = [
  { title: safe`Place`, value: placeOf },
  { title: safe`Text`, value: ({ text }) => text },
  { title: safe`One of`, value: ({ candidates }) => candidates.join(', ') || undefined },
]

/** The lookups that could not be read, below the references. */
function* unresolvedBlocks(
  report: ReferenceReport,
  draw: (lookups: readonly Unresolved[], fields: readonly RowField<Unresolved>[]) => Blocks,
  sanitizer: Sanitizer,
): Blocks {
  const { unresolved } = report
  if (unresolved.length === 0) return
  const title = sanitizer.text(`${referenceProblemText(report, 'unresolved', sanitizer)}:`)
  yield linesOf([safe``, title, safe``])
  const hasCandidates = unresolved.some(({ candidates }) => candidates.length > 0)
  yield* draw(unresolved, hasCandidates ? unresolvedFields : unresolvedFields.slice(0, 2))
}

/** References as tables: the names, then the lookups that could not be read. */
export function* referenceTable(report: ReferenceReport, printer: Printer): Blocks {
  const { text } = printer
  const rows = rowsOf(report)
  const fields = [flagField, ...referenceFields(report)]
  if (rows.length === 0) yield linesOf([text(nothing[report.view])])
  else yield* rowTable(rows, fields, printer)
  yield* unresolvedBlocks(report, (...lookups) => rowTable(...lookups, printer), printer)
  yield missingLine({ ...report.missing, lookups: [] }, printer)
  yield wrappedLines([safe``, ...totals(report, printer)], printer.width)
}

/** References for a comment on a pull request. */
export function* referenceMarkdown(report: ReferenceReport, sanitizer: Sanitizer): Blocks {
  const { text } = sanitizer
  const rows = rowsOf(report)
  if (rows.length === 0) yield linesOf([text(nothing[report.view])])
  else yield* rowMarkdown(rows, [flagField, ...referenceFields(report)], sanitizer)
  yield* unresolvedBlocks(report, (...lookups) => rowMarkdown(...lookups, sanitizer), sanitizer)
  yield missingLine({ ...report.missing, lookups: [] }, asCode(sanitizer))
  yield linesOf([safe``, joined(totals(report, sanitizer), '; ')])
}
