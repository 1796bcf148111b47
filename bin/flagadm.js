#!/usr/bin/env node
const { hostOf, run } = require('../dist/cli.js')

const INTERRUPTED = 130

const words = process.argv.slice(2)

run(words, hostOf(process)).then((code) => {
  process.exitCode = code
  // Node.js cannot exit while it opens a pipe without a writer or looks up the address of a host, so kill the
  // process: after an interrupt (Windows has no such pipes), and where a shell waits for candidates. SIGINT kills it,
  // because `hostOf` listens only to the first signal.
  if (code === INTERRUPTED && process.platform !== 'win32') {
    setTimeout(() => process.kill(process.pid, 'SIGINT'), 500).unref()
  } else if (words[0] === 'complete') {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100).unref()
  }
})
