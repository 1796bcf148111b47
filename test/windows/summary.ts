import type { Reporter, TestModule } from 'vitest/node'
import { type Skipped, skipped, skippedEntry } from './skipped.ts'

const nameOf = ({ file, title }: Skipped) => `${file} > ${title}`

/** Prints which tests were skipped and why, and the line `N passed, N failed, N skipped`. */
export class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state: string) => tests.filter((test) => test.result().state === state)
    const ran = new Set(modules.map(({ relativeModuleId }) => relativeModuleId))
    const outcomes = inState('skipped').map(({ module, fullName }) => ({
      name: `${module.relativeModuleId} > ${fullName}`,
      entry: skippedEntry(module.relativeModuleId, fullName),
    }))
    const used = new Set(outcomes.map(({ entry }) => entry))
    const missing = skipped.filter((entry) => ran.has(entry.file) && !used.has(entry)).map(nameOf)
    const unlisted = outcomes.filter(({ entry }) => !entry).map(({ name }) => name)

    for (const entry of skipped) console.log(`skipped: ${nameOf(entry)}: ${entry.reason}`)
    for (const name of missing) console.log(`not skipped, but in the list: ${name}`)
    for (const name of unlisted) console.log(`skipped, but not in the list: ${name}`)
    const broken = modules.filter((module) => module.errors().length > 0)
    const failures = [inState('failed'), broken, errors, missing, unlisted].flat()
    if (failures.length > 0) process.exitCode = 1
    const counts = [
      `${inState('passed').length} passed`,
      `${failures.length} failed`,
      `${outcomes.length} skipped`,
    ]
    console.log(`\n${counts.join(', ')}`)
  }
}
