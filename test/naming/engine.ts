import { createContext, Script } from 'node:vm'
import { isLegalName } from '../../src/input/flag-names.ts'
import { createNameMatcher, type NameMatch } from '../../src/naming/rule.ts'
import type { Samples } from '../../src/naming/samples.ts'

const { signal } = new AbortController()

const task: { work: () => void } = { work: () => {} }
const context = createContext(task)
const script = new Script('work()')

/** Whether names match in a plain JavaScript engine, as in the service; undefined when that takes too long. */
export function engineVerdicts(
  pattern: string,
  names: readonly string[],
  timeout = 2000,
): readonly boolean[] | undefined {
  const verdicts: boolean[] = []
  task.work = () => {
    const rule = new RegExp(`^${pattern}$`)
    for (const name of names) verdicts.push(rule.test(name))
  }
  try {
    script.runInContext(context, { timeout })
    return verdicts
  } catch {
    return undefined
  }
}

/** The verdict of flagadm on one name. */
export async function verdictOn(pattern: string, name: string): Promise<NameMatch | undefined> {
  return (await createNameMatcher(pattern, signal)([name]))[0]
}

/** The samples of a pattern that are illegal or that the engine does not treat as shown. */
export function wronglyShown(pattern: string, { accepts, rejects }: Samples): string[] {
  const names = [...accepts, ...rejects]
  const verdicts = engineVerdicts(pattern, names)
  return names.filter((name, i) => !isLegalName(name) || verdicts?.[i] !== accepts.includes(name))
}
