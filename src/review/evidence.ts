import type { Place } from '../output/problems.ts'
import type { Absence } from '../flags/absences.ts'
import type { Flag } from '../flags/selection.ts'
import type { UsageEvidence } from './usage-evidence.ts'
import type { Verdict } from './verdicts.ts'

/** The places of a flag in the code of another repository. */
export interface RepositoryPlaces {
  /** Its address, or the name of its folder, and the name by which it is shown. */
  repository: string
  name: string
  /** How many places there are. */
  places: number
  /** The first one. */
  place: Place
}

/** What searches of source code found about a flag. */
export interface CodeEvidence {
  /** In the code that was searched; undefined if none was, or if it is not known whether it is there. */
  places?: readonly { file: string; line: number; column?: number }[] | undefined
  /** In other repositories; undefined if there are none, or if it is not known whether it is there. */
  repositories?: readonly RepositoryPlaces[] | undefined
  /** That it is there, or else why it may be, as sentences. */
  texts: readonly string[]
  /** What is said of it if there are no texts: `not in the code`. */
  absence: string
}

/** Everything that is known about a flag, or about a name that was given. */
export interface Evidence {
  name: string
  /** Undefined for a name that is in no list. */
  flag: Flag | undefined
  /** Set for a name that is in no list, if there are lists. */
  absence: Absence | undefined
  /** Undefined if it could not be read. */
  usage?: UsageEvidence | undefined
  /** The flags that depend on it; only read, as the lifecycle is, if the flag would otherwise be removable. */
  dependents?: readonly string[] | undefined
  /** Who created it, if its own document says so. */
  createdBy?: string | undefined
  /** As the service reports it; undefined if it does not. */
  lifecycle?: object | null | undefined
  /** Undefined if no code was searched. */
  code: CodeEvidence | undefined
  /** Why it may have been seen or used although that is not shown, as sentences. */
  usageDoubts?: readonly string[] | undefined
  /** What could not be read, and else speaks against removing the flag, as sentences. */
  doubts: readonly string[]
}

/** A verdict on a flag. */
export interface Decision {
  verdict: Verdict
  /** What usage alone says about the span. */
  usageState: 'used' | 'unused' | 'unclear'
  /** The decisive one first: a table shows only that. */
  reasons: readonly string[]
  /** The decisive reason with rounded counts, if it has a count. */
  rounded?: string | undefined
  /** Whether it is removable but on where no SDK asked for it. */
  isOn?: boolean
  /** Whether it is in use but on everywhere, so that it could become permanent in code. */
  isOnEverywhere?: boolean
}

/** A flag with its verdict. */
export type Row = Evidence & Decision
