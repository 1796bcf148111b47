/** A test that runs on Windows, but not with node.exe under Wine. */
export interface Skipped {
  file: string
  /** A pattern of the title of a test with those of its groups. */
  title: RegExp
  reason: string
}

const git = { reason: 'needs git, which Wine does not have' }

/** All tests that are skipped; any other skipped test is a failure. */
export const skipped: readonly Skipped[] = [
  {
    file: 'test/client/faults/faults.test.ts',
    title: /reports a reset inside the body/,
    reason: 'Wine reports some resets as the end of the connection',
  },
  { file: 'test/review/code-evidence.test.ts', title: /./, ...git },
  { file: 'test/review/code-owners.test.ts', title: /./, ...git },
  { file: 'test/references/references.test.ts', title: /./, ...git },
  { file: 'test/references/changed-names.test.ts', title: /./, ...git },
  { file: 'test/references/removed-names.test.ts', title: /./, ...git },
  { file: 'test/references/what-was-read.test.ts', title: /./, ...git },
  {
    file: 'test/review/references-from.test.ts',
    title:
      /^the JSON of references > (?:made with|leaves)|that of this one$|that this one leaves open$/,
    ...git,
  },
  { file: 'test/naming/added-names.test.ts', title: /./, ...git },
  { file: 'test/naming/staged.test.ts', title: /./, ...git },
  { file: 'test/cli/examples.test.ts', title: /--added-since|--staged/, ...git },
  {
    file: 'test/docs/docs.test.ts',
    title: /^the reference, the guides|^what an assistant reads/,
    ...git,
  },
  { file: 'test/code/lookups/scanning.test.ts', title: /./, ...git },
  { file: 'test/docs/docs.test.ts', title: /README\.md|docs\/code\.md/, ...git },
  {
    file: 'test/docs/examples.test.ts',
    title: /--scan src|naming check|feature references|feature review --all-projects/,
    ...git,
  },
  {
    file: 'test/review/review.test.ts',
    title:
      /^source code > finds the flags that a branch removed$|^has paths from the root of the repository/,
    ...git,
  },
  {
    file: 'test/settings/apply.test.ts',
    title: /link\.yaml ends the command before anything is read/,
    reason: 'Wine does not show a link that leads nowhere',
  },
  { file: 'test/naming/commands.test.ts', title: /--scan/, ...git },
]

/** The entry for a test; undefined for one that runs. */
export function skippedEntry(file: string, title: string): Skipped | undefined {
  return skipped.find((entry) => entry.file === file && entry.title.test(title))
}
