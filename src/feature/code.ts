import { dirname } from 'node:path'
import type { Context } from '../context.ts'
import { findRemoved } from '../code/removed.ts'
import { type FoundNames, searchFiles } from '../code/search.ts'
import { FlagadmError } from '../errors.ts'
import { counted, listed } from '../output/incomplete.ts'
import { relative } from '../paths.ts'
import { configured, readConfiguration } from '../profile/configuration.ts'
import type { CodeEvidence } from './evidence.ts'

/** The paths of `--scan`, and what the configuration leaves out, from the working directory. */
async function globsOf(context: Context, scan: readonly string[]): Promise<string[]> {
  const found = configured(await readConfiguration(context), 'scan')
  if (!found) return [...scan]
  const folder = relative(context.host.cwd, dirname(found.source.name))
  const { exclude = [] } = found.value
  return [...scan, ...exclude.map((glob) => `!${folder === '' ? glob : `${folder}/${glob}`}`)]
}

/** @throws a usage error for paths and globs that match nothing */
function refuseUnmatched(unmatched: readonly string[], hint: string): void {
  if (unmatched.length === 0) return
  throw new FlagadmError('usage', `--scan: no file matches ${unmatched.join(', ')}`, { hint })
}

function optionsOf({ host: { cwd, env }, signal }: Context) {
  return { cwd, env, signal }
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
  const found = await searchFiles(names, await globsOf(context, scan), optionsOf(context))
  refuseUnmatched(found.unmatched, 'check the path, and whether .gitignore hides it')
  return (name) => evidenceOf(found, name)
}

/** The flags that were in the code at a revision and are no longer, and the evidence about each. */
export async function removedFlags(
  context: Context,
  scan: readonly string[],
  revision: string,
  names: readonly string[],
): Promise<{ names: string[]; evidence: (name: string) => CodeEvidence }> {
  const globs = await globsOf(context, scan)
  const { removed, now, before } = await findRemoved(names, revision, globs, optionsOf(context))
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
