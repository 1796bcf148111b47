import { causeText, type FlagadmError, problemText } from '../../errors.ts'
import { groupBy } from '../../groups.ts'
import type { Printer } from '../../old/output/printer.ts'
import { joined, type Safe, safe } from '../../old/output/text.ts'
import { wrapIndented } from '../../old/output/width.ts'

/** A project that could not be read or changed. */
export interface FailedProject {
  projectId: string
  /** The text after its id. */
  status: string
  failure: FlagadmError
}

/** The cause of a failure: its text without what differs between projects. */
function causeOf({ projectId, failure }: FailedProject): string {
  const path = `/projects/${encodeURIComponent(projectId)}/`
  return causeText(failure).replaceAll(path, '/projects/…/')
}

/**
 * Projects that failed: those with the same cause together, with a hint.
 * @param hasHints whether to print the hints; the error of a single project has its own
 */
export function failedLines(
  failed: readonly FailedProject[],
  hasHints: boolean,
  { text, style, width }: Printer,
): Safe[] {
  const groups = groupBy(failed, (project) => `${project.status}: ${causeOf(project)}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const ids = joined(
      group.map(({ projectId }) => style.bold(text(projectId))),
      ', ',
    )
    const { hint } = first.failure
    const lines = [
      safe`${ids}: ${style.red(text(first.status))}`,
      safe`  ${text(group.length > 1 ? causeOf(first) : problemText(first.failure))}`,
      ...(hasHints && hint !== undefined ? [safe`  ${style.dim(safe`hint:`)} ${text(hint)}`] : []),
    ]
    return lines.flatMap((line) => wrapIndented(line, width, 2))
  })
}
