import { inLargestUnit } from '../../input/values.ts'
import type { Blocks } from '../../old/output/blocks.ts'
import type { FormatOf } from '../../old/output/formats.ts'
import { asCode } from '../../old/output/markdown.ts'
import { counted } from '../../old/output/phrases.ts'
import type { Printer } from '../../old/output/printer.ts'
import { nameLines, rowCsv, type RowField, rowJsonl } from '../../old/output/rows.ts'
import { linesOf, safe, type Sanitizer } from '../../old/output/text.ts'
import { wrappedLines } from '../../old/output/width.ts'
import { scopeText, singleProject } from '../../projects/selection.ts'
import { isComplete, type Missing, nothingMissing } from '../../projects/missing.ts'
import { cutLine, renderRows } from '../../projects/report/rows.ts'
import { missingJsonl, missingLine } from '../../projects/report/missing.ts'
import type { Flag, FlagEnvironment } from '../../projects/flags.ts'
import type { UnknownName } from '../unknown.ts'
import type { FlagListOptions } from '../options.ts'
import { flagMarkdown, flagTable, placedFlags } from './table.ts'

/** The formats of rows, as opposed to the service's own document. */
export type RowFormat = Exclude<FormatOf<'list'>, 'json'>

/** The options and the service of a list. */
interface ListSource {
  options: FlagListOptions
  /** The service, as `production, https://flags.example.com`. */
  target: string
  /** How many rows `--limit` leaves out. */
  cut: number
}

/** The projects whose flags are listed. */
interface FlagSource extends ListSource {
  /** The number of projects that could be read. */
  projects: number
  missing: Missing
}

/** The filters as part of a caption: `: stale, of type release, named shop-* or api-*`; empty if there are none. */
function filterText(options: FlagListOptions): string {
  const { name, type, environment, stale, neverSeen, notSeenFor, breaksRule } = options
  const filters = [
    stale ? 'stale' : '',
    neverSeen ? 'never seen' : '',
    notSeenFor === undefined ? '' : `not seen for ${inLargestUnit(notSeenFor)}`,
    breaksRule ? 'breaking the naming rule' : '',
    type ? `of type ${type.join(' or ')}` : '',
    name ? `named ${name.join(' or ')}` : '',
    environment ? `in ${environment.join(' or ')}` : '',
  ].filter(Boolean)
  return filters.length === 0 ? '' : `: ${filters.join(', ')}`
}

function flagContent(
  format: 'table' | 'markdown',
  flags: readonly Flag[],
  { options, missing }: FlagSource,
  printer: Printer,
): Blocks {
  const hasTotal = isComplete(missing)
  if (flags.length === 0) {
    const subject = hasTotal ? safe`No flag` : safe`No flag that could be read`
    if (filterText(options) !== '') return [linesOf([safe`${subject} matches the filters.`])]
    return [linesOf([hasTotal ? safe`No flags.` : safe`${subject}.`])]
  }
  const tableOptions = { withProjects: singleProject(options) === undefined, hasTotal }
  const draw = format === 'table' ? flagTable : flagMarkdown
  return draw(flags, tableOptions, printer)
}

const csvFields: readonly RowField<Flag & { environment?: FlagEnvironment }>[] = [
  { name: 'project', value: ({ projectId }) => projectId },
  { name: 'name', value: ({ name }) => name },
  { name: 'type', value: ({ type }) => type },
  { name: 'stale', value: ({ stale }) => `${stale}` },
  { name: 'createdAt', value: ({ createdAt }) => createdAt },
  { name: 'environment', value: ({ environment }) => environment?.name },
  { name: 'enabled', value: ({ environment }) => environment?.enabled?.toString() },
  { name: 'lastSeenAt', value: ({ environment }) => environment?.lastSeenAt },
]

/** Flags as CSV with a row for each environment. */
function flagCsv(flags: readonly Flag[], sanitizer: Sanitizer): Blocks {
  const rows = flags.flatMap((flag) =>
    flag.environments.length > 0 ? placedFlags([flag]) : [flag],
  )
  return rowCsv(rows, csvFields, sanitizer)
}

export function* renderFlags(
  format: RowFormat,
  flags: readonly Flag[],
  source: FlagSource,
  printer: Printer,
): Blocks {
  const { options, target, projects, cut, missing } = source
  switch (format) {
    case 'jsonl':
      yield* rowJsonl(
        flags.map(({ projectId: project, ...flag }) => ({ project, ...flag })),
        printer,
      )
      yield missingJsonl(missing, printer)
      return
    case 'csv':
      return yield* flagCsv(flags, printer)
    case 'names':
      return yield* nameLines(
        flags.map(({ name }) => name),
        printer,
      )
    case 'markdown':
    case 'table': {
      const scope =
        singleProject(options) === undefined ? counted(projects, 'project') : scopeText(options)
      const caption = `Flags of ${scope} on ${target}${filterText(options)}`
      const wording = format === 'table' ? printer : asCode(printer)
      yield wrappedLines([printer.text(caption), safe``], wording.width)
      yield* flagContent(format, flags, source, printer)
      yield cutLine(cut, wording.width, isComplete(missing))
      yield missingLine(missing, wording)
    }
  }
}

const unknownFields: readonly RowField<UnknownName>[] = [
  { name: 'name', title: safe`Name`, value: ({ name }) => name },
  { name: 'application', title: safe`Application`, value: ({ application }) => application },
  { name: 'environment', title: safe`Environment`, value: ({ environment }) => environment },
  { name: 'seenAt', title: safe`Last seen`, value: ({ seenAt }) => seenAt, kind: 'date' },
]

export function renderUnknownNames(
  format: RowFormat,
  rows: readonly UnknownName[],
  { options, target, cut }: ListSource,
  printer: Printer,
): Blocks {
  const { text } = printer
  const filters = filterText(options)
  const total = counted(new Set(rows.map(({ name }) => name)).size, 'unknown name')
  const list = {
    rows,
    fields: unknownFields,
    caption: text(`Unknown names that SDKs asked for, on ${target}${filters}`),
    nothing: filters === '' ? safe`No unknown names.` : safe`No unknown name matches the filters.`,
    total: { name: total, application: '', environment: '', seenAt: '' },
    summary: text(total),
    cut,
    missing: nothingMissing,
  }
  return renderRows(format, list, printer)
}
