import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

// Tests that need signals, file modes, special files or a POSIX shell.
const posix = [
  'test/code/files/{files,links,repository,revision,tracked-files}.test.ts',
  'test/package/action.test.ts',
  'test/profile/{add,change,commands,configuration}.test.ts',
  'test/settings/links.test.ts',
]

// Tests of the built program, of hostile input and of random input, which take long.
const slow = [
  'test/client/limits.test.ts',
  'test/code/hostile.test.ts',
  'test/code/files/{git,limits,silence}.test.ts',
  'test/fuzz/*.test.ts',
  'test/growing.test.ts',
  'test/hostile-text.test.ts',
  'test/input/limits.test.ts',
  'test/large.test.ts',
  'test/naming/{corpus,hostile,slow-names}.test.ts',
  'test/package/bundle.test.ts',
  'test/process/*.test.ts',
  'test/sandbox/agreement.test.ts',
]

// Tests that run commands for every case: each example, format, width, version, layout of code, fault of a connection,
// doubt, and finished flag of a review, and each state that an undo may find; of code in repositories, whose time passes in
// git; of hundreds of flags and pages, of random rules, settings and texts, and of rules that an engine has to try or that
// are compared for all names. They take long, and run on every system.
const long = [
  'test/archive/revive.test.ts',
  'test/{cli,docs}/examples.test.ts',
  'test/client/faults/faults.test.ts',
  'test/code/files/{links,revision,tracked-files}.test.ts',
  'test/code/lookups/scanning.test.ts',
  'test/code/text/search.test.ts',
  'test/flags/absences.test.ts',
  'test/naming/{added-names,any-rule,dead-branches,diff,long-rules}.test.ts',
  'test/naming/{patterns,staged,survey,trial}.test.ts',
  'test/output/{formats,markdown,narrow-tables,problems,yaml}.test.ts',
  'test/references/{changed-names,references,removed-names,what-was-read}.test.ts',
  'test/review/{code-evidence,code-owners,comparison,doubts,finished}.test.ts',
  'test/review/{formats,many-flags,references-from}.test.ts',
  'test/settings/round-trip.test.ts',
  'test/usage/{names,unknown}.test.ts',
  'test/versions.test.ts',
]

/** The tests that run on every system. */
export const portable = {
  include: configDefaults.include,
  exclude: [...configDefaults.exclude, ...posix, ...slow],
}

// One project, because workers start anew and load all modules again where the project changes.
const fast =
  process.platform === 'win32'
    ? portable
    : { ...portable, exclude: [...configDefaults.exclude, ...slow, ...long, 'test/windows/**'] }

/** The folder in memory that Linux has, if it has room: most tests make folders, and a tenth of their time is the disk's. */
function temporaryInMemory(): Record<string, string> {
  const folder = '/dev/shm'
  const mounts = '/proc/self/mounts'
  // Some tests run programs of their own.
  const runsPrograms = / \/dev\/shm tmpfs (?!\S*noexec)/
  if (!existsSync(mounts) || !runsPrograms.test(readFileSync(mounts, 'utf8'))) return {}
  const { bavail: blocks, bsize: size } = statfsSync(folder)
  // Containers often have only 64 MB.
  return blocks * size < 2 ** 30 ? {} : { TMPDIR: folder }
}

export default defineConfig({
  test: {
    setupFiles: 'test/support/seed.ts',
    // A summary that is drawn over would erase what other checks of `npm test` print.
    reporters: [['default', { summary: false }]],
    // No test changes global state, and loading the modules anew for each file takes 40 % of the time.
    isolate: false,
    // Transforming the modules takes a third of the time of a single file.
    experimental: { fsModuleCache: true },
    // One for each core: another one loads all modules once more, which takes longer than what it gains.
    maxWorkers: availableParallelism(),
    // The cores are busy, so collecting garbage on one thread and less often saves a tenth of the time.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    projects: [
      { extends: true, test: { ...fast, name: 'fast', env: temporaryInMemory() } },
      { extends: true, test: { name: 'slow', include: [...slow, ...long] } },
    ],
  },
})
