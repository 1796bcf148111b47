import { createMatcher } from '../../src/code/match.ts'
import type { ScanResult } from '../../src/code/lookups/result.ts'
import { createScanner } from '../../src/code/lookups/scanner.ts'

const { signal } = new AbortController()

interface ScanOptions {
  calls?: readonly string[]
  patterns?: readonly string[]
}

/** The lookups in files that exist only in the test. */
export async function referencesIn(
  files: Record<string, string>,
  { calls = [], patterns = [] }: ScanOptions = {},
): Promise<ScanResult & { incomplete: ReadonlySet<string>; otherSystems: readonly string[] }> {
  const names = Object.keys(files).sort()
  const scanner = createScanner(calls)
  const matcher = patterns.length > 0 ? createMatcher(patterns, signal) : undefined
  for (const name of names) {
    const text = files[name] ?? ''
    scanner.add(name, text, matcher ? await matcher.match(text, name) : [])
  }
  await matcher?.close()
  return scanner.finish(async (onText) => {
    for (const name of names) onText(name, files[name] ?? '')
  })
}

/** The flag names in a text, in its order. */
export async function namesIn(text: string, file: string): Promise<string[]> {
  const { references } = await referencesIn({ [file]: text })
  return references.map(({ name }) => name)
}
