import { byCodeUnit } from '../../output/order.ts'
import { listed } from '../../old/output/phrases.ts'
import type { UnknownFilter } from '../filter.ts'
import { MAX_APPLICATIONS } from '../hourly-summary.ts'
import type { FlagWarning } from '../warnings.ts'
import { placeText, sinceText, timeText } from './sentences.ts'

/**
 * A warning about a flag.
 * @param isShared whether it is about several flags, so that those with the same reason have the same text
 */
export function warningText(warning: FlagWarning, isShared = false): string {
  switch (warning.kind) {
    case 'cut': {
      const flag = isShared ? 'each' : 'this flag'
      return `the service reports only ${MAX_APPLICATIONS} applications of ${flag}, and there may be more`
    }
    case 'deprecated':
      return 'this operation of the service is deprecated'
    case 'hidden': {
      const { hidden, span } = warning
      const where = isShared ? ' of them' : placeText(hidden)
      return `the service has usage${where} that is missing from the hourly figures ${sinceText(span)}: the clock of an application may be ahead`
    }
    case 'seenOnly': {
      const { environment, lastSeen, span } = warning
      const since = sinceText(span)
      return isShared
        ? `the service saw each of them in an environment where it has no usage of it ${since}`
        : `the service saw the flag in ${environment} at ${timeText(lastSeen)}, but has no usage of it there ${since}`
    }
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
