import { listed } from '../../output/phrases.ts'
import { isComplete, type Missing, type Unread } from '../missing.ts'
import { jsonReport } from '../../output/json.ts'
import { codeSpan } from '../../output/markdown.ts'
import { isolate, safeText } from '../../output/escapes.ts'

/** `the open-source edition lists only the project default` */
export const unlistedText = 'the open-source edition lists only the project default'

function unreadText({ names, of }: Unread, what: string, show: (name: string) => string): string[] {
  if (names.length === 0) return []
  return [`${names.length} of ${of} ${what} could not be read (${listed(names.map(show))})`]
}

/**
 * What a report lacks, in one line without a line break; empty for a complete report.
 * @param show makes a name printable
 */
export function missingText(missing: Missing, show: (name: string) => string = safeText): string {
  const { flags, projects, unlistedProjects, interruptedAfter } = missing
  return [
    ...(interruptedAfter === undefined
      ? []
      : [`interrupted after ${interruptedAfter} of ${flags.of} flags`]),
    ...unreadText(flags, 'flags', show),
    ...unreadText(projects, 'projects', show),
    ...(unlistedProjects ? [unlistedText] : []),
  ].join('; ')
}

/**
 * The line below a table about what it lacks, after an empty line; empty for a complete one.
 * @param show makes a name printable
 */
export function incompleteLine(missing: Missing, show: (name: string) => string): string {
  if (isComplete(missing)) return ''
  return isolate(`\nIncomplete: ${missingText(missing, show)}\n`)
}

/**
 * The line below a table about flags that may not exist, after an empty line; empty if there are none.
 * @param show makes a name printable
 */
export function unconfirmedLine({ unconfirmed }: Missing, show: (name: string) => string): string {
  if (unconfirmed.length === 0) return ''
  const they = unconfirmed.length === 1 ? 'it' : 'they'
  const names = listed(unconfirmed.map(show))
  return isolate(
    `\nNo application reported ${names}: ${they} may not exist (--project checks that)\n`,
  )
}

/** The line below a table about what it lacks, for a terminal. */
export function missingLine(missing: Missing): string {
  return incompleteLine(missing, safeText)
}

/** That line for Markdown. */
export function missingMarkdown(missing: Missing): string {
  return incompleteLine(missing, codeSpan)
}

/** What a report lacks as data, without absent parts; undefined for a complete report. */
export function missingJson(missing: Missing): object | undefined {
  if (isComplete(missing)) return undefined
  const { flags, projects, unlistedProjects, interruptedAfter } = missing
  return {
    ...(interruptedAfter !== undefined && { interruptedAfter, flagCount: flags.of }),
    ...(flags.names.length > 0 && { flags: flags.names }),
    ...(projects.names.length > 0 && { projects: projects.names }),
    ...(unlistedProjects && { unlistedProjects }),
  }
}

/**
 * The last line of JSON Lines that lack something; empty if they do not.
 * @param readAt when they were read, for rows of several readings
 */
export function missingJsonl(missing: Missing, readAt?: string): string {
  const incomplete = missingJson(missing)
  return incomplete ? jsonReport({ readAt, incomplete }) : ''
}
