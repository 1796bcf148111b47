import { resolve } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { FlagadmError } from '../errors.ts'
import { fileReason } from '../system.ts'

/**
 * Writes a file at once: whoever reads it sees the old text or the new one, never half of it. The
 * mode of an existing file is kept.
 * @throws an `unexpected` error when it cannot be written
 */
export async function writeWhole(path: string, cwd: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(resolve(cwd, path), text)
  } catch (cause) {
    const what = `${path} cannot be written: ${fileReason(cause)}`
    throw new FlagadmError('unexpected', what, {
      hint: 'check the path and its permissions',
      cause,
    })
  }
}
