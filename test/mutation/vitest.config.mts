import { statSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// The exact tests that reach the mutated code in process, since mutants are not part of the built binary.
// A static mutant runs against every test here.
const include = [
  'test/{client,profile}/**/*.test.ts',
  'test/input/json.test.ts',
  'test/output/{csv,markdown,redact,text,stream}.test.ts',
  'test/output/report/{github,item}.test.ts',
  'test/cli.test.ts',
  'test/commands/{project-settings,usage-many}.test.ts',
]

/** The first failure ends a run: small files, which are quick, come first. */
class SmallestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const size = ({ moduleId }: TestSpecification) => statSync(moduleId).size
    return files.toSorted((one, other) => size(one) - size(other))
  }
}

export default defineConfig({
  test: {
    include,
    // Loading the modules anew for each file would take most of the time.
    isolate: false,
    // In this order, after Stryker's own file, which activates the mutant.
    setupFiles: ['test/support/seed.ts', 'test/mutation/preload.ts'],
    // Large documents take longer than usual with the mutants in the code.
    testTimeout: 60_000,
    sequence: { setupFiles: 'list', sequencer: SmallestFirst },
  },
})
