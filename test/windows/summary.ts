import type { Reporter, TestModule } from 'vitest/node'
import { type Skipped, skipped } from './skipped.ts'

function nameOf({ file, title }: Pick<Skipped, 'file' | 'title'>): string {
  return [file, title].filter((part) => part !== undefined).join(' > ')
}

/** Prints which tests were skipped and why, and the line `N passed, N failed, N skipped`. */
export class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state: string) => tests.filter((test) => test.result().state === state)
    const names = inState('skipped').map(({ module, fullName }) =>
      nameOf({ file: module.relativeModuleId, title: fullName }),
    )
    const files = skipped.filter(({ title }) => title === undefined)
    const known = skipped.map(nameOf)
    const ran = new Set(modules.map(({ relativeModuleId }) => relativeModuleId))
    const missing = skipped
      .filter(({ file, title }) => title !== undefined && ran.has(file))
      .map(nameOf)
      .filter((name) => !names.includes(name))
    const unlisted = names.filter((name) => !known.includes(name))

    for (const entry of skipped) {
      const because = entry.isFaultOfWine ? 'because of Wine' : 'also on Windows'
      console.log(`skipped ${because}: ${nameOf(entry)}: ${entry.reason}`)
    }
    for (const name of missing) console.log(`not skipped, but in the list: ${name}`)
    for (const name of unlisted) console.log(`skipped, but not in the list: ${name}`)
    const broken = modules.filter((module) => module.errors().length > 0)
    const failures = [inState('failed'), broken, errors, missing, unlisted].flat()
    if (failures.length > 0) process.exitCode = 1
    const counts = [
      `${inState('passed').length} passed`,
      `${failures.length} failed`,
      `${names.length + files.length} skipped`,
    ]
    console.log(`\n${counts.join(', ')}`)
  }
}
