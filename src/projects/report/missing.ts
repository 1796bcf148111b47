import { jsonReport } from '../../old/output/json.ts'
import type { Wording } from '../../old/output/markdown.ts'
import { listedSafe } from '../../old/output/phrases.ts'
import type { ReportItem } from '../../old/output/problems/text.ts'
import { wrappedLines } from '../../old/output/width.ts'
import { joined, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { isComplete, type Missing, type Unread, type UnreadLookups } from '../missing.ts'

/** The edition of the service lists only one project. */
export const unlistedText = safe`the open-source edition lists only the project default`

/** `38 of 43 lookups could not be read`; with the revision if it is not the working tree. */
export function unreadText({ unread, of, revision }: UnreadLookups, show: Sanitizer['text']): Safe {
  const noun = of === 1 ? safe`lookup` : safe`lookups`
  const at = revision === undefined ? safe`` : safe` at ${show(revision)}`
  return safe`${unread} of ${of} ${noun} could not be read${at}`
}

/** Items for lookups in source code that could not be read. */
export function unreadItems(unread: readonly UnreadLookups[], { text }: Sanitizer): ReportItem[] {
  return unread.map((one) => ({
    code: 'unresolved',
    severity: 'warning',
    message: unreadText(one, text),
  }))
}

/** The missing parts of a report, in one line without a line break; empty for a complete report. */
export function missingText(missing: Missing, show: Sanitizer['text']): Safe {
  const { flags, notFlags, projects, unlistedProjects, lookups, interruptedAfter } = missing
  const namesOf = (names: readonly string[]) => listedSafe(names.map(show))
  const parts: Safe[] = []
  const addUnread = ({ names, of }: Unread, what: Safe) => {
    if (names.length === 0) return
    parts.push(safe`${names.length} of ${of} ${what} could not be read (${namesOf(names)})`)
  }
  if (interruptedAfter !== undefined) {
    parts.push(safe`interrupted after ${interruptedAfter} of ${flags.of} flags`)
  }
  if (notFlags.length > 0) parts.push(safe`not a flag: ${namesOf(notFlags)}`)
  addUnread(flags, safe`flags`)
  addUnread(projects, safe`projects`)
  if (unlistedProjects) parts.push(unlistedText)
  if (lookups.length > 0) {
    const unread = lookups.map((one) => unreadText(one, show))
    parts.push(safe`only flags whose names could be read (${joined(unread, ', ')})`)
  }
  return joined(parts, '; ')
}

/** The line below a table about what it lacks, after an empty line; empty for a complete one. */
export function missingLine(missing: Missing, { text, width }: Wording): Safe {
  if (isComplete(missing)) return safe``
  return wrappedLines([safe``, safe`Incomplete: ${missingText(missing, text)}`], width)
}

/** The missing parts of a report as data, without absent fields; undefined for a complete report. */
export function missingJson(missing: Missing): object | undefined {
  if (isComplete(missing)) return undefined
  const { flags, notFlags, projects, unlistedProjects, lookups, interruptedAfter } = missing
  return {
    ...(interruptedAfter !== undefined && { interruptedAfter, flagCount: flags.of }),
    ...(flags.names.length > 0 && { flags: flags.names }),
    ...(notFlags.length > 0 && { notFlags }),
    ...(projects.names.length > 0 && { projects: projects.names }),
    ...(unlistedProjects && { unlistedProjects }),
    ...(lookups.length > 0 && { lookups }),
  }
}

/**
 * The last line of JSON Lines that lack something; empty if they do not.
 * @param readAt when they were read, for rows of several readings
 */
export function missingJsonl(missing: Missing, sanitizer: Sanitizer, readAt?: string): Safe {
  const incomplete = missingJson(missing)
  return incomplete ? jsonReport({ readAt, incomplete }, sanitizer) : safe``
}
