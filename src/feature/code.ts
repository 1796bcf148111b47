import type { Context } from '../context.ts'
import { findRemoved } from '../code/removed.ts'
import type { FoundNames } from '../code/search.ts'
import {
  codeRequest,
  nothingToScan,
  refuseUnmatched,
  searchCode as searchNames,
} from '../names/code.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { CodeEvidence } from './evidence.ts'

/** The evidence about each flag in source code. */
function evidenceIn({ names, unread }: FoundNames) {
  const files = unread.map(({ file, reason }) => `${file} (${reason})`)
  const gaps =
    files.length > 0
      ? [`${counted(files.length, 'file')} could not be read: ${listed(files, 3)}`]
      : []
  return (name: string): CodeEvidence => {
    const { places = [], composed } = names.get(name) ?? {}
    const doubt = composed && `a composed text may be its name: ${composed.file}:${composed.line}`
    return { places, doubts: doubt ? [doubt, ...gaps] : gaps }
  }
}

/**
 * Searches source code for flags.
 * @param removedSince a revision: then also finds which flags were in the code there and are no longer
 * @throws a usage error without paths, and for paths that match nothing
 */
export async function searchCode(
  context: Context,
  scan: readonly string[] | undefined,
  names: readonly string[],
  removedSince: string | undefined,
) {
  const request = await codeRequest(context, [], { scan })
  if (!request) throw nothingToScan(removedSince && '--removed-since')
  if (removedSince === undefined) {
    return { codeOf: evidenceIn(await searchNames(context, names, request)) }
  }
  const { removed, now, before } = await findRemoved(names, removedSince, request.globs, request)
  refuseUnmatched(
    now.unmatched.filter((glob) => before.unmatched.includes(glob)),
    `check the path; it matches no file at ${removedSince} either`,
  )
  for (const glob of before.unmatched.filter((one) => !now.unmatched.includes(one))) {
    context.messages.warn(`${glob} matches no file at ${removedSince}: was it renamed?`)
  }
  for (const { file, reason } of before.unread) {
    context.messages.warn(`${file} could not be read at ${removedSince}: ${reason}`)
  }
  return { codeOf: evidenceIn(now), removed }
}
