import { counted } from '../../output/phrases.ts'
import type { Sanitizer } from '../../output/text.ts'
import type { Missing } from '../../projects/missing.ts'
import { unreadText } from '../../projects/report/missing.ts'
import type { Skipped } from '../../scan/files.ts'
import type { Reference, Unresolved } from '../../scan/findings.ts'
import type { ReferenceProblem } from '../options.ts'

/** Which names a report has. */
export type ReferenceView = 'all' | 'unreferenced' | 'unknown'

/** A name and where it is; nowhere for a known name without a reference. */
export interface NamedReferences {
  name: string
  /** The project of a flag; undefined for a name that is not one, and if no flags were read. */
  project: string | undefined
  references: readonly Reference[]
}

/** Where flags are in source code. */
export interface ReferenceReport {
  view: ReferenceView
  /** The projects whose flags were read. */
  scope: string
  /** Whether flags were read, so that their projects are known. */
  hasProjects: boolean
  /** Whether they are of a single project. */
  isSingle: boolean
  names: readonly NamedReferences[]
  /** How many names `--limit` leaves out. */
  cut: number
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

/** A problem that `--fail-on` can specify, as a sentence. */
export function referenceProblemText(
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
