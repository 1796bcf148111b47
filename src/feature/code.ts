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

/** @throws a usage error without paths */
async function requestOf(context: Context, scan: readonly string[]) {
  const request = await codeRequest(context, [], { scan })
  if (!request) throw nothingToScan()
  return request
}

/** What a search found about a flag, as evidence. */
function evidenceOf({ names, unread }: FoundNames, name: string): CodeEvidence {
  const { places = [], composed } = names.get(name) ?? {}
  const files = unread.map(({ file, reason }) => `${file} (${reason})`)
  return {
    places,
    doubts: [
      ...(composed ? [`a composed text may be its name: ${composed.file}:${composed.line}`] : []),
      ...(files.length > 0
        ? [`${counted(files.length, 'file')} could not be read: ${listed(files, 3)}`]
        : []),
    ],
  }
}

/** Searches source code for flags. @returns the evidence about each */
export async function searchCode(
  context: Context,
  scan: readonly string[],
  names: readonly string[],
): Promise<(name: string) => CodeEvidence> {
  const found = await searchNames(context, names, await requestOf(context, scan))
  return (name) => evidenceOf(found, name)
}

/** The flags that were in the code at a revision and are no longer, and the evidence about each. */
export async function removedFlags(
  context: Context,
  scan: readonly string[],
  revision: string,
  names: readonly string[],
): Promise<{ names: string[]; evidence: (name: string) => CodeEvidence }> {
  const { globs, ...request } = await requestOf(context, scan)
  const { removed, now, before } = await findRemoved(names, revision, globs, request)
  refuseUnmatched(
    now.unmatched.filter((glob) => before.unmatched.includes(glob)),
    `check the path; it matches no file at ${revision} either`,
  )
  for (const glob of before.unmatched.filter((one) => !now.unmatched.includes(one))) {
    context.messages.warn(`${glob} matches no file at ${revision}: was it renamed?`)
  }
  for (const { file, reason } of before.unread) {
    context.messages.warn(`${file} could not be read at ${revision}: ${reason}`)
  }
  return { names: [...removed.keys()], evidence: (name) => evidenceOf(now, name) }
}
