import { statSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// The tests that run the mutated code in process and check exact results; the built binary contains no
// mutants.
const include = [
  'test/{client,profile}/**/*.test.ts',
  'test/input/json.test.ts',
  'test/redact.test.ts',
  'test/output/{csv,escapes,markdown,stream}.test.ts',
  'test/output/problems/{github,gitlab,item,junit}.test.ts',
  'test/cli.test.ts',
  'test/{flags,settings}/*.test.ts',
  'test/usage/many.test.ts',
]

// Its large documents take seconds with the mutants in the code.
const slowest = 'test/client/limits.test.ts'

/** The first failure ends a run, so quick files come first: most small ones are quick. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = ({ moduleId }: TestSpecification) =>
      moduleId.endsWith(slowest) ? Infinity : statSync(moduleId).size
    return files.toSorted((one, other) => cost(one) - cost(other))
  }
}

export default defineConfig({
  test: {
    include,
    // Loading the modules anew for each file would take most of the time.
    isolate: false,
    // In this order, after Stryker's own file, which activates the mutant.
    setupFiles: ['test/support/seed.ts', 'test/mutation/preload.ts'],
    sequence: { setupFiles: 'list', sequencer: QuickestFirst },
  },
})
