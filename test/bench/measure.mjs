import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const hasHyperfine = spawnSync('hyperfine', ['--version']).status === 0

/** Runs commands in turn with hyperfine; medians in milliseconds. */
function withHyperfine(commands, { runs, env }) {
  const folder = mkdtempSync(join(tmpdir(), 'flagadm-bench-'))
  const report = join(folder, 'report.json')
  const options = ['--warmup', '2', '--runs', `${runs}`, '--export-json', report]
  const lines = commands.map(({ shell }) => shell)
  execFileSync('hyperfine', [...options, ...lines], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const { results } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(folder, { recursive: true })
  return results.map(({ median }) => median * 1000)
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function withLoop(commands, { runs, env }) {
  const times = commands.map(() => [])
  for (let run = -2; run < runs; run++) {
    for (const [index, { shell }] of commands.entries()) {
      const start = performance.now()
      execFileSync('sh', ['-c', shell], { env, stdio: ['ignore', 'ignore', 'inherit'] })
      if (run >= 0) times[index].push(performance.now() - start)
    }
  }
  return times.map(median)
}

/**
 * Measures shell commands one after the other on the same machine and prints, for each, its median
 * and its ratio to the first one.
 */
export function compare(title, commands, { runs = 20, env = {} } = {}) {
  const measure = hasHyperfine ? withHyperfine : withLoop
  const medians = measure(commands, { runs, env: { ...process.env, ...env } })
  console.log(`\n${title}`)
  for (const [index, { name, goal = '' }] of commands.entries()) {
    const ratio = (medians[index] / medians[0]).toFixed(2)
    console.log(
      `  ${name.padEnd(44)} ${medians[index].toFixed(1).padStart(9)} ms ${ratio.padStart(7)} ×  ${goal}`,
    )
  }
}
