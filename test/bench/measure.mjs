import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const hasHyperfine = spawnSync('hyperfine', ['--version']).status === 0

/**
 * The environment of a measured process, in which `node` is the running Node.js. Some variables cost
 * every start of Node.js time and so hide differences: NODE_EXTRA_CA_CERTS takes 30 ms.
 */
export function environment(variables = {}) {
  const { PATH, HOME } = process.env
  return { PATH: `${dirname(process.execPath)}${delimiter}${PATH}`, HOME, ...variables }
}

/** Runs each command several times with hyperfine; medians in milliseconds. */
function withHyperfine(commands, { runs, env }) {
  const folder = mkdtempSync(join(tmpdir(), 'flagadm-bench-'))
  const report = join(folder, 'report.json')
  const options = [
    '--warmup',
    '1',
    '--ignore-failure',
    '--runs',
    `${runs}`,
    '--export-json',
    report,
  ]
  const lines = commands.map(({ shell }) => shell)
  execFileSync('hyperfine', [...options, ...lines], { env, stdio: 'ignore' })
  const { results } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(folder, { recursive: true })
  return results.map(({ median }) => median * 1000)
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Alternates between the commands, so a busy machine slows all of them; medians in milliseconds. */
function withLoop(commands, { runs, env }) {
  const times = commands.map(() => [])
  for (let run = -1; run < runs; run++) {
    for (const [index, { shell }] of commands.entries()) {
      const start = performance.now()
      spawnSync('sh', ['-c', shell], { env, stdio: 'ignore' })
      if (run >= 0) times[index].push(performance.now() - start)
    }
  }
  return times.map(median)
}

/** Measures shell commands; prints the median of each and its ratio to the first one. */
export function compare(title, commands, { runs = 20, env = {} } = {}) {
  const measure = hasHyperfine ? withHyperfine : withLoop
  const medians = measure(commands, { runs, env: environment(env) })
  console.log(`\n${title}`)
  for (const [index, { name, goal = '' }] of commands.entries()) {
    const ratio = (medians[index] / medians[0]).toFixed(2)
    const time = `${medians[index].toFixed(1).padStart(9)} ms`
    console.log(`  ${name.padEnd(44)} ${time} ${ratio.padStart(7)} ×  ${goal}`)
  }
}

/** Prints the peak memory of a command, if GNU time is installed. */
export function peakMemory(name, shell, { env = {}, goal }) {
  const options = { env: environment(env), stdio: ['ignore', 'ignore', 'pipe'] }
  const { status, stderr } = spawnSync(
    '/usr/bin/time',
    ['-f', '%M', 'sh', '-c', `exec ${shell}`],
    options,
  )
  const kilobytes = Number(`${stderr}`.trim().split('\n').at(-1))
  const megabytes =
    status === null || Number.isNaN(kilobytes) ? 'unknown' : `${(kilobytes / 1024).toFixed(0)} MB`
  console.log(
    `  ${`${name}, peak memory`.padEnd(44)} ${megabytes.padStart(12)}             ${goal}`,
  )
}
