import {
  absenceText,
  type CodePlace,
  type CodeReading,
  type FoundNames,
  mentionText,
  presenceOf,
  type Reference,
  type Unresolved,
} from '../code/index.ts'
import type { Gap } from '../output/problems.ts'
import type { Verdict } from '../review/verdicts.ts'

export const referenceProblems = ['unresolved', 'unknown', 'unreferenced', 'unread'] as const
export type ReferenceProblem = (typeof referenceProblems)[number]

/** Whether a name, or a lookup without one, was added to the code or removed from it. */
type Change = 'added' | 'removed'

/** A line of the report: a name at a place or without one, or a place without a name. */
export interface ReferenceRow extends Partial<CodePlace> {
  name?: string
  change?: Change | undefined
  project?: string | undefined
  /** Whether the flag may go, for a removed name. */
  verdict?: Verdict | undefined
  /** Why the name is not, or may not be, in the code, or not a flag; what else is known of it. */
  status?: string | undefined
  /** Whether the code may have the name, or may have had it, so that a script must not act on it. */
  isUnclear?: boolean
  /** `text`: a known name; `composed`: a text that may be the name; a kind of lookup; `unresolved` or `unread`. */
  kind?: 'text' | 'composed' | Reference['kind'] | 'unresolved' | 'unread'
  /** What is certainly wrong with it. */
  problem?: ReferenceProblem | undefined
  /** Whether the name is in the code; undefined if that is not known, and without a name. */
  inCode?: boolean | undefined
}

interface UnresolvedLookup extends Unresolved, Pick<ReferenceRow, 'change'> {
  /** The old revision that has it. */
  revision?: string
}

export interface Findings extends CodeReading {
  rows: readonly ReferenceRow[]
  unresolved: readonly UnresolvedLookup[]
  /** What could not be read. */
  gaps: readonly Gap[]
}

/** A row for each place of a known name, or one that says why it has none. */
export function rowsOfName(places: FoundNames, name: string): ReferenceRow[] {
  const presence = presenceOf(places, name)
  switch (presence.kind) {
    case 'found':
      return presence.places.map((place) => ({ name, ...place, kind: 'text', inCode: true }))
    case 'absent': {
      const status = absenceText(places, presence.spelled)
      return [{ name, status, problem: 'unreferenced', inCode: false }]
    }
    case 'mentioned': {
      const status = mentionText(presence.places)
      return [{ name, status, problem: 'unreferenced', inCode: true }]
    }
    case 'unclear': {
      const { message, place } = presence.first
      const mention = presence.places.length > 0 ? `${mentionText(presence.places)}; ` : ''
      const row = { name, status: `${mention}unclear: ${message}`, isUnclear: true }
      return place ? [{ ...row, ...place, kind: 'composed' }] : [row]
    }
  }
}

/** The distinct names of rows, in their order. */
export function rowNames(rows: readonly ReferenceRow[]): string[] {
  return [...new Set(rows.map(({ name = '' }) => name))]
}
