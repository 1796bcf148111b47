import type { FormatOf } from '../../old/output/formats.ts'
import { type Blocks, inBlocks } from '../../old/output/blocks.ts'
import { asCode, type Wording } from '../../old/output/markdown.ts'
import { listedSafe } from '../../old/output/phrases.ts'
import type { Printer } from '../../old/output/printer.ts'
import { joined, linesOf, type Safe, safe } from '../../old/output/text.ts'
import { wrappedLines } from '../../old/output/width.ts'
import { cutLine } from '../../projects/report/rows.ts'
import { isComplete, type Missing } from '../../projects/missing.ts'
import { missingLine, missingJsonl } from '../../projects/report/missing.ts'
import { arrangeRows, type FlagRows, keepsFlag } from '../arrange.ts'
import type { UsageDocument } from '../document.ts'
import type { UsageRow } from '../rows.ts'
import type { FlagProjects, UsageSource } from '../source.ts'
import type { Coverage, Span } from '../span.ts'
import type { Layout, UsageView } from '../view.ts'
import { csvHeader, usageCsv } from './csv.ts'
import { usageJsonl } from './jsonl.ts'
import { usageMarkdown } from './markdown.ts'
import { usageOpenMetrics } from './openmetrics.ts'
import { coveredText } from './sentences.ts'
import { createProjectTotals, renderProjectTotals } from './projects.ts'
import { type FlagSection, usageSection } from './section.ts'
import { usageTable, usageTables } from './table.ts'

/** The flags that could be read: how many are in use and unused, and the time that their records cover. */
export interface Tally {
  used: number
  unused: number
  covered: Coverage | Span | undefined
  /** Those that no application reported in the span. They count as unused, but may not exist. */
  unconfirmed: readonly string[]
}

/** Turns readings into the text of a format, which is rendered in blocks while it is written. */
export interface UsageReport {
  /** @param flag with the rows that the filters keep */
  add(flag: FlagRows, document: UsageDocument): Blocks
  /** @param missing what could not be read */
  end(tally: Tally, missing: Missing): Blocks
}

/** The facts about the run that a report needs. */
export interface ReportOptions extends Pick<UsageSource, 'target' | 'projects'> {
  view: UsageView
  layout: Layout
  several: boolean
  isHourly: boolean
  /** Whether to show facts that nearly every flag shares. */
  verbose: boolean
}

/** Rows for people, who need the project only if there can be several. */
function withoutSingleProject(rows: UsageRow[], projects: FlagProjects | undefined): UsageRow[] {
  return projects?.isSingle ? rows.map((row) => ({ ...row, project: undefined })) : rows
}

/** The line about flags that may not exist, after an empty line; empty if there are none. */
function unconfirmedLine(flags: readonly string[], { text, width }: Wording): Safe {
  if (flags.length === 0) return safe``
  const they = flags.length === 1 ? safe`it` : safe`they`
  const sentence = safe`No application reported ${listedSafe(flags.map(text))}: ${they} may not exist`
  return wrappedLines([safe``, safe`${sentence} (--project checks that)`], width)
}

/** How many flags are in use or, if something is missing, how many of those that could be read. */
function summary({ used, unused, unconfirmed }: Tally, missing: Missing, wording: Wording): Safe {
  const { of } = missing.flags
  const complete = isComplete(missing)
  const read = used + unused === 1 ? safe`1 flag read` : safe`${used + unused} flags read`
  const flags = complete ? safe`${of} flags` : read
  const counts = linesOf([safe``, safe`${flags}: ${used} in use, ${unused} unused`])
  return joined([
    missingLine(missing, wording),
    of > 1 || !complete ? counts : safe``,
    unconfirmedLine(unconfirmed, wording),
  ])
}

/**
 * The sentence for a report without any rows.
 * @param complete whether everything was read
 */
function nothingToShow({ used, unused }: UsageView, complete: boolean): Safe {
  if (!used && !unused) return safe`No usage to show.`
  const flag = complete ? safe`No flag` : safe`No flag that could be read`
  return used ? safe`${flag} is in use.` : safe`${flag} is unused.`
}

/** A heading and a table for each flag, all with the same columns. */
function sectionReport(
  { view, target, verbose, projects }: ReportOptions,
  printer: Printer,
): UsageReport {
  const sections: (FlagSection & { cut: number })[] = []
  function* print(): Blocks {
    const groups = sections.map(({ rows }) => rows).filter(({ length }) => length > 0)
    const tables = usageTables(groups, { by: view.by, hasTotal: true }, printer)
    for (const section of sections) {
      yield linesOf([safe``])
      const table = section.rows.length > 0 ? tables.shift() : undefined
      yield* usageSection(section, table, verbose, printer)
      yield cutLine(section.cut, printer.width, true)
    }
  }
  return {
    add(flagRows, document) {
      if (!keepsFlag(flagRows, view)) return []
      const { flag, rows } = flagRows
      const project = projects?.isSingle ? undefined : flagRows.project
      const { rows: shown, cut } = arrangeRows(rows.length > 0 ? [flagRows] : [], view)
      const ofOneFlag = shown.map((row) => ({
        ...row,
        project: undefined,
        flag: view.groupBy === 'flag' ? row.flag : undefined,
      }))
      sections.push({ document, flag, project, rows: ofOneFlag, cut })
      return []
    },
    *end(tally, missing) {
      yield wrappedLines([safe`Usage on ${printer.text(target)}`], printer.width)
      if (sections.length > 0) yield* print()
      else yield linesOf([safe``, nothingToShow(view, isComplete(missing))])
      yield summary(tally, missing, printer)
    },
  }
}

