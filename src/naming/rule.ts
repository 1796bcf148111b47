import { FlagadmError, refuseUsage } from '../errors.ts'
import { illegalReasons, isLegalName, MAX_NAME_LENGTH } from '../input/flag-names.ts'
import { spellings } from '../input/spelling.ts'
import { createTimedMap } from '../timed.ts'

/** The naming rule of a project: section "Project enterprise settings" of the specification. */
export interface NamingRule {
  pattern?: string | undefined
  example?: string | undefined
  description?: string | undefined
}

/** The longest pattern, example or description that is checked or shown in full. */
export const MAX_RULE_LENGTH = 10_000

const MAX_CAPTURING_GROUPS = 1000
const CAPTURING_GROUP = /\((?!\?)|\(\?<(?![=!])/g

/** Why a rule is not checked, as a sentence without a full stop; undefined if it is short enough. */
export function lengthProblem(rule: NamingRule): string | undefined {
  for (const field of ['pattern', 'example', 'description'] as const) {
    const { length } = rule[field] ?? ''
    if (length <= MAX_RULE_LENGTH) continue
    return `the ${field} is too long to check: ${length} characters, at most ${MAX_RULE_LENGTH}`
  }
  return undefined
}

/** The regular expression that the service builds from a pattern; an empty pattern accepts everything. */
export function ruleSource(pattern: string): string {
  return pattern === '' ? '' : `^${pattern}$`
}

/** Whether V8 compiles a pattern quickly: the time is quadratic in the number of groups, and no limit stops it. */
function compilesQuickly(pattern: string): boolean {
  return (pattern.match(CAPTURING_GROUP)?.length ?? 0) <= MAX_CAPTURING_GROUPS
}

/** Why a pattern does not compile; undefined if it does, or if it is too long to find out. */
export function compileFailure(pattern: string): string | undefined {
  if (pattern.length > MAX_RULE_LENGTH) return undefined
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

/**
 * A matcher with the semantics of the service that no pattern can hang.
 * @param pattern one that compiles: see `compileFailure`
 */
export function createNameMatcher(pattern: string, signal: AbortSignal): NameMatcher {
  const isUsable = pattern.length <= MAX_RULE_LENGTH && compilesQuickly(pattern)
  const rule = new RegExp(isUsable ? ruleSource(pattern) : '')
  const isShort = (name: string) => name.length <= MAX_NAME_LENGTH
  const match = createTimedMap((name: string) => isShort(name) && rule.test(name), signal)
  return async (names) => {
    const matches = isUsable ? await match(names) : []
    return names.map((name, index) => matches[index] ?? (isShort(name) && 'timeout'))
  }
}

/** Why a name fails, each worded to follow "the name"; empty for one that passes. */
export function reasonsOf(name: string, match: NameMatch, pattern: string): string[] {
  const illegal = isLegalName(name) ? [] : illegalReasons(name)
  // Names that are too long are not matched, because they fail anyway.
  if (match === true || name.length > MAX_NAME_LENGTH) return illegal
  const source = ruleSource(pattern)
  const isOpen = match === 'timeout'
  const unmatched = `could not be matched with ${source} in time`
  return [...illegal, isOpen ? unmatched : `does not match ${source}`]
}

// Literal characters at the start of a pattern, without one that has a quantifier.
const LITERAL_START = /^\^?(?<text>(?:[\w~!'-]|\\[-.!~*'()])*)(?![*+?{])/

/** The literal text at the start of every match, if it is easy to see. */
export function literalPrefix(pattern: string): string {
  return LITERAL_START.exec(pattern)?.groups?.text?.replaceAll('\\', '') ?? ''
}

/** For each failing name, the nearest legal one that passes, if there is one. */
export async function nearestNames(
  names: readonly string[],
  pattern: string,
  matcher: NameMatcher,
): Promise<(string | undefined)[]> {
  const prefix = literalPrefix(pattern)
  const choices = names.map((name) => {
    // A longer name has no legal spelling.
    if (name.length > 2 * MAX_NAME_LENGTH) return []
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : name
    const prefixed = prefix === '' ? [] : [rest, ...spellings(rest)].map((word) => prefix + word)
    return [...spellings(name), ...prefixed].filter(isLegalName)
  })
  const all = [...new Set(choices.flat())]
  const verdicts = await matcher(all)
  const passing = new Set(all.filter((_, i) => verdicts[i] === true))
  return choices.map((choice) => choice.find((spelling) => passing.has(spelling)))
}

/** @throws `checkFailed` for a rule that is too long to examine, or to check names with */
export function refuseLongRule(rule: NamingRule, projectId?: string): void {
  const problem = lengthProblem(rule)
  if (problem === undefined) return
  throw new FlagadmError('checkFailed', `inconclusive: ${problem}`, {
    projectId,
    hint: 'use a shorter rule',
  })
}

/**
 * The pattern of a rule, to check names against.
 * @param projectId the project that stores the rule
 * @throws a usage error when it has none or one that does not compile, `checkFailed` when it is too long
 */
export function usablePattern(
  { rule: { pattern }, file = 'the rule' }: { rule: NamingRule; file?: string | undefined },
  projectId?: string,
): string {
  if (!pattern) {
    refuseUsage(`${file}: the pattern is missing`, 'add a pattern to the rule')
  }
  refuseLongRule({ pattern }, projectId)
  const failure = compileFailure(pattern)
  if (failure === undefined) return pattern
  throw new FlagadmError('usage', `pattern: not a valid regular expression: ${failure}`, {
    projectId,
    hint: 'to see where:',
    command: [
      'flagadm',
      'naming',
      'lint',
      ...(projectId === undefined ? ['--pattern', pattern] : ['--project', projectId]),
    ],
  })
}
