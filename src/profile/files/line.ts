import { locate } from '../../input/document.ts'
import { readWithin } from '../../input/files.ts'
import type { Configurations } from '../profiles.ts'
import { rootOf } from './places.ts'

// In larger files, finding a line takes too long.
const MAX_BYTES = 1_000_000

/** The line of a field in a configuration file; undefined for a large file, and for a pipe, which cannot be read again. */
export async function lineOf(
  { files }: Configurations,
  file: string,
  field: readonly string[],
): Promise<number | undefined> {
  const stats = files.find(({ path }) => path === file)?.stats
  if (!stats?.isFile() || stats.size > MAX_BYTES) return undefined
  const text = new TextDecoder().decode(await readWithin(file, file, 'configuration'))
  return (await locate(text, [...rootOf(file), ...field]))?.line
}
