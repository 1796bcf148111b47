import { createMatcher } from '../../src/code/lookups/match.ts'
import type { ScanResult } from '../../src/code/lookups/results.ts'
import { KnownCalls } from '../../src/code/lookups/sdks.ts'
import { UnchangedFiles } from '../../src/code/files/unchanged.ts'
import { findLookups } from '../../src/code/lookups/scanner.ts'

interface ScanOptions {
  calls?: readonly string[]
  patterns?: readonly string[]
}

/** The lookups in files that exist only in the test. */
export async function referencesIn(
  files: Record<string, string>,
  { calls = [], patterns = [] }: ScanOptions = {},
): Promise<ScanResult> {
  const match = patterns.length > 0 ? createMatcher(patterns) : undefined
  const names = Object.keys(files).sort()
  return findLookups({
    readAll: async (visit, isNeeded) => {
      for (const name of names.filter(isNeeded)) visit(name, Buffer.from(files[name] ?? ''))
    },
    knownCalls: new KnownCalls(calls),
    match,
    repositoryOf: () => '',
    unchanged: new UnchangedFiles(),
  })
}

/** The flag names in a text, in its order. */
export async function namesIn(text: string, file: string): Promise<string[]> {
  const { references } = await referencesIn({ [file]: text })
  return references.map(({ name }) => name)
}
