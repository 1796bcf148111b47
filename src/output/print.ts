import type { Host } from '../host.ts'
import { relativePath, resolve } from '../paths.ts'
import { repositoryRoot } from '../repository.ts'
import { factsOf, formats, printsRecords, type ReportFormat, type RowFormat } from './formats.ts'
import { type Incomplete, incompleteLines } from './incomplete.ts'
import type { RowField } from './fields.ts'
import type { Place } from './problems.ts'
import { problemsOf, type ProblemReport } from './report.ts'
import { blocksOf, type RowPrinter, type RowReport } from './rows.ts'
import type { Writer } from './text.ts'

/** The part of a context that printing needs. */
interface Streams {
  out: Writer
  messages: { warn(message: string): void }
}

/** Warns of what is incomplete, unless it is reported anyway: for output that has no place for it. */
export function warnOf(incomplete: readonly Incomplete[], { messages }: Streams): void {
  const unreported = incomplete.filter(({ isReported }) => !isReported)
  for (const line of incompleteLines(unreported)) messages.warn(line)
}

/** Begins to print rows as they come; undefined for a format that needs all of them. */
export async function openRows<Row>(
  format: RowFormat,
  fields: readonly RowField<Row>[],
  streams: Streams,
): Promise<RowPrinter<Row> | undefined> {
  const file = await formats[format].rows()
  if (!('beginRows' in file)) return undefined
  const { add, end } = file.beginRows(fields, streams.out)
  return {
    add,
    end(incomplete) {
      end(incomplete)
      if (!factsOf(format).showsGaps) warnOf(incomplete, streams)
    },
  }
}

export async function printRows<Row>(
  format: RowFormat,
  report: RowReport<Row>,
  streams: Streams,
): Promise<void> {
  const { fields, rows, incomplete = [] } = report
  const file = await formats[format].rows()
  if ('writeRows' in file) {
    file.writeRows(report, streams.out)
  } else {
    const printer = file.beginRows(fields, streams.out)
    for (const block of blocksOf(rows)) printer.add(block)
    printer.end(incomplete)
  }
  if (!factsOf(format).showsGaps) warnOf(incomplete, streams)
}

/** The report with paths from the root of the repository, or from the working directory outside of one. */
function inRepository(report: ProblemReport, cwd: string): ProblemReport {
  const root = repositoryRoot(cwd)
  if (root === cwd) return report
  const pathFrom = (file: string) => relativePath(resolve(cwd, file), root)
  const placed = <Item extends Place>(item: Item): Item => {
    // Standard input is not a file.
    if (item.file === undefined || item.file.startsWith('<')) return item
    return { ...item, file: pathFrom(item.file) }
  }
  const { groups, incomplete, fallbackPath } = report
  return {
    ...report,
    groups: groups.map((group) => ({ ...group, problems: group.problems.map(placed) })),
    incomplete: incomplete.map((gap) => ({ ...gap, places: gap.places?.map(placed) })),
    fallbackPath: fallbackPath === undefined ? undefined : pathFrom(fallbackPath),
  }
}

export async function printReport(
  format: ReportFormat,
  report: ProblemReport,
  { host, ...streams }: Streams & { host: Pick<Host, 'cwd'> },
): Promise<void> {
  const { fields = [], incomplete } = report
  if (printsRecords(format)) {
    const rows = problemsOf(report)
    return printRows(format, { rows, fields, nothing: '', incomplete }, streams)
  }
  const { hasRepositoryPaths, showsGaps } = factsOf(format)
  const { writeReport } = await formats[format].report()
  writeReport(hasRepositoryPaths ? inRepository(report, host.cwd) : report, streams.out)
  if (!showsGaps) warnOf(incomplete, streams)
}
