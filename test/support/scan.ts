import {
  contentOf,
  findReferences,
  type References,
  type FileScanOptions,
} from '../../src/scan/files.ts'

const { signal } = new AbortController()

/** Where flags are in files that exist only in the test. */
export function referencesIn(
  files: Record<string, string>,
  options: Omit<FileScanOptions, 'cwd' | 'signal'> = {},
): Promise<References> {
  const names = Object.keys(files).sort()
  function* read(paths: readonly string[]) {
    for (const path of paths) yield contentOf(Buffer.from(files[path] ?? ''))
  }
  return findReferences(names, read, { signal, ...options })
}

/** The flag names in a text, in its order. */
export async function namesIn(text: string, file: string): Promise<string[]> {
  const { references } = await referencesIn({ [file]: text })
  return references.map(({ name }) => name)
}
