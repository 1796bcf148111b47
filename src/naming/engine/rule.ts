/** The naming rule of a project: section "Project enterprise settings" of the specification. */
export interface NamingRule {
  pattern?: string
  example?: string
  description?: string
}

/** The longest pattern, example or description that is examined, matched or shown in full. */
export const maxRuleLength = 10_000

const maxGroups = 1000
const capturingGroup = /\((?!\?)|\(\?<(?![=!])/g

/** Why a rule is not examined, as a sentence without a full stop; undefined if it is short enough. */
export function lengthProblem(rule: NamingRule): string | undefined {
  for (const field of ['pattern', 'example', 'description'] as const) {
    const { length } = rule[field] ?? ''
    if (length <= maxRuleLength) continue
    return `the ${field} is too long to check: ${length} characters, at most ${maxRuleLength}`
  }
  return undefined
}

/** The regular expression that the service builds from a pattern; an empty pattern accepts everything. */
export function ruleSource(pattern: string): string {
  return pattern === '' ? '' : `^${pattern}$`
}

/** Compiles a pattern as the service does: without a group, so the anchors bind only to the outer branches. */
export function compileRule(pattern: string): RegExp {
  return new RegExp(ruleSource(pattern))
}

/**
 * Whether the engine compiles a pattern quickly. It takes time quadratic in the number of capturing groups, and no
 * limit can stop it.
 */
export function isTranslatable(pattern: string): boolean {
  return (pattern.match(capturingGroup)?.length ?? 0) <= maxGroups
}

/** Why a pattern does not compile; undefined when it does, or when it is too long to find out. */
export function compileFailure(pattern: string): string | undefined {
  if (pattern.length > maxRuleLength) return undefined
  try {
    compileRule(pattern)
    // The engine translates a pattern at its first use, and may only then reject it as too large. `(?!)` matches
    // nothing, so this use ends at once.
    if (isTranslatable(pattern)) new RegExp(`(?!)(?:${ruleSource(pattern)})`).test('')
    return undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return error.message.slice(error.message.lastIndexOf('/: ') + 3)
  }
}

/** The pattern, if it has text and compiles. */
export function usable(pattern: string): string | undefined {
  return pattern !== '' && compileFailure(pattern) === undefined ? pattern : undefined
}

/** The pattern that the service enforces: empty for one that does not compile. */
export function enforcedPattern(pattern: string): string {
  return usable(pattern) ?? ''
}
