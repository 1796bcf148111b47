import { isNativeError } from 'node:util/types'
import { maxNameLength } from '../input/flag-names.ts'
import { createTimed } from '../timed.ts'

/** The naming rule of a project: section "Project enterprise settings" of the specification. */
export interface NamingRule {
  pattern?: string
  example?: string
  description?: string
}

/** The longest pattern, example or description that is checked or shown in full. */
export const maxRuleLength = 10_000

const maxGroups = 1000
const capturingGroup = /\((?!\?)|\(\?<(?![=!])/g

/** Why a rule is not checked, as a sentence without a full stop; undefined if it is short enough. */
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

/** Whether V8 compiles a pattern quickly: the time is quadratic in the number of groups, and no limit stops it. */
function compilesQuickly(pattern: string): boolean {
  return (pattern.match(capturingGroup)?.length ?? 0) <= maxGroups
}

/** Why a pattern does not compile; undefined if it does, or if it is too long to find out. */
export function compileFailure(pattern: string): string | undefined {
  if (pattern.length > maxRuleLength) return undefined
  try {
    const rule = new RegExp(ruleSource(pattern))
    // V8 compiles a pattern at its first use, and may only then reject it as too large. `(?!)` fails at once.
    if (compilesQuickly(pattern)) new RegExp(`(?!)(?:${rule.source})`).test('')
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

/** Whether a name matches; `timeout` if that takes too long, or if the pattern is too long. */
export type NameMatch = boolean | 'timeout'

/** Returns one verdict for each name; false for names that are too long. */
export type NameMatcher = (names: readonly string[]) => Promise<NameMatch[]>

/** Whether an error comes from recursion that is too deep for the stack. */
export function isStackOverflow(error: unknown): boolean {
  // Not `instanceof`, because the error may come from another realm.
  return isNativeError(error) && error.name === 'RangeError'
}

const batchSize = 2000
const msPerBatch = 200
const maxSlowNames = 10

/**
 * A matcher with the semantics of the service that no pattern can hang: names are matched in batches, which become
 * smaller where one takes too long.
 * @param pattern one that compiles: see `compileFailure`
 */
export function createNameMatcher(pattern: string, signal: AbortSignal): NameMatcher {
  const isUsable = pattern.length <= maxRuleLength && compilesQuickly(pattern)
  const rule = new RegExp(isUsable ? ruleSource(pattern) : '')
  const run = createTimed(msPerBatch)
  let slowNames = isUsable ? 0 : maxSlowNames
  let size = batchSize

  function match(names: readonly string[]): boolean[] | undefined {
    try {
      return run(() => names.map((name) => name.length <= maxNameLength && rule.test(name)))
    } catch (error) {
      if (!isStackOverflow(error)) throw error
      return undefined
    }
  }

  return async (names) => {
    const verdicts: NameMatch[] = []
    while (verdicts.length < names.length) {
      await new Promise(setImmediate)
      signal.throwIfAborted()
      const batch = names.slice(verdicts.length, verdicts.length + size)
      const isOver = slowNames >= maxSlowNames
      const found = isOver ? undefined : match(batch)
      if (found) {
        for (const verdict of found) verdicts.push(verdict)
        size = Math.min(2 * size, batchSize)
      } else if (batch.length > 1 && !isOver) {
        size = Math.ceil(batch.length / 8)
      } else {
        slowNames++
        for (const { length } of batch) verdicts.push(length <= maxNameLength && 'timeout')
      }
    }
    return verdicts
  }
}
