import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/package/*.check.ts'],
    globalSetup: 'test/package/setup.ts',
    testTimeout: 120_000,
    // Another Node may have to be downloaded first.
    hookTimeout: 180_000,
  },
})
