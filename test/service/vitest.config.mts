import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/service/*.check.ts'],
    globalSetup: 'test/service/setup.ts',
    setupFiles: 'test/support/seed.ts',
    // One service with one project: one thing at a time.
    fileParallelism: false,
  },
})
