/** A test that does not run with node.exe under Wine. */
export interface Skipped {
  file: string
  /** The title of a test with those of its groups, or a pattern of titles; all tests of the file if there is none. */
  title?: string | RegExp
  reason: string
  /** Whether it should run on a real Windows, so Wine is the reason. */
  isFaultOfWine: boolean
}

const git = { reason: 'needs git, which Wine does not have', isFaultOfWine: true }

/** All tests that are skipped; any other skipped test is a failure. */
export const skipped: readonly Skipped[] = [
  {
    file: 'test/client/faults/faults.test.ts',
    title: /reports a reset inside the body/,
    reason: 'Wine reports some resets as the end of the connection',
    isFaultOfWine: true,
  },
  { file: 'test/code/search.test.ts', title: /./, ...git },
  { file: 'test/feature/references.test.ts', title: /./, ...git },
  { file: 'test/names/scanning.test.ts', title: /./, ...git },
  {
    file: 'test/docs/docs.test.ts',
    title:
      /docs\/code\.md|--scan src|naming check|feature references|feature review --all-projects/,
    ...git,
  },
  {
    file: 'test/feature/review.test.ts',
    title: 'source code > finds the flags that a branch removed',
    ...git,
  },
  { file: 'test/naming/commands.test.ts', title: /--scan/, ...git },
  {
    file: 'test/paths.test.ts',
    title: 'a folder that respects case is recognized',
    reason: 'Windows ignores case',
    isFaultOfWine: false,
  },
]

/** The entry for a test; undefined for one that runs. */
export function skippedEntry(file: string, title: string): Skipped | undefined {
  return skipped.find(
    (entry) =>
      entry.file === file &&
      (entry.title instanceof RegExp ? entry.title.test(title) : entry.title === title),
  )
}
