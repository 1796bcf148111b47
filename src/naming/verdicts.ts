import { type Checker, createChecker, type Violation } from './checker.ts'
import type { NamingRule } from './rule.ts'
import type { NamingProject } from './project.ts'
import { usablePattern } from './rule-source.ts'
import { batchesFor, type ScopedRule } from './scoped-rules.ts'
import type { PlacedNames } from '../names/sources.ts'

/** A name that fails. There may be a million of them, so their fields are few. */
export interface NamingViolation extends Pick<Violation, 'name' | 'reasons' | 'suggestion'> {
  /** The index of the name in its source. */
  index: number
  source: ViolationSource
}

interface ViolationSource extends Pick<PlacedNames, 'placeOf'> {
  project: string | undefined
}

/** The figures of one rule. */
export interface RuleTotal {
  project: string | undefined
  rule: NamingRule
  /** Zero for a project that has no rule. */
  checked: number
  failed: number
  undecided: number
}

/** The verdicts on all names. */
export interface NamingVerdicts {
  violations: NamingViolation[]
  /** Those that could not be matched in time. */
  undecided: NamingViolation[]
  totals: RuleTotal[]
  /** Names to ignore that were not found. */
  staleAllowed: string[]
}

/** The parts of a check against one rule. */
interface CheckedRule {
  project: NamingProject | undefined
  total: RuleTotal
  /** Undefined for a project without a rule. */
  checker: Checker | undefined
  /** Why the service would refuse names; undefined if that is not asked. */
  refusals: NamingProject['refusals'] | undefined
  /** The violations to suggest names for. */
  breaking: NamingViolation[]
}

interface Failure extends Violation {
  /** Set if the name follows the rule but the service refuses it. */
  isRefused?: true
}

// People read only the first ones, and finding a suggestion takes far longer than a check.
const MAX_SUGGESTIONS = 10_000

/** The names that fail, in their order, apart from those to ignore. */
async function failuresAmong(
  { names }: PlacedNames,
  { checker, refusals }: CheckedRule,
  allowed: ReadonlySet<string>,
): Promise<Failure[]> {
  const found = checker ? await checker.check(names) : []
  const violations = allowed.size > 0 ? found.filter(({ name }) => !allowed.has(name)) : found
  if (!refusals) return violations
  const known = new Set([...allowed, ...violations.map(({ name }) => name)])
  const reasons = await refusals(names.filter((name) => !known.has(name)))
  const refused = names.flatMap((name, index): Failure[] => {
    const reason = reasons.get(name)
    if (reason === undefined) return []
    return [{ index, name, reasons: [reason], isUndecided: false, isRefused: true }]
  })
  return [...violations, ...refused].sort((a, b) => a.index - b.index)
}

function createCheck(scoped: ScopedRule, available: boolean, signal: AbortSignal): CheckedRule {
  const { rule, project } = scoped
  // A project may have no rule, but one from a file must have a pattern.
  const hasNone = project && !rule.pattern
  return {
    project,
    total: { project: project?.id, rule, checked: 0, failed: 0, undecided: 0 },
    checker: hasNone ? undefined : createChecker(usablePattern(scoped), signal),
    refusals: available ? project?.refusals : undefined,
    breaking: [],
  }
}

/**
 * Checks names against rules.
 * @param given names for all of the rules; undefined for the flags of each project, for its own rule
 * @param allowed names to ignore
 * @param available whether to ask the service if new flags can have the names
 */
export async function findVerdicts(
  rules: readonly ScopedRule[],
  given: AsyncIterable<PlacedNames> | undefined,
  allowed: ReadonlySet<string>,
  available: boolean,
  signal: AbortSignal,
): Promise<NamingVerdicts> {
  const checks = rules.map((rule) => createCheck(rule, available, signal))
  const stale = new Set(allowed)
  const violations: NamingViolation[] = []
  const undecided: NamingViolation[] = []

  async function checkNames(batch: PlacedNames, check: CheckedRule): Promise<void> {
    const { total, breaking } = check
    const source = { placeOf: batch.placeOf, project: total.project }
    total.checked += batch.names.length
    for (const failure of await failuresAmong(batch, check, allowed)) {
      const { index, name, reasons, isRefused, isUndecided } = failure
      const violation: NamingViolation = { name, reasons, index, source }
      if (isUndecided) {
        undecided.push(violation)
        total.undecided++
        continue
      }
      violations.push(violation)
      total.failed++
      if (!isRefused && violations.length <= MAX_SUGGESTIONS) breaking.push(violation)
    }
  }

  for await (const batch of batchesFor(checks, given)) {
    if (stale.size > 0) for (const name of batch.names) stale.delete(name)
    for (const check of batch.checks) {
      if (check.checker || check.refusals) await checkNames(batch, check)
    }
  }
  for (const { checker, breaking } of checks) await checker?.suggest(breaking)
  const totals = checks.map(({ total }) => total)
  return { violations, undecided, totals, staleAllowed: [...stale] }
}
