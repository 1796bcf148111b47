#!/usr/bin/env node
const { hostOf, run } = require('../dist/cli.js')

run(process.argv.slice(2), hostOf(process)).then((code) => {
  process.exitCode = code
})
