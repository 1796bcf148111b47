// Loaded before any test runs: what a module does when it is loaded then counts for every test, not just
// for the first one that happens to load it.
import '../../src/connection.ts'
import { vi } from 'vitest'

// Large documents take longer than usual with the mutants in the code.
vi.setConfig({ testTimeout: 20_000 })
