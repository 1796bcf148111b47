import { counted } from '../../output/phrases.ts'
import type { Safe, Sanitizer } from '../../output/text.ts'
import type { Missing } from '../../projects/missing.ts'
import { unreadText } from '../../projects/report/missing.ts'
import type { Skipped } from '../../scan/files.ts'
import type { Reference, Unresolved } from '../../scan/references.ts'
import type { ReferenceProblem } from '../options.ts'

/** Which names a report has. */
export type ReferenceView = 'all' | 'unreferenced' | 'unknown'

/** A name and where it is; nowhere for a known name without a reference. */
interface NamedReferences {
  name: string
  references: readonly Reference[]
}

/** Where flags are in source code. Names are sorted by code unit. */
export interface ReferenceReport {
  view: ReferenceView
  /** The projects whose flags were read. */
  scope: string
  names: readonly NamedReferences[]
  /** Names in the code that are not flags; empty if no flags were read. */
  unknown: readonly string[]
  /** Known names that the code does not contain. */
  unreferenced: readonly string[]
  failOn: readonly ReferenceProblem[]
  unresolved: readonly Unresolved[]
  skipped: readonly Skipped[]
  /** How many files were scanned. */
  files: number
  missing: Missing
}

/** A line of a list: a name at a place, or without one. */
export interface Row {
  name: string
  file?: string
  line?: number
  column?: number
  kind?: string
  text?: string
}

export function rowsOf({ names }: ReferenceReport): Row[] {
  return names.flatMap(({ name, references }): Row[] =>
    references.length > 0 ? references.map(rowOf) : [{ name }],
  )
}

function rowOf({ name, file, line, column, kind, text }: Reference): Row {
  return { name, file, line, column, kind, text }
}

export function placeOf({ file, line, column }: Omit<Row, 'name'>): string | undefined {
  return file === undefined ? undefined : `${file}:${line}:${column}`
}

/** A problem that `--fail-on` can specify, as a sentence. */
export function problemText(
  report: ReferenceReport,
  problem: ReferenceProblem,
  { text }: Sanitizer,
): string {
  const { unknown, unreferenced, missing } = report
  switch (problem) {
    case 'unresolved':
      return missing.lookups.map((lookups) => unreadText(lookups, text)).join('; ')
    case 'unknown': {
      const are = unknown.length === 1 ? 'is not a flag' : 'are not flags'
      return `${counted(unknown.length, 'name')} in the code ${are} of ${report.scope}`
    }
    case 'unreferenced': {
      const are = unreferenced.length === 1 ? 'is' : 'are'
      return `${counted(unreferenced.length, 'known name')} ${are} not in the code`
    }
  }
}

/** What to print instead of an empty list. */
export const nothing: Record<ReferenceView, string> = {
  all: 'No flag names.',
  unreferenced: 'All known names are in the code.',
  unknown: 'All names in the code are flags.',
}

/** What was found, as sentences below a list. */
export function totals(report: ReferenceReport, sanitizer: Sanitizer): Safe[] {
  const { names, files, unknown, unreferenced, view } = report
  const references = names.reduce((sum, one) => sum + one.references.length, 0)
  const shown = `${counted(names.length, 'name')}, ${counted(references, 'reference')}`
  const problems: ReferenceProblem[] = [
    ...(unknown.length > 0 && view !== 'unreferenced' ? (['unknown'] as const) : []),
    ...(unreferenced.length > 0 && view !== 'unknown' ? (['unreferenced'] as const) : []),
  ]
  return [
    `${shown}; ${counted(files, 'file')} scanned`,
    ...problems.map((problem) => problemText(report, problem, sanitizer)),
  ].map(sanitizer.text)
}
