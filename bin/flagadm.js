#!/usr/bin/env node
const { hostOf, run } = require('./code-cache.js')

const INTERRUPTED = 130

// Most users have a variable HOME, so the module is loaded on demand.
const homedir = () => require('node:os').homedir()

run(process.argv.slice(2), hostOf(process, homedir)).then((code) => {
  process.exitCode = code
  // A blocked system call would even keep process.exit() waiting, so kill the process.
  if (code === INTERRUPTED) setTimeout(() => process.kill(process.pid, 'SIGINT'), 500).unref()
})
