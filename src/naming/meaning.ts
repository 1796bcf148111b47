// Findings about what a pattern means: the names that it accepts, and the time that it takes.
import { illegalReasons, isLegalName, MAX_NAME_LENGTH } from '../input/flag-names.ts'
import { type Budget, orUndecided, Undecided } from './analysis/budget.ts'
import { Formulas } from './analysis/formulas.ts'
import { slowName } from './analysis/slow-names.ts'
import { realisticNames, survey } from './analysis/survey.ts'
import { illegalLiteral, outerAnchors, withoutParts } from './analysis/syntax.ts'
import { deadBranchFindings } from './dead-branches.ts'
import type { ExaminedRule } from './examined-rule.ts'
import { type Finding, finding, type FindingCode } from './finding-kinds.ts'
import { withoutDelimiters } from './notation.ts'
import { dotFindings, rangeFindings } from './ranges.ts'
import { compileFailure, nearestNames, ruleSource, usable } from './rule.ts'

/** Why an example is not a legal flag name. The suggestion is another example. */
export function illegalExampleFindings(example = '', suggestion?: string): Finding[] {
  const reasons = example === '' ? [] : illegalReasons(example)
  return reasons.map((why) => finding('example-illegal', `the example ${why}`, { suggestion }))
}

async function exampleFindings({ pattern, rule, matcher }: ExaminedRule): Promise<Finding[]> {
  const { example } = rule
  if (!example) return []
  const [verdict] = await matcher([example])
  if (verdict === 'timeout') throw new Undecided('it takes too long')
  if (verdict && isLegalName(example)) return []
  const [suggestion] = await nearestNames([example], pattern, matcher)
  const illegal = illegalExampleFindings(example, suggestion)
  // Names that are too long are not matched.
  if (verdict || example.length > MAX_NAME_LENGTH) return illegal
  const message = `the example "${example}" does not match ${ruleSource(pattern)}`
  return [finding('example-mismatch', message, { suggestion }), ...illegal]
}

async function unsatisfiableReason({ pattern, budget, tree, matcher }: ExaminedRule) {
  const start = new Formulas(budget).read(pattern)
  if (start.type === 'sequence' && start.least > MAX_NAME_LENGTH) {
    return `every match is longer than ${MAX_NAME_LENGTH} characters`
  }
  const [matchesEmpty, matchesDot] = await matcher(['', '.'])
  if (matchesEmpty === true && matchesDot === false) return 'it matches only the empty name'
  const illegal = illegalLiteral(tree())
  return illegal === undefined
    ? 'none of its matches is a legal name'
    : `a name cannot contain "${illegal}"`
}

async function isSatisfiable(pattern: string, budget: Budget): Promise<boolean> {
  const { find } = await survey({ rule: pattern }, budget)
  return find({ rule: true }) !== undefined
}

/** A name that a rule with back-references accepts: as if they read any text, which is tried. */
async function acceptedName({ pattern, matcher, budget }: ExaminedRule) {
  const { find } = await survey({ rule: pattern }, budget, [], { ignoresReferences: true })
  const name = find({ rule: true })
  const [verdict] = name === undefined ? [] : await matcher([name])
  if (name === undefined || verdict === true) return name
  throw new Undecided('a back-reference cannot be analysed')
}

/** Whether the pattern accepts no name, or every name. */
async function extentFindings(it: ExaminedRule): Promise<Finding[]> {
  const { rule, pattern, matcher, budget } = it
  const tried = [rule.example ?? '', ...realisticNames].filter(isLegalName)
  const verdicts = await matcher(tried)
  const find = async (verdict: boolean) => {
    const triedName = tried[verdicts.indexOf(verdict)]
    if (triedName !== undefined) return triedName
    const surveyed = await orUndecided(() => it.survey())
    if (!(surveyed instanceof Undecided)) return surveyed.find({ rule: verdict })
    if (verdict) return acceptedName(it)
    throw surveyed
  }
  if ((await find(true)) === undefined) {
    const bare = usable(withoutDelimiters(pattern))
    const helps = bare !== undefined && (await orUndecided(() => isSatisfiable(bare, budget)))
    const suggestion = helps === true ? bare : undefined
    const message = `no legal flag name can match: ${await unsatisfiableReason(it)}`
    return [finding('unsatisfiable', message, { suggestion })]
  }
  if ((await find(false)) !== undefined) return []
  return [finding('matches-everything', 'every legal flag name matches')]
}

