import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { portable } from '../../vitest.config.mts'
import { winePool } from './pool.ts'
import { Summary } from './summary.ts'

// What only computes is the same on every system.
const pure = [
  'test/naming/{any-rule,check,diff,language,lint,long-rules,patterns,rule,samples}.test.ts',
  'test/code/lookups/{calls,constants,forms,lookups,markup}.test.ts',
  'test/layout{,-rules}.test.ts',
]

export default defineConfig({
  test: {
    ...portable,
    exclude: [...portable.exclude, ...pure],
    include: [...portable.include, 'test/windows/*.test.ts'],
    globalSetup: 'test/windows/wine.ts',
    setupFiles: ['test/support/seed.ts', 'test/windows/skip.ts'],
    reporters: [['default', { summary: false }], new Summary()],
    isolate: false,
    maxWorkers: 2 * availableParallelism(),
    pool: winePool,
  },
})
