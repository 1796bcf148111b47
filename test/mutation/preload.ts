// Loaded before any test runs: what a module does when it is loaded then counts for every test, not just
// for the first one that happens to load it.
import '../../src/connection.ts'
import '../../src/output/markdown.ts'
import '../../src/output/report/ci.ts'
import '../../src/output/usage-csv.ts'
import '../../src/profile/names.ts'
import '../../src/profile/token.ts'
import '../../src/service/projects.ts'
import '../../src/service/reachability.ts'
import { vi } from 'vitest'

// Large documents take longer than usual with the mutants in the code.
vi.setConfig({ testTimeout: 20_000 })
