// Loads these modules before any test runs, so that mutants in code that runs at load time count for every
// test and not only for the first one that imports the module.
import '../../src/profile/connection.ts'
import '../../src/old/output/markdown.ts'
import '../../src/old/output/problems/ci.ts'
import '../../src/usage/report/csv.ts'
import '../../src/profile/names.ts'
import '../../src/service/token.ts'
import '../../src/projects/known.ts'
import '../../src/service/reachability.ts'
import { vi } from 'vitest'

// Large documents take longer than usual with the mutants in the code.
vi.setConfig({ testTimeout: 20_000 })
