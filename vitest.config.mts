import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Tests that need signals, file modes, special files or a POSIX shell.
const posix = [
  'test/binary.test.ts',
  'test/names/removed.test.ts',
  'test/input/limits.test.ts',
  'test/output/file.test.ts',
  'test/process/*.test.ts',
  'test/profile/{change,commands,files,keys,lock,permissions,refusals}.test.ts',
  'test/scan/{files,git,limits,revision}.test.ts',
  'test/settings/{export-case,links}.test.ts',
  'test/usage/many.test.ts',
]

// The mutation check works on copies of the project.
const exclude = [...configDefaults.exclude, 'test/mutation/**']

// These take long, although the files are small.
const long = [
  'test/naming/hostile.test.ts',
  'test/sandbox/agreement.test.ts',
  'test/sandbox/server.test.ts',
]

/** Starts with the tests that wait for processes: the others fill the cores meanwhile, and no long one is last. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ project, moduleId }: TestSpecification) =>
      project.name === 'posix' || long.some((path) => moduleId.endsWith(path))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    setupFiles: 'test/support/seed.ts',
    // A summary that is drawn over would erase what other checks of \`npm test\` print.
    reporters: [['default', { summary: false }]],
    // No test changes global state, and loading the modules anew for each file takes 40 % of the time.
    isolate: false,
    // Many tests wait for a process or a server, so more workers than cores keep the cores busy.
    maxWorkers: availableParallelism() + 1,
    // The cores are busy, so collecting garbage on one thread and less often saves a tenth of the time.
    execArgv: ['--single-threaded-gc', '--max-semi-space-size=32'],
    sequence: { sequencer: LongFirst },
    projects: [
      { extends: true, test: { name: 'portable', exclude: [...exclude, ...posix] } },
      { extends: true, test: { name: 'posix', include: posix, exclude } },
    ],
  },
})
