import { configDefaults, defineConfig } from 'vitest/config'

// Tests that need signals, file modes, special files or a POSIX shell.
const posix = [
  'test/binary.test.ts',
  'test/commands/{profile-change,removed-flags,usage-many}.test.ts',
  'test/input/limits.test.ts',
  'test/output/file.test.ts',
  'test/process/*.test.ts',
  'test/profile/{commands,files,keys,permissions,refusals}.test.ts',
  'test/scan/{files,limits,revision}.test.ts',
]

// The mutation check works on copies of the project.
const exclude = [...configDefaults.exclude, 'test/mutation/**']

export default defineConfig({
  test: {
    setupFiles: 'test/support/seed.ts',
    // No test changes global state, and loading the modules anew for each file takes 40 % of the time.
    isolate: false,
    // Only for tests that hang: on a busy machine, the slow ones take a minute.
    testTimeout: 120_000,
    // By default one core stays free, which on a machine of two halves the speed.
    maxWorkers: '100%',
    projects: [
      { extends: true, test: { name: 'portable', exclude: [...exclude, ...posix] } },
      { extends: true, test: { name: 'posix', include: posix, exclude } },
    ],
  },
})
