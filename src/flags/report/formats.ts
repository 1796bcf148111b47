import type { Blocks } from '../../output/blocks.ts'
import type { FormatOf } from '../../output/formats.ts'
import type { Printer } from '../../output/printer.ts'
import { linesOf, type Safe, safe } from '../../output/text.ts'
import { isComplete, type Missing } from '../../projects/missing.ts'
import { missingJsonl, missingLine, missingMarkdown } from '../../projects/report/missing.ts'
import type { Flag, UnknownName } from '../flag.ts'
import { flagCsv, flagMarkdown, jsonLines, nameLines } from './list.ts'
import { flagTable } from './table.ts'
import { unknownCsv, unknownMarkdown, unknownTable } from './unknown.ts'

/** The formats of rows, as opposed to the service's own document. */
export type RowFormat = Exclude<FormatOf<'list'>, 'json'>

/** What a table or a Markdown list shows besides its rows. */
export interface ListOptions {
  /** The line above the list. */
  caption: string
  /** What to print instead of an empty table. */
  nothing: string
}

/** @param gap the line about what is missing */
function* captioned(
  { caption, nothing }: ListOptions,
  { text }: Printer,
  rows: number,
  content: Blocks,
  gap = safe``,
): Blocks {
  yield linesOf([text(caption), safe``])
  if (rows > 0) yield* content
  else yield linesOf([text(nothing)])
  yield gap
}

function* followed(content: Blocks, last: Safe): Blocks {
  yield* content
  yield last
}

/** What a list of flags shows besides its rows. */
interface FlagListOptions extends ListOptions {
  withProjects: boolean
  missing: Missing
}

/** Flags in a format. */
export function renderFlags(
  format: RowFormat,
  flags: readonly Flag[],
  options: FlagListOptions,
  printer: Printer,
): Blocks {
  const { withProjects, missing } = options
  const tableOptions = { withProjects, hasTotal: isComplete(missing) }
  switch (format) {
    case 'jsonl':
      return followed(jsonLines(flags, printer), missingJsonl(missing, printer))
    case 'csv':
      return flagCsv(flags, printer)
    case 'names':
      return nameLines(flags, printer)
    case 'markdown': {
      const table = flagMarkdown(flags, tableOptions, printer)
      return captioned(options, printer, flags.length, table, missingMarkdown(missing, printer))
    }
    case 'table': {
      const table = flagTable(flags, tableOptions, printer)
      return captioned(options, printer, flags.length, table, missingLine(missing, printer))
    }
  }
}

/** Unknown names in a format. */
export function renderUnknownNames(
  format: RowFormat,
  rows: readonly UnknownName[],
  options: ListOptions,
  printer: Printer,
): Blocks {
  switch (format) {
    case 'jsonl':
      return jsonLines(rows, printer)
    case 'csv':
      return unknownCsv(rows, printer)
    case 'names':
      return nameLines(rows, printer)
    case 'markdown':
      return captioned(options, printer, rows.length, unknownMarkdown(rows, printer))
    case 'table':
      return captioned(options, printer, rows.length, unknownTable(rows, printer))
  }
}
