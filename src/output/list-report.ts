import type { Context } from '../context.ts'
import type { Flag, UnknownName } from '../feature/flag.ts'
import type { FormatOf } from '../formats.ts'
import { isolate, safeText } from './text.ts'

/** The formats of rows, as opposed to the service's own document. */
type RowFormat = Exclude<FormatOf<'list'>, 'json'>

function captioned(caption: string, content: string): string {
  return isolate(`${safeText(caption)}\n\n${content.trimEnd()}\n`)
}

/** What a list says besides its rows. */
interface Framing {
  /** The line above a list for people. */
  caption: string
  /** What to print instead of an empty table. */
  nothing: string
}

/** Flags in a format. */
export async function renderFlags(
  { redactor, style, width }: Context,
  format: RowFormat,
  found: readonly Flag[],
  { caption, nothing, withProjects }: Framing & { withProjects: boolean },
): Promise<string> {
  const flags = redactor.redactAll(found)
  const { flagCsv, flagMarkdown, jsonLines, nameLines } = await import('./flag-list.ts')
  switch (format) {
    case 'jsonl':
      return jsonLines(flags)
    case 'csv':
      return flagCsv(flags)
    case 'names':
      return nameLines(flags)
    case 'markdown':
      return captioned(caption, flags.length > 0 ? flagMarkdown(flags, withProjects) : nothing)
    case 'table': {
      if (flags.length === 0) return captioned(caption, nothing)
      const [{ flagTable }, { dim }] = [await import('./flag-table.ts'), await style()]
      return captioned(caption, flagTable(flags, withProjects, width, dim))
    }
  }
}

/** Unknown names in a format. */
export async function renderUnknownNames(
  { redactor, style, width }: Context,
  format: RowFormat,
  found: readonly UnknownName[],
  { caption, nothing }: Framing,
): Promise<string> {
  const rows = redactor.redactAll(found)
  const [{ jsonLines, nameLines }, { unknownCsv, unknownMarkdown, unknownTable }] =
    await Promise.all([import('./flag-list.ts'), import('./unknown-names.ts')])
  switch (format) {
    case 'jsonl':
      return jsonLines(rows)
    case 'csv':
      return unknownCsv(rows)
    case 'names':
      return nameLines(rows)
    case 'markdown':
      return captioned(caption, rows.length > 0 ? unknownMarkdown(rows) : nothing)
    case 'table': {
      const { dim } = await style()
      return captioned(caption, rows.length > 0 ? unknownTable(rows, width, dim) : nothing)
    }
  }
}
