#!/usr/bin/env node
import { hostOf, run } from '../dist/cli.js'

process.exitCode = await run(process.argv.slice(2), hostOf(process))
