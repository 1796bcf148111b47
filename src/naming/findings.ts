import { memoized } from '../memoized.ts'
import { Budget } from './analysis/budget.ts'
import { type Relation, relate } from './analysis/relation.ts'
import { examinedRule } from './examined-rule.ts'
import { type Finding, type FindingCode, finding, findingKinds } from './finding-kinds.ts'
import { foreignFindings } from './foreign.ts'
import { illegalExampleFindings, meaningFindings } from './meaning.ts'
import { backslashFindings, compileFindings, delimiterFindings } from './notation.ts'
import { lengthProblem, type NamingRule } from './rule.ts'
import { type Samples, samplesOf } from './samples.ts'
import { whitespaceFindings } from './whitespace.ts'

export interface LintReport extends Samples {
  rule: NamingRule
  /** Sorted by code, in the order of `findingKinds`. */
  findings: Finding[]
}

/** The missing parts of a rule. The service treats an empty part as missing. */
function presenceFindings({ pattern, example, description }: NamingRule): Finding[] {
  if (!pattern) {
    const present = [example && 'an example', description && 'a description'].filter(Boolean)
    if (present.length === 0) return []
    const message = `the rule has ${present.join(' and ')} but no pattern: the service rejects it`
    return [finding('missing-pattern', message)]
  }
  const cleared = 'project settings set keeps the stored one, but other clients clear it'
  return [
    ...(example ? [] : [finding('no-example', `the rule has no example: ${cleared}`)]),
    ...(description ? [] : [finding('no-description', `the rule has no description: ${cleared}`)]),
  ]
}

/** The findings of a rule; `examined` only if there is a pattern that compiles and is short enough. */
async function examine(rule: NamingRule, budget: Budget) {
  const presence = presenceFindings(rule)
  const { pattern, example } = rule
  const problem = lengthProblem(rule)
  if (problem !== undefined) return { findings: [...presence, finding('cannot-decide', problem)] }
  if (!pattern) {
    const nothing = finding('matches-everything', 'there is no pattern: every legal name passes')
    return { findings: presence.length > 0 ? presence : [nothing] }
  }
  const broken = compileFindings(pattern)
  const textual = [
    ...broken,
    ...(await whitespaceFindings(pattern, budget)),
    ...delimiterFindings(pattern),
    ...foreignFindings(pattern),
    ...backslashFindings(pattern),
    ...presence,
  ]
  if (broken.length > 0) return { findings: [...textual, ...illegalExampleFindings(example)] }
  const examined = examinedRule(rule, pattern, budget)
  return { findings: [...textual, ...(await meaningFindings(examined))], examined }
}

function isError({ severity }: Finding): boolean {
  return severity === 'error'
}

/** How a suggestion must relate to the pattern. */
const closer: Partial<Record<FindingCode, Relation>> = {
  'loose-alternation': 'narrower',
  'redundant-anchor': 'equal',
  'unescaped-dot': 'narrower',
}

/** The findings in order, with the suggestions that hold. */
async function corrected({ pattern = '' }: NamingRule, findings: Finding[], budget: Budget) {
  const examinationOf = memoized((suggested: string) => examine({ pattern: suggested }, budget))

  /** The pattern if it has no errors, otherwise what is suggested for one of them. */
  async function sound(suggested: string, mayCorrect: boolean): Promise<string | undefined> {
    const examined = await examinationOf(suggested)
    const errors = examined.findings.filter(isError)
    if (errors.length === 0) return suggested
    const next = errors.find(({ suggestion }) => suggestion !== undefined)?.suggestion
    return mayCorrect && next !== undefined ? sound(next, false) : undefined
  }

  async function checked({ code, severity, suggestion }: Finding): Promise<string | undefined> {
    if (suggestion === undefined || findingKinds[code].field !== 'pattern') return suggestion
    const wanted = closer[code]
    if (wanted && (await relate(pattern, suggestion, budget)).relation !== wanted) return undefined
    // A finding that is not a problem must not suggest a pattern with another meaning.
    return sound(suggestion, severity !== 'info')
  }

  const result: Finding[] = []
  for (const uncorrected of findings) {
    result.push({ ...uncorrected, suggestion: await checked(uncorrected) })
  }
  const order = Object.keys(findingKinds)
  return result.sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code))
}

/**
 * Finds the problems of a rule and, if it has no errors, samples for it. A question that cannot be decided is a finding,
 * too.
 * @param signal stops the work when it aborts
 */
export async function lintRule(rule: NamingRule, signal: AbortSignal): Promise<LintReport> {
  const budget = new Budget(signal)
  const { findings, examined } = await examine(rule, budget)
  const isSound = examined && !findings.some(isError)
  const samples = isSound ? await samplesOf(examined) : { accepts: [], rejects: [] }
  return { rule, findings: await corrected(rule, findings, budget), ...samples }
}

/** The findings of `lintRule` that are errors, and one for each reason why something could not be decided. */
export async function lintProblems(rule: NamingRule, signal: AbortSignal): Promise<Finding[]> {
  const budget = new Budget(signal)
  const { findings } = await examine(rule, budget)
  const problems = findings.filter(
    (candidate) => isError(candidate) || candidate.code === 'cannot-decide',
  )
  return corrected(rule, problems, budget)
}
