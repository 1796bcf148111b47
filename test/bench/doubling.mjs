import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { hostOf, run } from '../../dist/cli.js'
import { print } from './measure.mjs'

/** Twice the size may take at most this many times as long. */
const MOST = 2.6
const LIMIT = `at most ${MOST} ×`
const SIZES = [50, 100]
// Below that, a pause of the garbage collector makes the difference.
const SECONDS = 0.1

const own = hostOf(process)
const words = (command) => command.split(' ')
const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** Runs a command line in this process. @returns its processor time in seconds, without that of a start */
async function timeOf(command, { env, cwd }) {
  const host = { ...own, env, cwd, stdout: sink(), stderr: sink() }
  const before = process.cpuUsage()
  await run(words(command), host)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Starts a service for a size, and writes the files that its commands read. */
async function prepare(folder, { seed, answers, files }, size, { start, serve }) {
  const cwd = join(folder, `${size}`)
  mkdirSync(cwd, { recursive: true })
  const data = join(cwd, 'data.json')
  writeFileSync(data, JSON.stringify(seed ? seed(size) : answers(size)))
  const service = await (seed ? start(data) : serve(data))
  const written = files?.(size, service.env.FLAGADM_BASE_URL) ?? {}
  for (const [name, text] of Object.entries(written)) writeFileSync(join(cwd, name), text)
  return { ...service, cwd }
}

/**
 * Doubles what can grow, and prints where the processor time of a command grows more than that, and the worst of the others.
 * @param inputs by what grows
 * @param services starts a sandbox with the data of a seed file, and a service with the answers in a file
 */
export async function doubling(folder, inputs, services) {
  console.log('\nTwice the size, processor time')
  for (const [what, { commands, ...input }] of Object.entries(inputs)) {
    const place = mkdtempSync(join(folder, 'growing-'))
    const [small, large] = [
      await prepare(place, input, SIZES[0], services),
      await prepare(place, input, SIZES[1], services),
    ]
    const results = []
    for (const command of commands) {
      // The first run loads and compiles; other work of the machine only adds to a time.
      await timeOf(command, small)
      let [before, after] = [await timeOf(command, small), await timeOf(command, large)]
      for (let round = 0; round < 2 && after / before > MOST; round++) {
        before = Math.min(before, await timeOf(command, small))
        after = Math.min(after, await timeOf(command, large))
      }
      results.push({ command, before, after, ratio: after / before })
    }
    small.stop()
    large.stop()
    const [worst, ...others] = results.toSorted((a, b) => b.ratio - a.ratio)
    const isFault = ({ ratio, after }) => ratio > MOST && after > SECONDS
    for (const one of [worst, ...others.filter(isFault)]) {
      const ratio = `${one.ratio.toFixed(2)} ×`.padStart(8)
      const times = `${one.before.toFixed(2)} → ${one.after.toFixed(2)} s`
      print(`${what.padEnd(26)} ${one.command}`, `${ratio}  ${times}`, LIMIT, isFault(one))
    }
  }
}
