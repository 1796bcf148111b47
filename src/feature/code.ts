import type { Context } from '../context.ts'
import type { FoundNames } from '../code/search.ts'
import { codeRequest, nothingToScan, searchNames, searchRemoved } from '../names/code.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { CodeEvidence } from './evidence.ts'

/** The evidence about each flag in source code. */
export type CodeOf = (name: string) => CodeEvidence

function evidenceIn({ names, unread }: FoundNames): CodeOf {
  const files = unread.map(({ file, reason }) => `${file} (${reason})`)
  const unreadDoubts =
    files.length > 0
      ? [`${counted(files.length, 'file')} could not be read: ${listed(files, 3)}`]
      : []
  return (name) => {
    const { places = [], composed } = names.get(name) ?? {}
    const doubt = composed && `a composed text may be its name: ${composed.file}:${composed.line}`
    return { places, doubts: doubt ? [doubt, ...unreadDoubts] : unreadDoubts }
  }
}

/**
 * Searches source code for flags.
 * @param removedSince a revision: then also finds which flags were in the code there and are no longer
 * @throws a usage error without paths, and for paths that match nothing
 */
export async function searchCode(
  context: Context,
  scan: readonly string[],
  names: readonly string[],
  removedSince: string | undefined,
): Promise<{ codeOf: CodeOf; removed?: ReadonlySet<string> }> {
  const request = await codeRequest(context, [], { scan })
  if (!request) throw nothingToScan()
  if (removedSince === undefined) {
    return { codeOf: evidenceIn(await searchNames(context, names, request)) }
  }
  const { removed, now, before } = await searchRemoved(context, names, removedSince, request)
  for (const { file, reason } of before.unread) {
    context.messages.warn(`${file} could not be read at ${removedSince}: ${reason}`)
  }
  return { codeOf: evidenceIn(now), removed: new Set(removed.keys()) }
}
