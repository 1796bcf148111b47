#!/usr/bin/env node
const { hostOf, run } = require('../dist/cli.js')

const INTERRUPTED = 130

run(process.argv.slice(2), hostOf(process)).then((code) => {
  process.exitCode = code
  // Node.js cannot exit while it opens a pipe without a writer, so kill the process. Windows has no such pipes.
  if (code === INTERRUPTED && process.platform !== 'win32') {
    setTimeout(() => process.kill(process.pid, 'SIGINT'), 500).unref()
  }
})
