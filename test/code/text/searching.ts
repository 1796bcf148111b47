import { searchFiles } from '../../../src/code/text/search.ts'
import { noProgress } from '../../support/progress.ts'

const { signal } = new AbortController()

/** The conditions of a search that nothing ends. */
export const conditions = {
  env: { PATH: process.env.PATH },
  signal,
  progress: noProgress,
}

/** Searches the files of a folder that match globs. */
export function search(cwd: string, names: readonly string[], ...globs: string[]) {
  return searchFiles(names, globs, { ...conditions, cwd })
}

/** A line for each place of a name, and for each file that could not be read. */
export async function lines(
  cwd: string,
  names: readonly string[],
  ...globs: string[]
): Promise<string[]> {
  const { names: found, unread, unmatched } = await search(cwd, names, ...globs)
  return [
    ...[...found].flatMap(([name, { places }]) =>
      places.map(({ file, line, column }) => `${file}:${line}:${column} ${name}`),
    ),
    ...unread.map(({ file, reason }) => `unread ${file}: ${reason}`),
    ...unmatched.map((glob) => `unmatched ${glob}`),
  ]
}

/** A text in UTF-16 with a byte order mark. */
export const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
