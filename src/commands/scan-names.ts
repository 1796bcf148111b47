import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { type FlagUse, scanFiles } from '../scan/files.ts'
import { compileMatch } from '../scan/match.ts'

/**
 * The flag names that source code uses, with their places; files that cannot be read earn a warning.
 * @param globs what to look at
 * @param match own patterns beside the calls of the common SDKs
 * @throws a usage error for a glob that names no file and for a pattern that is wrong
 */
export async function scanNames(
  { host, messages }: Context,
  globs: readonly string[],
  match: readonly string[],
): Promise<FlagUse[]> {
  const patterns = match.map(compileMatch)
  const { cwd, signal } = host
  const { uses, unmatched, unreadable } = await scanFiles(globs, { cwd, signal, patterns })
  if (unmatched.length > 0) {
    throw new FlagadmError('usage', `--scan: no file matches ${unmatched.join(', ')}`, {
      hint: 'check the path, and whether .gitignore hides it',
    })
  }
  for (const { path, reason } of unreadable) messages.warn(`${path} is not scanned: ${reason}`)
  return uses
}
