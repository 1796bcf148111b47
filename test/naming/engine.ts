import { runInNewContext } from 'node:vm'
import { createMatcher, type Verdict } from '../../src/naming/rule.ts'

/** What a plain JavaScript engine says of names, as the service asks it; undefined when it takes too long. */
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
export function verdictOn(pattern: string, name: string): Verdict | undefined {
  return createMatcher(pattern).verdicts([name])[0]
}
