import { spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

/**
 * The environment of a measured process, in which `node` is the running Node.js. Some variables cost
 * every start of Node.js time and so hide differences: NODE_EXTRA_CA_CERTS takes 30 ms.
 */
function environment(variables = {}) {
  const { PATH, HOME } = process.env
  return { PATH: `${dirname(process.execPath)}${delimiter}${PATH}`, HOME, ...variables }
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/**
 * Alternates between shell commands, so a busy machine slows all of them; prints the median of each
 * and its ratio to the first one.
 */
export function compare(title, commands, { runs = 20, env = {} } = {}) {
  const times = commands.map(() => [])
  const options = { env: environment(env), stdio: 'ignore' }
  for (let run = -1; run < runs; run++) {
    for (const [index, { shell }] of commands.entries()) {
      const start = performance.now()
      spawnSync('sh', ['-c', shell], options)
      if (run >= 0) times[index].push(performance.now() - start)
    }
  }
  const medians = times.map(median)
  console.log(`\n${title}`)
  for (const [index, { name, goal = '' }] of commands.entries()) {
    const ratio = (medians[index] / medians[0]).toFixed(2)
    const time = `${medians[index].toFixed(1).padStart(9)} ms`
    console.log(`  ${name.padEnd(44)} ${time} ${ratio.padStart(7)} ×  ${goal}`)
  }
}

/** What GNU time reports about a command, in one of its formats. */
function timed(format, shell, env) {
  const argv = ['-f', format, 'sh', '-c', `exec ${shell}`]
  const options = { env: environment(env), stdio: ['ignore', 'ignore', 'pipe'] }
  const { stderr } = spawnSync('/usr/bin/time', argv, options)
  return `${stderr}`.trim().split('\n').at(-1)
}

/** The processor time of a command in seconds. */
export function processorTime(shell, env = {}) {
  const [user, system] = timed('%U %S', shell, env).split(' ').map(Number)
  return user + system
}

/** Alternates between commands; prints the median processor time of each, how much more than the first one it takes, and the ratio. */
export function compareProcessorTime(title, commands, { runs, env = {} }) {
  const times = commands.map(() => [])
  for (let run = 0; run < runs; run++) {
    for (const [index, { shell }] of commands.entries()) {
      times[index].push(processorTime(shell, env))
    }
  }
  const medians = times.map(median)
  console.log(`\n${title}, processor time`)
  for (const [index, { name, goal = '' }] of commands.entries()) {
    const more = (medians[index] - medians[0]).toFixed(2)
    const ratio = (medians[index] / medians[0]).toFixed(2)
    const time = `${medians[index].toFixed(2).padStart(9)} s  +${more} s ${ratio.padStart(7)} ×`
    console.log(`  ${name.padEnd(44)} ${time}  ${goal}`)
  }
}

/** Prints the peak memory of a command. */
export function peakMemory(name, shell, { env = {}, goal }) {
  const kilobytes = Number(timed('%M', shell, env))
  const megabytes = Number.isNaN(kilobytes) ? 'unknown' : `${(kilobytes / 1024).toFixed(0)} MB`
  const label = `${name}, peak memory`.padEnd(44)
  console.log(`  ${label} ${megabytes.padStart(12)}             ${goal}`)
}
