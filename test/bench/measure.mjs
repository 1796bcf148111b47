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

/** Prints a measurement with its limit in one line. One beyond its limit is a fault, and the exit code says so. */
export function print(name, figures, limit, isOver) {
  if (isOver) process.exitCode = 1
  const line = `  ${name.padEnd(44)} ${figures}  ${limit}${isOver ? '  FAULT' : ''}`
  console.log(line.trimEnd())
}

/** The kinds of limits, each with its text and whether figures are beyond it. */
const limitKinds = {
  most: (limit, { ratio }) => [`at most ${limit} ×`, ratio > limit],
  least: (limit, { ratio }) => [`at least ${limit} ×`, ratio < limit],
  seconds: (limit, { seconds }) => [`at most ${limit} s`, seconds > limit],
  more: (limit, { more }) => [`at most ${limit} s more`, more > limit],
  megabytes: (limit, { megabytes }) => [`at most ${limit} MB`, megabytes > limit],
}

/** What GNU time reports about a command that runs some times in a row, for each of these. */
function measured(shell, env, times) {
  const script = times === 1 ? shell : `for i in $(seq ${times}); do ${shell}; done`
  const argv = ['-f', '%e %U %S %M', 'sh', '-c', script]
  const options = { env: environment(env), stdio: ['ignore', 'ignore', 'pipe'] }
  const { stderr, status } = spawnSync('/usr/bin/time', argv, options)
  // A check of names fails with 9.
  if (![0, 9].includes(status)) throw new Error(`${shell}: exit code ${status}\n${stderr}`)
  const [clock, user, system, kilobytes] = `${stderr}`
    .trim()
    .split('\n')
    .at(-1)
    .split(' ')
    .map(Number)
  return {
    clock: clock / times,
    processor: (user + system) / times,
    megabytes: kilobytes / 1024,
  }
}

/**
 * Alternates between shell commands, and prints of each the least time and memory, because other work of the machine
 * only adds to them, and the ratio of its time to that of the first one.
 * @param commands with their limits
 * @param by processor time or, for what waits, the clock
 * @param times how often a short command runs in a row, because GNU time counts hundredths of seconds
 */
export function compare(title, commands, { runs, env, by = 'processor', times = 1 }) {
  const least = commands.map(() => ({ seconds: Infinity, megabytes: Infinity }))
  const runAll = () => {
    for (const [index, { shell }] of commands.entries()) {
      const { [by]: seconds, megabytes } = measured(shell, env, times)
      least[index].seconds = Math.min(least[index].seconds, seconds)
      least[index].megabytes = Math.min(least[index].megabytes, megabytes)
    }
  }
  const judged = () =>
    commands.map(({ name, limits = {} }, index) => {
      const { seconds, megabytes } = least[index]
      const ratio = seconds / least[0].seconds
      const figures = { seconds, megabytes, ratio, more: seconds - least[0].seconds }
      const all = Object.entries(limits).map(([kind, limit]) => limitKinds[kind](limit, figures))
      const limit = all.map(([text]) => text).join(', ')
      return { name, ...figures, limit, isOver: all.some(([, isOver]) => isOver) }
    })
  // What is beyond a limit gets a second chance.
  for (let run = 0; run < runs * 2; run++) {
    if (run >= runs && !judged().some(({ isOver }) => isOver)) break
    runAll()
  }
  console.log(`\n${title}, ${by === 'clock' ? 'by the clock' : 'processor time'}`)
  for (const { name, seconds, ratio, megabytes, limit, isOver } of judged()) {
    const time = `${seconds.toFixed(3)} s`.padStart(10)
    const memory = `${megabytes.toFixed(0)} MB`.padStart(8)
    print(name, `${time} ${`${ratio.toFixed(2)} ×`.padStart(9)} ${memory}`, limit, isOver)
  }
}
