import fc from 'fast-check'
import { vi } from 'vitest'

const runs = Number(process.env.FUZZ_RUNS ?? 50)

// A fixed seed, so failures can be repeated; set FUZZ_SEED to try other cases.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1), numRuns: runs })

// Scale the time limit with the number of runs.
vi.setConfig({ testTimeout: Math.max(10_000, 100 * runs) })
