import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { unresolvedText } from '../output/unresolved.ts'
import type { FilePlace, FlagUse } from '../scan/files.ts'

/** The options that specify where to find names. */
export interface NameOptions {
  namesFrom?: string | undefined
  /** Globs of source files. */
  scan?: string[] | undefined
  /** Own patterns in addition to the calls of the common SDKs. */
  match?: string[] | undefined
  /** Whether finding no file is allowed. */
  allowEmpty?: true | undefined
}

/** The flag names that source code uses, and the calls that name a flag by an expression. */
export interface ScannedNames {
  uses: FlagUse[]
  unresolved: FilePlace[]
}

function noteUnresolved({ messages }: Context, unresolved: readonly FilePlace[]): void {
  if (unresolved.length === 0) return
  messages.note(unresolvedText(unresolved.length))
  for (const { file, line, column } of unresolved) {
    messages.debug(`${file}:${line}:${column}: this call uses an expression`)
  }
}

/**
 * The flag names that source code uses, with their places. Warns of files that cannot be read and
 * notes how many calls could not be checked.
 * @throws a usage error for a glob that matches no file and for an invalid pattern
 */
export async function scanNames(
  context: Context,
  { scan, match = [], allowEmpty }: NameOptions,
): Promise<ScannedNames> {
  if (scan === undefined) {
    if (match.length === 0) return { uses: [], unresolved: [] }
    throw new FlagadmError('usage', '--match requires --scan', {
      hint: 'add --scan or leave out --match',
    })
  }
  const { scanFiles } = await import('../scan/files.ts')
  const { checkMatch } = await import('../scan/match.ts')
  const { cwd, signal } = context.host
  for (const source of match) checkMatch(source)
  const found = await scanFiles(scan, { cwd, signal, patterns: match })
  if (found.unmatched.length > 0 && !allowEmpty) {
    throw new FlagadmError('usage', `--scan: no file matches ${found.unmatched.join(', ')}`, {
      hint: 'check the path, and whether .gitignore hides it',
    })
  }
  for (const { path, reason } of found.unusable) {
    context.messages.warn(`${path} is not used: ${reason}`)
  }
  for (const { path, reason } of found.unreadable) {
    context.messages.warn(`${path} is not scanned: ${reason}`)
  }
  noteUnresolved(context, found.unresolved)
  return found
}
