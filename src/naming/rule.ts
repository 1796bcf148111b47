import { createGuard, OutOfReach } from './budget.ts'

/** The naming rule of a project: section "Project enterprise settings" of the specification. */
export interface NamingRule {
  pattern?: string
  example?: string
  description?: string
}

// The engine translates a pattern in far less time.
const translationLimit = 1000

// Only repetition with a count, or great length, makes a translation large.
const longestSmall = 1000

function isSmall(pattern: string): boolean {
  return pattern.length <= longestSmall && !pattern.includes('{')
}

/** The regular expression that the service makes of a pattern; an empty pattern accepts everything. */
export function ruleSource(pattern: string): string {
  return pattern === '' ? '' : `^${pattern}$`
}

/** Compiles a pattern as the service does. The anchors bind to the outer branches only: no group is added. */
export function compileRule(pattern: string): RegExp {
  return new RegExp(ruleSource(pattern))
}

/** Why a pattern does not compile; undefined when it does. */
export function compileFailure(pattern: string): string | undefined {
  try {
    const rule = compileRule(pattern)
    // The engine translates a pattern at its first use, and may only then find it too large.
    if (!isSmall(pattern)) createGuard().run(translationLimit, () => rule.test(''))
    return undefined
  } catch (error) {
    if (error instanceof OutOfReach) return undefined
    if (!(error instanceof SyntaxError)) throw error
    return error.message.slice(error.message.lastIndexOf('/: ') + 3)
  }
}

/** The pattern that the service enforces: none in place of one that does not compile. */
export function enforcedPattern(pattern: string): string {
  return compileFailure(pattern) === undefined ? pattern : ''
}
