import { stat, writeFile } from 'node:fs/promises'
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
  const file = resolve(cwd, path)
  try {
    const stats = await stat(file).catch(() => undefined)
    // A pipe or a device is written to: renaming over it would replace it.
    if (stats && !stats.isFile()) await writeFile(file, text)
    else await writeFileAtomic(file, text)
  } catch (cause) {
    const what = `${path} cannot be written: ${fileReason(cause)}`
    throw new FlagadmError('unexpected', what, {
      hint: 'check the path and its permissions',
      cause,
    })
  }
}
