import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { portable } from '../../vitest.config.mts'
import { winePool } from './pool.ts'
import { Summary } from './summary.ts'

export default defineConfig({
  test: {
    ...portable,
    include: [...portable.include, 'test/windows/*.test.ts'],
    globalSetup: 'test/windows/wine.ts',
    setupFiles: ['test/support/seed.ts', 'test/windows/skip.ts'],
    reporters: [['default', { summary: false }], new Summary()],
    isolate: false,
    maxWorkers: 2 * availableParallelism(),
    pool: winePool,
  },
})
