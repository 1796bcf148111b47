#!/usr/bin/env node
const { hostOf, run } = require('../dist/cli.js')

const INTERRUPTED = 130

run(process.argv.slice(2), hostOf(process)).then((code) => {
  process.exitCode = code
  // A blocked system call keeps the process, even from exiting: only the signal ends it.
  if (code === INTERRUPTED) setTimeout(() => process.kill(process.pid, 'SIGINT'), 500).unref()
})
