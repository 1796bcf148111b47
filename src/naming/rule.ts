import { FlagadmError } from '../errors.ts'
import { createGuard, OutOfReach } from './limit.ts'

/** The naming rule of a project: section "Project enterprise settings" of the specification. */
export interface NamingRule {
  pattern?: string
  example?: string
  description?: string
}

/** Whether a name matches; `timeout` when that could not be found out in time. */
export type Verdict = boolean | 'timeout'

export interface Matcher {
  /** One verdict for each name. The time limit is paid per call: give it thousands at once. */
  verdicts(names: readonly string[]): Verdict[]
}

const translationLimit = 100
const nameLimit = 250
const defaultPatience = 2000

/** The regular expression that the service makes of a pattern; an empty pattern is no rule. */
export function ruleSource(pattern: string): string {
  return pattern === '' ? '' : `^${pattern}$`
}

/** Compiles a pattern as the service does. The anchors bind to the outer branches only: no group is added. */
export function compileRule(pattern: string): RegExp {
  return new RegExp(ruleSource(pattern))
}

/** What the engine has against a pattern; undefined when it compiles. */
export function compileFailure(pattern: string): string | undefined {
  try {
    const rule = compileRule(pattern)
    // The engine translates a pattern at its first use, and may only then find it too large.
    createGuard().run(translationLimit, () => rule.test(''))
    return undefined
  } catch (error) {
    if (error instanceof OutOfReach) return undefined
    if (!(error instanceof SyntaxError)) throw error
    return error.message.slice(error.message.lastIndexOf('/: ') + 3)
  }
}

/**
 * A matcher with the service's semantics that no pattern can hang.
 * @param patience a pattern that has wasted so many milliseconds is hostile: it is not tried again
 * @throws FlagadmError when the pattern does not compile
 */
export function createMatcher(pattern: string, patience = defaultPatience): Matcher {
  const failure = compileFailure(pattern)
  if (failure !== undefined) {
    throw new FlagadmError('usage', `pattern: not a valid regular expression: ${failure}`, {
      hint: 'run "flagadm naming lint" to see where',
    })
  }
  const rule = compileRule(pattern)
  const guard = createGuard()
  let wasted = 0
  return {
    verdicts(names) {
      const verdicts: Verdict[] = []
      while (verdicts.length < names.length && wasted < patience) {
        const start = verdicts.length
        try {
          guard.run(nameLimit, () => {
            for (let i = start; i < names.length; i++) verdicts.push(rule.test(names[i] ?? ''))
          })
        } catch (error) {
          if (!(error instanceof OutOfReach)) throw error
          // Stopped within its first name: that one alone takes too long. Else go on from the one that was stopped.
          if (verdicts.length > start) continue
          verdicts.push('timeout')
          wasted += nameLimit
        }
      }
      while (verdicts.length < names.length) verdicts.push('timeout')
      return verdicts
    },
  }
}
