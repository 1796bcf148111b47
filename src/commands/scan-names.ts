import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { type FlagUse, scanFiles } from '../scan/files.ts'
import { compileMatch } from '../scan/match.ts'

/** The options that say where names are to be found. */
export interface NameOptions {
  namesFrom?: string | undefined
  /** What to look at. */
  scan?: string[] | undefined
  /** Own patterns beside the calls of the common SDKs. */
  match?: string[] | undefined
  /** Whether it is fine to find no file. */
  allowEmpty?: true | undefined
}

/**
 * The flag names that source code uses, with their places; files that cannot be read earn a warning.
 * @throws a usage error for a glob that names no file and for a pattern that is wrong
 */
export async function scanNames(
  { host, messages }: Context,
  { scan, match = [], allowEmpty }: NameOptions,
): Promise<FlagUse[]> {
  if (scan === undefined) {
    if (match.length === 0) return []
    throw new FlagadmError('usage', '--match means nothing without --scan', {
      hint: 'add --scan or leave out --match',
    })
  }
  const { cwd, signal } = host
  const patterns = match.map(compileMatch)
  const { uses, unmatched, unreadable } = await scanFiles(scan, { cwd, signal, patterns })
  if (unmatched.length > 0 && !allowEmpty) {
    throw new FlagadmError('usage', `--scan: no file matches ${unmatched.join(', ')}`, {
      hint: 'check the path, and whether .gitignore hides it',
    })
  }
  for (const { path, reason } of unreadable) messages.warn(`${path} is not scanned: ${reason}`)
  return uses
}
