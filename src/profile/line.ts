import { locate } from '../input/document.ts'
import { readWithin } from '../input/files.ts'
import type { Configurations } from './profiles.ts'
import { rootOf } from './root.ts'

/** The line of a field in a configuration file; undefined for a pipe, which cannot be read again. */
export async function lineOf(
  { files }: Configurations,
  file: string,
  field: readonly string[],
): Promise<number | undefined> {
  const isFile = files.find(({ path }) => path === file)?.stats.isFile()
  if (!isFile) return undefined
  const text = new TextDecoder().decode(await readWithin(file, file, 'configuration'))
  return (await locate(text, [...rootOf(file), ...field]))?.line
}
