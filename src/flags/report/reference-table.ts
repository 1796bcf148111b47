import { type Blocks, inBlocks } from '../../output/blocks.ts'
import type { Column } from '../../output/layout.ts'
import { codeSpan, markdownRow, markdownTable } from '../../output/markdown.ts'
import type { Printer } from '../../output/printer.ts'
import { renderTable } from '../../output/table.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../output/text.ts'
import { missingLine } from '../../projects/report/missing.ts'
import type { Unresolved } from '../../scan/references.ts'
import {
  nothing,
  placeOf,
  problemText,
  type ReferenceReport,
  type Row,
  rowsOf,
  totals,
} from './reference-rows.ts'

function column(title: Safe, cell: (row: number) => Safe, elastic = false): Column {
  return { align: 'left', elastic, forms: [{ title, cell }] }
}

/** References as tables: the names, then the lookups that could not be read. */
export function* referenceTable(report: ReferenceReport, printer: Printer): Blocks {
  const { text, style, width } = printer
  const rows = rowsOf(report)
  const cell = (show: (row: Row, index: number) => string) => (index: number) => {
    const row = rows[index]
    return row ? text(show(row, index)) : safe``
  }
  const columns = [
    column(
      safe`Flag`,
      cell(({ name }, index) => (rows[index - 1]?.name === name ? '' : name)),
      true,
    ),
    column(safe`Place`, cell(placeOf), true),
    column(
      safe`Kind`,
      cell(({ kind = '—' }) => kind),
    ),
    column(
      safe`Text`,
      cell(({ text = '' }) => text),
      true,
    ),
  ]
  if (rows.length === 0) yield linesOf([text(nothing[report.view])])
  else yield* renderTable({ columns, rows: rows.length, width, hasTotals: false }, style.dim)
  yield* unresolvedTable(report, printer)
  yield missingLine({ ...report.missing, lookups: [] }, text)
  yield linesOf([safe``, ...totals(report, printer)])
}

function* unresolvedTable(report: ReferenceReport, printer: Printer): Blocks {
  const { text, style, width } = printer
  const { unresolved } = report
  if (unresolved.length === 0) return
  const cell = (show: (lookup: Unresolved) => string) => (index: number) => {
    const lookup = unresolved[index]
    return lookup ? text(show(lookup)) : safe``
  }
  const columns = [
    column(
      safe`Place`,
      cell(({ file, line, column }) => `${file}:${line}:${column}`),
      true,
    ),
    column(
      safe`Text`,
      cell((lookup) => lookup.text),
      true,
    ),
  ]
  if (unresolved.some(({ candidates }) => candidates.length > 0)) {
    columns.push(
      column(
        safe`One of`,
        cell(({ candidates }) => candidates.join(', ')),
        true,
      ),
    )
  }
  yield linesOf([safe``, text(`${problemText(report, 'unresolved', printer)}:`), safe``])
  yield* renderTable({ columns, rows: unresolved.length, width, hasTotals: false }, style.dim)
}

/** References for a comment on a pull request. */
export function* referenceMarkdown(report: ReferenceReport, sanitizer: Sanitizer): Blocks {
  const { text } = sanitizer
  const code = (value: string | undefined) => (value === undefined ? safe`` : codeSpan(text(value)))
  const rows = rowsOf(report)
  if (rows.length === 0) yield linesOf([text(nothing[report.view])])
  else {
    const titles = [safe`Flag`, safe`Place`, safe`Kind`, safe`Text`]
    yield markdownTable(
      titles.map((title) => ({ title })),
      [],
    )
    yield* inBlocks(rows, (block) =>
      joined(
        block.map((row) => {
          const place = row.file === undefined ? undefined : placeOf(row)
          return markdownRow([code(row.name), code(place), text(row.kind ?? ''), code(row.text)])
        }),
      ),
    )
  }
  if (report.unresolved.length > 0) {
    yield linesOf([safe``, text(`${problemText(report, 'unresolved', sanitizer)}:`), safe``])
    const columns = [{ title: safe`Place` }, { title: safe`Text` }, { title: safe`One of` }]
    const cells = report.unresolved.map((lookup) => [
      code(`${lookup.file}:${lookup.line}:${lookup.column}`),
      code(lookup.text),
      joined(lookup.candidates.map(code), ', '),
    ])
    yield markdownTable(columns, cells)
  }
  yield missingLine({ ...report.missing, lookups: [] }, code)
  yield linesOf([safe``, joined(totals(report, sanitizer), '; ')])
}
