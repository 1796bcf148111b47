// What is known about a flag, or about a name that was given. Nothing here is judged.
import { FlagadmError } from '../errors.ts'
import type { Absence } from '../flags/absences.ts'
import type { Flag } from '../flags/flag.ts'
import type { CodeEvidence } from './code-evidence.ts'
import type { Kept } from './kept-flags.ts'
import type { OwnDocument } from './own-document.ts'
import type { RecentChanges } from './recent-changes.ts'
import type { ServiceFacts } from './service-facts.ts'
import type { UsageEvidence } from './usage-evidence.ts'
import type { Verdict } from './verdicts.ts'

/** What is read about a flag only if a question needs it, the cheapest first. */
export const sources = ['usage', 'service', 'document', 'events', 'dependents', 'state'] as const
export type Source = (typeof sources)[number]

/** A flag that depends on another one, directly or not, and what is said of it apart from that. */
export interface Dependent {
  name: string
  verdict: Verdict
}

/** A source that was not read is undefined; one that could not be read is its error. */
export interface Facts {
  name: string
  /** As the list of its project has it; undefined for a name that is in no list. */
  flag: Flag | undefined
  /** Why it is in no list, if there are lists. */
  absence: Absence | undefined
  /** The entry of the configuration that keeps it. */
  kept: Kept | undefined
  /** Undefined if no code was searched. */
  code: CodeEvidence | undefined
  usage?: UsageEvidence | FlagadmError
  /** The same for all flags. */
  service?: ServiceFacts
  document?: OwnDocument | FlagadmError
  events?: RecentChanges | FlagadmError
  dependents?: readonly Dependent[]
  /** Whether the document of a flag in use was read, or left out because there are many. */
  state?: 'read' | 'left'
}

/** A flag as the list of its project has it and, if that was read, as its own document does. */
export function versionsOf({ flag, document }: Facts): Flag[] {
  return [flag, readOf(document)?.flag].filter((version) => version !== undefined)
}

/** What was read of a source; undefined if it was not, or could not be. */
export function readOf<Read extends object>(
  source: Read | FlagadmError | undefined,
): Read | undefined {
  return source instanceof FlagadmError ? undefined : source
}
