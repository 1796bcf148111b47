import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processorTime } from './measure.mjs'

const project = { id: 'default', name: 'Default', mode: 'open' }
const flagsOf = (count, more) =>
  Array.from({ length: count }, (_, index) => {
    return { name: `flag-${index}`, project: 'default', ...more(index) }
  })
const row = (appName, environment) => ({ appName, environment, yes: 3, no: 1 })

/** What grows, as seeds of a size: twice the size may take at most this many times as long. */
const MOST = 2.6
const growing = {
  'flags and their rows': (size) =>
    flagsOf(40 * size, () => ({ usage: [row('app', 'production')] })),
  'letters of a name': (size) =>
    flagsOf(60, (index) => ({ name: `${index}-${'x'.repeat(80 * size)}` })),
  'letters of an application': (size) =>
    flagsOf(60, () => ({ usage: [row('y'.repeat(80 * size), 'production')] })),
  environments: (size) =>
    flagsOf(60, () => ({
      environments: Array.from({ length: size }, (_, index) => ({ name: `e-${index}` })),
    })),
  'rows of a flag': (size) =>
    flagsOf(30, () => ({
      usage: Array.from({ length: 4 * size }, (_, index) => row(`app-${index}`, 'production')),
    })),
  'levels of dependencies': (size) =>
    flagsOf(10 * size, (index) =>
      index === 0 ? {} : { dependencies: [{ feature: `flag-${index - 1}` }] },
    ),
}

const rowFormats = ['table', 'json', 'jsonl', 'csv', 'markdown']
const commands = [
  ...rowFormats.map((format) => `feature list --project default -o ${format}`),
  ...rowFormats.map((format) => `feature usage --project default -o ${format}`),
  ...[...rowFormats, 'html', 'github', 'sarif'].map(
    (format) => `feature review --project default -o ${format}`,
  ),
]

/**
 * Doubles what can grow, and prints where the processor time of a command grows more than that.
 * @param start starts a sandbox with the data of a seed file
 */
export async function doubling(flagadm, folder, start) {
  console.log(`\nTwice the size, processor time: at most ${MOST} ×`)
  for (const [what, flags] of Object.entries(growing)) {
    const times = []
    for (const size of [50, 100]) {
      const seed = join(folder, 'growing.json')
      writeFileSync(seed, JSON.stringify({ projects: [project], flags: flags(size) }))
      const { env, stop } = await start(seed)
      times.push(commands.map((words) => processorTime(`${flagadm} ${words}`, env)))
      stop()
    }
    const [before, after] = times
    const ratios = commands.map((words, index) => ({ words, ratio: after[index] / before[index] }))
    const [worst] = ratios.toSorted((a, b) => b.ratio - a.ratio)
    const faults = ratios.filter(({ ratio }) => ratio > MOST)
    console.log(`  ${what.padEnd(30)} ${worst.ratio.toFixed(2).padStart(6)} ×  ${worst.words}`)
    for (const { words, ratio } of faults) console.log(`    FAULT ${ratio.toFixed(2)} ×  ${words}`)
  }
}