/** Readable names that may pass by mistake: a name with text before or after it. */
async function likelyMistakes(group: string, budget: Budget): Promise<string[]> {
  const name = (await survey({ group }, budget)).find({ group: true })
  if (name === undefined) return []
  const word = name.includes('checkout') ? 'search' : 'checkout'
  const isRealistic = realisticNames.includes(name)
  const names = isRealistic ? [name] : [`${name.slice(0, -1)}${word}`, `${name}${word}`, name]
  return names.flatMap((base) => [`zzz-${base}`, `${base}-zzz`]).filter(isLegalName)
}

/** How the anchors that the service adds affect the branches of the pattern and its own anchors. */
async function anchorFindings({ pattern, tree, budget }: ExaminedRule): Promise<Finding[]> {
  const { alternatives } = tree()
  const source = ruleSource(pattern)
  const ownAnchors = alternatives
    .flatMap((branch) => [...outerAnchors(branch, 'start'), ...outerAnchors(branch, 'end')])
    .filter(({ start, end }) => start > 0 && end < source.length)
  const bare = withoutParts(source, ownAnchors).slice(1, -1)
  const group = alternatives.length > 1 ? `(?:${bare})` : bare
  // A pattern that ends in a backslash cannot be put into a group.
  if (compileFailure(group) !== undefined) return []
  const suggestion = group === '' ? undefined : group
  if (alternatives.length > 1) {
    const tried = [...(await likelyMistakes(group, budget)), ...realisticNames]
    const { find } = await survey({ pattern, group }, budget, tried)
    const witness = find({ pattern: true, group: false })
    if (witness !== undefined) {
      const message = `^ and $ bind only to the outer branches: "${witness}" passes`
      return [finding('loose-alternation', message, { suggestion, witness })]
    }
  }
  if (ownAnchors.length === 0) return []
  return [finding('redundant-anchor', 'the service adds ^ and $ itself', { suggestion })]
}

// A text of at most 8 characters that is repeated at least 3 times.
const REPETITION = /(?<period>.{1,8}?)\k<period>{3,}/g

/** A short form of a long name: `'a'.repeat(99) + '!'`. */
function formOf(name: string): string {
  const parts: string[] = []
  let end = 0
  const addPlain = (text: string) => {
    if (text !== '') parts.push(`'${text}'`)
  }
  for (const repetition of name.matchAll(REPETITION)) {
    const [text] = repetition
    const period = repetition.groups?.period ?? text
    addPlain(name.slice(end, repetition.index))
    parts.push(`'${period}'.repeat(${text.length / period.length})`)
    end = repetition.index + text.length
  }
  addPlain(name.slice(end))
  return parts.join(' + ')
}

// Larger numbers are shown as a power of ten.
const MAX_SHOWN_EXPONENT = 15

/** A legal name that takes an engine long enough to stall the service. */
async function costFindings({ pattern, budget }: ExaminedRule): Promise<Finding[]> {
  const slow = await slowName(pattern, budget)
  if (!slow) return []
  const exponent = Math.floor(Math.log10(slow.steps))
  const isHuge = exponent > MAX_SHOWN_EXPONENT
  const count = isHuge ? `over 10^${exponent}` : slow.steps.toLocaleString('en')
  const steps = slow.isMore ? `more than ${(slow.steps - 1).toLocaleString('en')}` : count
  const message = `the name ${formOf(slow.name)} takes ${steps} steps to match`
  return [finding('catastrophic', message, { witness: slow.name })]
}

interface RuleCheck {
  /** The codes that remain undecided if the check cannot be completed. */
  codes: readonly FindingCode[]
  find(it: ExaminedRule): Finding[] | Promise<Finding[]>
}

const checks: readonly RuleCheck[] = [
  { codes: ['example-mismatch', 'example-illegal'], find: exampleFindings },
  { codes: ['unsatisfiable', 'matches-everything'], find: extentFindings },
  { codes: ['loose-alternation', 'redundant-anchor'], find: anchorFindings },
  { codes: ['suspicious-range'], find: ({ pattern, tree }) => rangeFindings(pattern, tree()) },
  { codes: ['catastrophic'], find: costFindings },
  { codes: ['unescaped-dot'], find: ({ pattern, tree }) => dotFindings(pattern, tree()) },
  { codes: ['dead-branch'], find: deadBranchFindings },
]

/** The findings about the meaning of a pattern. A question that cannot be decided is a finding, too. */
export async function meaningFindings(it: ExaminedRule): Promise<Finding[]> {
  const decided: Finding[] = []
  const open = new Map<string, FindingCode[]>()
  for (const { codes, find } of checks) {
    const findings = await orUndecided(() => find(it))
    if (findings instanceof Undecided) {
      open.set(findings.message, [...(open.get(findings.message) ?? []), ...codes])
    } else decided.push(...findings)
  }
  for (const [reason, codes] of open) {
    decided.push(finding('cannot-decide', `${codes.join(', ')} could not be decided: ${reason}`))
  }
  return decided
}
