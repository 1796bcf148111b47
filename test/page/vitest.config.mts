import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/page/*.check.ts'],
    // Otherwise, styles would be empty.
    css: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
