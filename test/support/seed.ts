import fc from 'fast-check'
import { vi } from 'vitest'

const runs = Number(process.env.FUZZ_RUNS ?? 100)

// The same cases each time, so that a failure is not a matter of luck; another seed tries others.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1), numRuns: runs })

// More runs take more time.
vi.setConfig({ testTimeout: Math.max(10_000, 100 * runs) })
