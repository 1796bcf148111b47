import type { Blocks } from '../../old/output/blocks.ts'
import { type Column, fitsInFull, formOf } from '../../old/output/layout.ts'
import { asCode, type Wording } from '../../old/output/markdown.ts'
import { counted, NOTHING } from '../../old/output/phrases.ts'
import type { Printer } from '../../old/output/printer.ts'
import { type RowField, rowMarkdown } from '../../old/output/rows.ts'
import type { Paint, Style } from '../../old/output/style.ts'
import { renderTable, rowTable } from '../../old/output/table.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { wrappedLines, wrapText } from '../../old/output/width.ts'
import { flagNames } from '../../flags/report/table.ts'
import { isComplete } from '../../projects/missing.ts'
import { missingLine } from '../../projects/report/missing.ts'
import { namesAbove } from '../../projects/report/names.ts'
import { cutLine } from '../../projects/report/rows.ts'
import { spanText } from '../../usage/report/sentences.ts'
import { verdicts } from '../options.ts'
import type { ProjectVerdicts, ReviewedRow } from '../rows.ts'
import type { ReviewReport } from './report.ts'

/** `Review of 3 projects on https://flags.example.com, since 2026-11-18 17:00 UTC, 47 h` */
function caption({ scope, target, span }: ReviewReport, { text }: Sanitizer): Safe {
  const time = span === undefined ? '' : `, ${spanText(span)}`
  return text(`Review of ${scope} on ${target}${time}`)
}

function painter({ green, yellow, dim }: Style): Paint {
  const paints: Record<string, Paint> = { removable: green, unclear: yellow }
  return (verdict) => (paints[verdict] ?? dim)(verdict)
}

/** Reasons as lines below their row, where a column would be too narrow for them. */
function reasonsBelow(rows: readonly ReviewedRow[], { text, width }: Printer) {
  return (index: number, tableWidth: number) => {
    const lines = (rows[index]?.reasons ?? []).flatMap((reason) =>
      wrapText(text(reason), (width ?? tableWidth) - 4).map((line, at) =>
        at === 0 ? safe`  └ ${line}` : safe`    ${line}`,
      ),
    )
    return joined(lines, '\n')
  }
}

/** The state of a flag that the service itself reports: `stale`, the stage of its lifecycle. */
function stateOf({ flag }: ReviewedRow): string | undefined {
  const parts = [flag.stale ? 'stale' : '', flag.lifecycle?.stage].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : undefined
}

/** The fields of a verdict. The reasons are the last one. */
function reviewFields({ rows, withProjects }: ReviewReport): RowField<ReviewedRow>[] {
  const project: RowField<ReviewedRow> = {
    title: safe`Project`,
    value: ({ flag }) => flag.projectId,
  }
  return [
    ...(withProjects ? [project] : []),
    { title: safe`Flag`, value: ({ flag }) => flag.name },
    { title: safe`Verdict`, kind: 'word', value: ({ verdict }) => verdict },
    { title: safe`Type`, value: ({ flag }) => flag.type },
    ...(rows.some(stateOf) ? [{ title: safe`State`, value: stateOf }] : []),
    { title: safe`Reasons`, value: ({ reasons }) => reasons.join('; ') },
  ]
}

function verdictTable(report: ReviewReport, printer: Printer): Blocks {
  const { rows, withProjects } = report
  const { text, style, width } = printer
  const columns = reviewFields(report).map(({ title = safe``, value, kind }): Column => {
    const nothing = value === stateOf ? '' : NOTHING
    const form = formOf(title, rows, (row) => text(`${value(row) ?? nothing}`))
    return kind === 'word'
      ? { forms: [form], paint: painter(style) }
      : { forms: [form], elastic: true }
  })
  const content = { rows: rows.length, width }
  const wide = { ...content, columns }
  if (fitsInFull(wide)) return renderTable(wide, style.dim)
  const below = reasonsBelow(rows, printer)
  const narrow = { ...content, columns: columns.slice(0, -1), below }
  if (fitsInFull(narrow)) return renderTable(narrow, style.dim)
  const flags = rows.map(({ flag }) => flag)
  const above = namesAbove(flags, flagNames(withProjects), [], printer)
  const others = columns.slice(withProjects ? 2 : 1, -1)
  return renderTable({ ...narrow, columns: others, above }, style.dim)
}

const totalFields: readonly RowField<ProjectVerdicts>[] = [
  { title: safe`Project`, value: ({ project }) => project },
  { title: safe`Flags`, kind: 'number', value: ({ flags }) => flags },
  { title: safe`Removable`, kind: 'number', value: ({ removable }) => removable },
  { title: safe`In use`, kind: 'number', value: (totals) => totals['in use'] },
  { title: safe`Unclear`, kind: 'number', value: ({ unclear }) => unclear },
  { title: safe`Permanent`, kind: 'number', value: ({ permanent }) => permanent },
]

/** `12 flags: 3 removable, 5 in use, 2 unclear, 2 permanent` */
function sumText({ sum }: ReviewReport, { text }: Sanitizer): Safe {
  const parts = verdicts.map((verdict) => `${sum[verdict]} ${verdict}`)
  return text(`${counted(sum.flags, 'flag')}: ${parts.join(', ')}`)
}

const NO_FLAGS = safe`No flags to show.`

/** The lines below the tables: what was not checked and what is missing. */
function* notes(
  { notChecked, missing }: ReviewReport,
  { text }: Sanitizer,
  wording: Wording,
): Blocks {
  if (notChecked.length > 0) {
    const note = text(`Not checked: ${notCheckedText(notChecked)}`)
    yield wrappedLines([safe``, note], wording.width)
  }
  yield missingLine(missing, wording)
}

/** `lifecycle and dependencies, which the service does not list` */
export function notCheckedText(notChecked: ReviewReport['notChecked']): string {
  return `${notChecked.join(' and ')}, which the service does not list`
}

/** The totals of each project, and of all together if nothing is missing. */
function* totalsBlocks(
  report: ReviewReport,
  draw: typeof rowTable<ProjectVerdicts>,
  printer: Printer,
): Blocks {
  const { totals, withProjects, missing } = report
  if (withProjects) {
    yield* draw(totals, totalFields, printer)
    if (isComplete(missing)) yield linesOf([safe``])
  }
  if (!withProjects || isComplete(missing))
    yield wrappedLines([sumText(report, printer)], printer.width)
}

/** The verdicts as a table, and the totals. */
export function* reviewTable(report: ReviewReport, printer: Printer): Blocks {
  const { rows, cut, totals } = report
  yield wrappedLines([caption(report, printer), safe``], printer.width)
  if (rows.length > 0) yield* verdictTable(report, printer)
  else yield linesOf([NO_FLAGS])
  yield cutLine(cut, printer.width)
  if (totals.length > 0) {
    yield linesOf([safe``])
    yield* totalsBlocks(report, rowTable, printer)
  }
  yield* notes(report, printer, printer)
}

/** The totals, and the verdicts as a Markdown table. */
export function* reviewMarkdown(report: ReviewReport, printer: Printer): Blocks {
  const { rows, cut, totals } = report
  yield linesOf([caption(report, printer), safe``])
  if (totals.length > 0) {
    yield* totalsBlocks(report, rowMarkdown, { ...printer, width: undefined })
    yield linesOf([safe``])
  }
  if (rows.length === 0) yield linesOf([NO_FLAGS])
  else yield* rowMarkdown(rows, reviewFields(report), printer)
  yield cutLine(cut, undefined)
  yield* notes(report, printer, asCode(printer))
}
