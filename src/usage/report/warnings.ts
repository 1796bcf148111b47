import { byCodeUnit } from '../../output/order.ts'
import { listed } from '../../output/phrases.ts'
import type { UnknownFilter } from '../filter.ts'
import { MAX_APPLICATIONS } from '../hourly-summary.ts'
import type { FlagWarning } from '../warnings.ts'
import { placeText, sinceText, timeText } from './sentences.ts'

const missingText = (since: string) =>
  `is missing from the hourly figures ${since}: the clock of an application may be ahead`

/** A warning about one flag, with details. */
export function warningText(warning: FlagWarning): string {
  switch (warning.kind) {
    case 'cut':
      return `the service reports only ${MAX_APPLICATIONS} applications of this flag, and there may be more`
    case 'deprecated':
      return 'this operation of the service is deprecated'
    case 'hidden': {
      const { hidden, span } = warning
      return `the service has usage${placeText(hidden)} that ${missingText(sinceText(span))}`
    }
    case 'seenOnly': {
      const { environment, lastSeen, span } = warning
      return `the service saw the flag in ${environment} at ${timeText(lastSeen)}, but has no usage of it there ${sinceText(span)}`
    }
  }
}

/** A warning about several flags; the same for flags with the same reason. */
export function sharedWarningText(warning: FlagWarning): string {
  switch (warning.kind) {
    case 'cut':
      return `the service reports only ${MAX_APPLICATIONS} applications of each, and there may be more`
    case 'deprecated':
      return warningText(warning)
    case 'hidden':
      return `the service has usage of them that ${missingText(sinceText(warning.span))}`
    case 'seenOnly':
      return `the service saw each of them in an environment where it has no usage of it ${sinceText(warning.span)}`
  }
}

/** A warning about flags that no application has reported; `names` lists them. */
export function unseenText(count: number, names: string): string {
  return count === 1
    ? `${names}: no application has ever reported this flag; check the name`
    : `${count} flags (${names}): no application has ever reported them; check the names`
}

function knownText(names: ReadonlySet<string>): string {
  return names.size === 0 ? 'none known' : `known: ${listed([...names].sort(byCodeUnit))}`
}

/** `unknown environment 'prod' (known: development, production)`; empty if all are known. */
export function unknownFiltersText(unknown: readonly UnknownFilter[]): string {
  return unknown
    .map(({ kind, pattern, known }) => `unknown ${kind} '${pattern}' (${knownText(known)})`)
    .join('; ')
}
