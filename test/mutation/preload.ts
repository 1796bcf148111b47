// Loaded before any test runs: what a module does when it is loaded then counts for every test, not just
// for the first one that happens to load it.
import '../../src/connection.ts'