/** All rows of all flags together. */
function rowsReport(
  { view }: ReportOptions,
  render: (rows: UsageRow[], cut: number, tally: Tally, missing: Missing) => Blocks,
): UsageReport {
  const flags: FlagRows[] = []
  return {
    add(flag) {
      flags.push(flag)
      return []
    },
    end(tally, missing) {
      const { rows, cut } = arrangeRows(flags, view)
      return render(rows, cut, tally, missing)
    },
  }
}

/** Whether the rows of a flag and their place do not depend on the flags after it. */
function isSequential({ groupBy: grouping = 'none', sort, reverse }: UsageView): boolean {
  return (grouping === 'none' || grouping === 'flag') && sort === undefined && !reverse
}

/** A format of rows one after the other. */
interface ListFormat {
  header: readonly Safe[]
  render(rows: readonly UsageRow[]): Safe
  /** The text below the rows. */
  footer(missing: Missing): Safe
}

/** Rows of all flags, one after the other; printed with their flag if their place does not depend on others. */
function listReport({ view }: ReportOptions, { header, render, footer }: ListFormat): UsageReport {
  let unprinted = header
  let waiting: FlagRows[] = []
  let { limit = Number.POSITIVE_INFINITY } = view
  function* print(): Blocks {
    yield* unprinted
    unprinted = []
    const { rows } = arrangeRows(waiting, { ...view, limit })
    waiting = []
    limit -= rows.length
    yield* inBlocks(rows, render)
  }
  return {
    *add(flag) {
      waiting.push(flag)
      if (isSequential(view)) yield* print()
    },
    *end(_tally, missing) {
      yield* print()
      yield footer(missing)
    },
  }
}

/** The totals of each project. */
function projectReport(
  format: Exclude<FormatOf<'usage'>, 'json' | 'openmetrics'>,
  { view, target, projects }: ReportOptions,
  printer: Printer,
): UsageReport {
  const totals = createProjectTotals(projects, view)
  return {
    add(flag) {
      totals.add(flag)
      return []
    },
    end({ covered }, missing) {
      const caption = printer.text(`Usage on ${target}, ${coveredText(covered)}`)
      const about = { view, caption, missing }
      return renderProjectTotals(format, totals.end(missing), about, printer)
    },
  }
}

/**
 * A report for people: a caption with service and window, a table, and a summary.
 * @param draw draws the table
 */
function tableReport(
  options: ReportOptions,
  draw: typeof usageTable,
  printer: Printer,
  wording: Wording = printer,
): UsageReport {
  const { view, target, projects } = options
  return rowsReport(options, function* (rows, cut, tally, missing) {
    const hasTotal = isComplete(missing)
    const caption = printer.text(`Usage on ${target}, ${coveredText(tally.covered)}`)
    yield wrappedLines([caption, safe``], wording.width)
    if (rows.length > 0) {
      yield* draw(withoutSingleProject(rows, projects), { by: view.by, hasTotal }, printer)
    } else yield linesOf([nothingToShow(view, hasTotal)])
    yield cutLine(cut, wording.width, hasTotal)
    yield summary(tally, missing, wording)
  })
}

/** The report for a format of rows, which are all but JSON. */
export function rowReport(
  format: Exclude<FormatOf<'usage'>, 'json'>,
  options: ReportOptions,
  printer: Printer,
): UsageReport {
  const isByProject = options.view.groupBy === 'project'
  if (isByProject && format !== 'openmetrics') return projectReport(format, options, printer)
  switch (format) {
    case 'table':
      if (options.layout === 'sections') return sectionReport(options, printer)
      return tableReport(options, usageTable, printer)
    case 'jsonl':
      return listReport(options, {
        header: [],
        render: (rows) => usageJsonl(rows, options, printer),
        footer: (missing) => missingJsonl(missing, printer),
      })
    case 'csv':
      return listReport(options, {
        header: [csvHeader(options)],
        render: (rows) => usageCsv(rows, options, printer),
        footer: () => safe``,
      })
    case 'markdown':
      return tableReport(options, usageMarkdown, printer, asCode(printer))
    case 'openmetrics':
      return rowsReport(options, (rows, _cut, { covered }, missing) =>
        usageOpenMetrics(rows, coveredText(covered), options, missing, printer),
      )
  }
}
