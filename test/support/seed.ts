import fc from 'fast-check'
import { afterAll, vi } from 'vitest'
import { removeFolder, unusedFolders } from './unused-folders.ts'

const runs = Number(process.env.FUZZ_RUNS ?? 20)

// A fixed seed, so failures can be repeated; set FUZZ_SEED to try other cases.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1), numRuns: runs })

// Only for tests that hang: on a busy machine, slow ones take a minute, and more runs take longer.
vi.setConfig({ testTimeout: 180_000 + 100 * runs })

afterAll(async () => {
  await Promise.all(unusedFolders.splice(0).map(removeFolder))
})
