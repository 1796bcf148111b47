import { type Budget, createBudget, UndecidedError } from './engine/budget.ts'
import { type Finding, type FindingCode, fieldOf, finding, findingKinds } from './finding.ts'
import { branchFindings } from './findings/branches.ts'
import { dotFindings } from './findings/characters.ts'
import { costFindings } from './findings/cost.ts'
import { exampleFindings, illegalExampleFindings, presenceFindings } from './findings/fields.ts'
import { anchorFindings, extentFindings } from './findings/meaning.ts'
import {
  backslashFindings,
  compileFindings,
  delimiterFindings,
  foreignFindings,
} from './findings/notation.ts'
import { whitespaceFindings } from './findings/whitespace.ts'
import { lengthProblem, type NamingRule } from './engine/rule.ts'
import { type Samples, samplesOf } from './samples.ts'
import { createExaminedRule, type ExaminedRule } from './engine/examined-rule.ts'

/** The findings and the samples of a rule. */
export interface LintReport extends Samples {
  rule: NamingRule
  /** Sorted by code, in the order of `findingKinds`. */
  findings: Finding[]
}

// About two seconds of work.
const lintSteps = 40_000_000
const suggestionSteps = 10_000_000

interface Check {
  /** The codes that remain undecided if the check cannot be completed. */
  codes: readonly FindingCode[]
  find(examined: ExaminedRule): Finding[] | Promise<Finding[]>
}

const checks: readonly Check[] = [
  { codes: ['example-mismatch', 'example-illegal'], find: exampleFindings },
  { codes: ['unsatisfiable', 'matches-everything'], find: extentFindings },
  { codes: ['loose-alternation', 'redundant-anchor'], find: anchorFindings },
  { codes: ['too-short-or-long'], find: branchFindings },
  { codes: ['catastrophic'], find: costFindings },
  { codes: ['unescaped-dot'], find: dotFindings },
]

/** The findings about the meaning of a pattern, which must compile. */
async function meaningFindings(examined: ExaminedRule): Promise<Finding[]> {
  const found: Finding[] = []
  const open = new Map<string, FindingCode[]>()
  for (const { codes, find } of checks) {
    try {
      await examined.budget.pause()
      found.push(...(await find(examined)))
    } catch (error) {
      if (!(error instanceof UndecidedError)) throw error
      open.set(error.message, [...(open.get(error.message) ?? []), ...codes])
    }
  }
  for (const [reason, codes] of open) {
    found.push(finding('cannot-decide', `${codes.join(', ')} could not be decided: ${reason}`))
  }
  const isDead = found.some(({ code }) => code === 'unsatisfiable')
  return isDead ? found.filter(({ code }) => code !== 'too-short-or-long') : found
}

function sorted(findings: readonly Finding[]): Finding[] {
  const order = Object.keys(findingKinds)
  return findings.toSorted((a, b) => order.indexOf(a.code) - order.indexOf(b.code))
}

interface Examination {
  findings: Finding[]
  /** Only if the pattern compiles. */
  examined?: ExaminedRule
}

async function examine(rule: NamingRule, budget: Budget): Promise<Examination> {
  const presence = presenceFindings(rule)
  const { pattern, example } = rule
  const problem = lengthProblem(rule)
  if (problem !== undefined) {
    return { findings: sorted([finding('cannot-decide', problem), ...presence]) }
  }
  if (!pattern) {
    const nothing = finding('matches-everything', 'there is no pattern: every legal name passes')
    return { findings: presence.length > 0 ? presence : [nothing] }
  }
  const examined = createExaminedRule(rule, pattern, budget)
  const broken = compileFindings(pattern)
  const isBroken = broken.length > 0
  const findings = sorted([
    ...broken,
    ...(await whitespaceFindings(examined)),
    ...delimiterFindings(pattern),
    ...foreignFindings(pattern),
    ...backslashFindings(pattern),
    ...presence,
    ...(isBroken ? illegalExampleFindings(example) : await meaningFindings(examined)),
  ])
  return isBroken ? { findings } : { findings, examined }
}

function isError({ severity }: Finding): boolean {
  return severity === 'error'
}

/**
 * The suggested pattern if it has no errors itself, otherwise the suggestion for it.
 * @param mayCorrect whether the suggestion may be corrected once
 */
async function soundCorrection(
  pattern: string,
  budget: Budget,
  mayCorrect: boolean,
): Promise<string | undefined> {
  const { findings } = await examine({ pattern }, budget)
  const errors = findings.filter(isError)
  if (errors.length === 0) return pattern
  const next = errors.find(({ suggestion }) => suggestion !== undefined)?.suggestion
  return mayCorrect && next !== undefined ? soundCorrection(next, budget, false) : undefined
}

/** The findings, each with a suggestion that has no errors itself, if there is one. */
async function corrected(findings: readonly Finding[], signal: AbortSignal): Promise<Finding[]> {
  const budget = createBudget(suggestionSteps, signal)
  const known = new Map<string, string | undefined>()
  const result: Finding[] = []
  for (const found of findings) {
    const { code, severity, suggestion } = found
    if (suggestion === undefined || fieldOf(code) !== 'pattern') {
      result.push(found)
      continue
    }
    // A finding that is not a problem must not suggest a pattern with another meaning.
    const mayCorrect = severity !== 'info'
    const key = `${mayCorrect} ${suggestion}`
    if (!known.has(key)) known.set(key, await soundCorrection(suggestion, budget, mayCorrect))
    result.push({ ...found, suggestion: known.get(key) })
  }
  return result
}

/**
 * Finds the problems of a rule and, if it has no errors, samples for it. A question that cannot be decided is a finding,
 * too.
 * @param signal stops the work when it aborts
 */
export async function lintRule(rule: NamingRule, signal: AbortSignal): Promise<LintReport> {
  const { findings, examined } = await examine(rule, createBudget(lintSteps, signal))
  const isSound = examined && !findings.some(isError)
  const samples = isSound ? await samplesOf(examined) : { accepts: [], rejects: [] }
  return { rule, findings: await corrected(findings, signal), ...samples }
}

/** The findings of `lintRule` that are errors, and one for each reason why something could not be decided. */
export async function lintProblems(rule: NamingRule, signal: AbortSignal): Promise<Finding[]> {
  const { findings } = await examine(rule, createBudget(lintSteps, signal))
  const problems = findings.filter((found) => isError(found) || found.code === 'cannot-decide')
  return corrected(problems, signal)
}
