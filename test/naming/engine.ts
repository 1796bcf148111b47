import { runInNewContext } from 'node:vm'
import { createMatcher, type Verdict } from '../../src/naming/matcher.ts'

/** Whether names match in a plain JavaScript engine, as in the service; undefined when that takes too long. */
export function engineVerdicts(
  pattern: string,
  names: readonly string[],
): readonly boolean[] | undefined {
  const verdicts: boolean[] = []
  const say = (verdict: boolean) => verdicts.push(verdict)
  try {
    const script =
      'const rule = RegExp("^" + pattern + "$"); for (const it of names) say(rule.test(it))'
    runInNewContext(script, { pattern, names, say }, { timeout: 2000 })
    return verdicts
  } catch {
    return undefined
  }
}

/** The verdict of flagadm on one name. */
export async function verdictOn(pattern: string, name: string): Promise<Verdict | undefined> {
  return (await createMatcher(pattern).verdicts([name]))[0]
}
