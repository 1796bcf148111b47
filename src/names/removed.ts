import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { UnreadLookups } from '../projects/missing.ts'
import type { Reference } from '../scan/references.ts'
import { refuseWithoutPaths, scanLeniently, type ScanRequest, unreadLookups } from './scanning.ts'

/**
 * Finds the flags that the source code used at the merge base with a revision and no longer uses, and the
 * lookups that could not be read at either.
 * @throws a usage error without globs, and for one that matches no file, now or at the revision
 */
export async function removedUses(
  context: Context,
  revision: string,
  request: ScanRequest,
): Promise<{ references: Reference[]; unread: UnreadLookups[] }> {
  refuseWithoutPaths(request, '--removed-since')
  const { scanRevision } = await import('../scan/revision.ts')
  const { cwd, env, signal } = context.host
  const { globs, ...settings } = request
  const before = await scanRevision(revision, globs, { ...settings, cwd, env, signal })
  const names = before.references.map(({ name }) => name)
  const now = await scanLeniently(context, request, names)
  const unmatched = before.unmatched.filter((glob) => now.unmatched.includes(glob))
  if (unmatched.length > 0) {
    throw new FlagadmError('usage', `--scan: no file matches ${unmatched.join(', ')}`, {
      hint: `check the path; it matches no file at ${revision} either`,
    })
  }
  // A name that is still quoted somewhere may have moved into a constant.
  const used = new Set(now.references.map(({ name }) => name))
  return {
    references: before.references.filter(({ name }) => !used.has(name)),
    unread: [...now.unread, ...unreadLookups(before, revision)],
  }
}
