import type { ChalkInstance } from 'chalk'
import type { Flag, UnknownName } from '../flag.ts'
import type { FormatOf } from '../../output/formats.ts'
import { isComplete, type Missing } from '../../projects/missing.ts'
import type { Blocks } from '../../output/blocks.ts'
import { missingJsonl, missingLine, missingMarkdown } from '../../projects/report/missing.ts'
import { isolate, safeText } from '../../output/escapes.ts'

/** The formats of rows, as opposed to the service's own document. */
export type RowFormat = Exclude<FormatOf<'list'>, 'json'>

/** What a table or a Markdown list shows besides its rows, and where it is printed. */
export interface ListOptions {
  /** The line above the list. */
  caption: string
  /** What to print instead of an empty table. */
  nothing: string
  /** Columns of the terminal; undefined without a terminal, where nothing is shortened. */
  width: number | undefined
  style: ChalkInstance
}

/** @param gap the line about what is missing */
function* captioned(
  { caption, nothing }: ListOptions,
  rows: number,
  content: Blocks,
  gap = '',
): Blocks {
  yield isolate(`${safeText(caption)}\n\n`)
  if (rows > 0) yield* content
  else yield `${nothing}\n`
  yield gap
}

function* followed(content: Blocks, last: string): Blocks {
  yield* content
  yield last
}

/** What a list of flags shows besides its rows. */
interface FlagListOptions extends ListOptions {
  withProjects: boolean
  /** What could not be read, with secrets masked. */
  missing: Missing
}

/**
 * Flags in a format.
 * @param flags with secrets masked
 */
export async function renderFlags(
  format: RowFormat,
  flags: readonly Flag[],
  options: FlagListOptions,
): Promise<Blocks> {
  const { withProjects, missing, width, style } = options
  const hasTotal = isComplete(missing)
  const { flagCsv, flagMarkdown, jsonLines, nameLines } = await import('./list.ts')
  switch (format) {
    case 'jsonl':
      return followed(jsonLines(flags), missingJsonl(missing))
    case 'csv':
      return flagCsv(flags)
    case 'names':
      return nameLines(flags)
    case 'markdown':
      return captioned(
        options,
        flags.length,
        flagMarkdown(flags, { withProjects, hasTotal }),
        missingMarkdown(missing),
      )
    case 'table': {
      const { flagTable } = await import('./table.ts')
      return captioned(
        options,
        flags.length,
        flagTable(flags, { withProjects, hasTotal }, width, style.dim),
        missingLine(missing),
      )
    }
  }
}

/**
 * Unknown names in a format.
 * @param rows with secrets masked
 */
export async function renderUnknownNames(
  format: RowFormat,
  rows: readonly UnknownName[],
  options: ListOptions,
): Promise<Blocks> {
  const [{ jsonLines, nameLines }, { unknownCsv, unknownMarkdown, unknownTable }] =
    await Promise.all([import('./list.ts'), import('./unknown.ts')])
  switch (format) {
    case 'jsonl':
      return jsonLines(rows)
    case 'csv':
      return unknownCsv(rows)
    case 'names':
      return nameLines(rows)
    case 'markdown':
      return captioned(options, rows.length, unknownMarkdown(rows))
    case 'table':
      return captioned(options, rows.length, unknownTable(rows, options.width, options.style.dim))
  }
}
