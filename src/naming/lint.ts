import { type Finding, type FindingCode, finding, findingKinds } from './finding.ts'
import { anchorFindings } from './findings/anchors.ts'
import { branchFindings } from './findings/branches.ts'
import { compileFindings } from './findings/compile.ts'
import { costFindings } from './findings/cost.ts'
import { delimiterFindings } from './findings/delimiters.ts'
import { exampleFindings, illegalExampleFindings } from './findings/example.ts'
import { extentFindings } from './findings/extent.ts'
import { presenceFindings } from './findings/presence.ts'
import { createSubject, type Subject } from './findings/subject.ts'
import { whitespaceFindings } from './findings/whitespace.ts'
import { createDeadline, OutOfReach } from './limit.ts'
import type { NamingRule } from './rule.ts'
import { type Samples, samplesOf } from './samples.ts'

/** What there is to say of a rule. */
export interface LintReport extends Samples {
  rule: NamingRule
  /** Sorted by code, in the order of `findingKinds`. */
  findings: Finding[]
}

// With what is outside of it (loading, matching, being stopped), a lint ends within five seconds.
const lintLimit = 3200

interface Check {
  /** What stays open when the check cannot be brought to an end. */
  codes: readonly FindingCode[]
  find(subject: Subject): Finding[] | Promise<Finding[]>
}

const checks: readonly Check[] = [
  { codes: ['example-mismatch', 'example-illegal'], find: exampleFindings },
  { codes: ['unsatisfiable', 'matches-everything'], find: extentFindings },
  { codes: ['loose-alternation', 'redundant-anchor'], find: anchorFindings },
  { codes: ['too-short-or-long'], find: branchFindings },
  { codes: ['catastrophic'], find: costFindings },
]

/** What a pattern that compiles means. */
async function meaningFindings(subject: Subject): Promise<Finding[]> {
  const found: Finding[] = []
  const open = new Map<string, FindingCode[]>()
  for (const { codes, find } of checks) {
    try {
      found.push(...(await find(subject)))
    } catch (error) {
      if (!(error instanceof OutOfReach)) throw error
      open.set(error.message, [...(open.get(error.message) ?? []), ...codes])
    }
  }
  for (const [reason, codes] of open) {
    found.push(finding('cannot-decide', `cannot decide on ${codes.join(', ')}: ${reason}`))
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
  /** Only of a rule whose pattern compiles. */
  subject?: Subject
}

async function examine(rule: NamingRule): Promise<Examination> {
  const presence = presenceFindings(rule)
  const { pattern, example } = rule
  if (!pattern) {
    const nothing = finding('matches-everything', 'there is no pattern: every legal name passes')
    return { findings: presence.length > 0 ? presence : [nothing] }
  }
  const { createSolver } = await import('./solver.ts')
  const subject = createSubject(rule, pattern, createSolver(createDeadline(lintLimit)))
  const broken = compileFindings(pattern)
  const text = [
    ...broken,
    ...whitespaceFindings(subject),
    ...delimiterFindings(pattern),
    ...presence,
  ]
  if (broken.length === 0) {
    return { findings: sorted([...text, ...(await meaningFindings(subject))]), subject }
  }
  return { findings: sorted([...text, ...(example ? illegalExampleFindings(example) : [])]) }
}

function isError({ severity }: Finding): boolean {
  return severity === 'error'
}

/**
 * Proves a rule: everything that is wrong with it, and, when nothing is, names that show what it means.
 * Ends within five seconds whatever the rule; what could not be decided is a finding too.
 */
export async function lintRule(rule: NamingRule): Promise<LintReport> {
  const { findings, subject } = await examine(rule)
  const isSound = subject && !findings.some(isError)
  return { rule, findings, ...(isSound ? samplesOf(subject) : { accepts: [], rejects: [] }) }
}

/** The findings of `lintRule` for which a rule should not be sent. */
export async function lintErrors(rule: NamingRule): Promise<Finding[]> {
  const { findings } = await examine(rule)
  return findings.filter(isError)
}
