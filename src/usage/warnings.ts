import type { Context } from '../context.ts'
import { groupBy } from '../groups.ts'
import { counted, listed } from '../output/phrases.ts'
import type { FlagWarning } from './report/sentences.ts'

/** Collects warnings about flags, because hundreds of flags may have the same one. */
export interface FlagWarnings {
  add(flag: string, warning: FlagWarning): void
  /** Prints one message for each reason; with `--verbose`, one for each flag. */
  report(): void
}

export function createFlagWarnings({ messages, options }: Context): FlagWarnings {
  const collected: (FlagWarning & { flag: string })[] = []
  return {
    add(flag, warning) {
      collected.push({ flag, ...warning })
    },
    report() {
      for (const [reason, warnings] of groupBy(collected, ({ ofSeveral }) => ofSeveral)) {
        const flags = warnings.map(({ flag }) => flag)
        if (flags.length > 1 && !options.verbose) {
          messages.warn(`${counted(flags.length, 'flag')} (${listed(flags)}): ${reason}`)
        } else for (const { flag, text } of warnings) messages.warn(`${flag}: ${text}`)
      }
    },
  }
}
