import fc from 'fast-check'
import { test } from 'vitest'
import { deadBranchIsNotNeeded, illegalBranchIsDead } from '../naming/dead-branch-properties.ts'

const { FUZZ_RUNS } = process.env

test('a branch that needs an illegal character is dead, whatever is around it', async () => {
  await fc.assert(illegalBranchIsDead, { numRuns: Number(FUZZ_RUNS ?? 25) })
})

test('a pattern accepts the same names without a dead branch', async () => {
  await fc.assert(deadBranchIsNotNeeded, { numRuns: Number(FUZZ_RUNS ?? 100) })
})
