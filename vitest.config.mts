import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    setupFiles: 'test/support/seed.ts',
    // The mutation check works on copies of the project.
    exclude: [...configDefaults.exclude, 'test/mutation/**'],
  },
})
