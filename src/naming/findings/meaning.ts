import { UndecidedError, orElse } from '../budget.ts'
import { compare, type Verdicts } from '../comparison.ts'
import { type Finding, finding } from '../finding.ts'
import { isLegal, legalCharacters, maxNameLength } from '../legal.ts'
import { compileFailure, ruleSource } from '../rule.ts'
import { matcherOf } from '../steps.ts'
import { isWidened, type Subject } from '../subject.ts'
import { elementsOf, outerAnchors, parseSource, type Syntax, withoutParts } from '../syntax.ts'
import { withoutDelimiters } from './notation.ts'

const byReference = 'it uses a back-reference'
const guesses = 10

const isAccepted = ([rule]: Verdicts) => rule === true
const isRejected = ([rule]: Verdicts) => rule === false

/** The first literal character of the pattern that no name can contain. */
function illegalLiteral({ branches }: Syntax): string | undefined {
  for (const element of elementsOf(branches)) {
    if (element.type !== 'character' || element.literal === undefined) continue
    const text = element.literal.replace(/^\\(?=[^A-Za-z0-9])/, '')
    if (!legalCharacters.includes(text) && element.characters === '') return text
  }
  return undefined
}

function unsatisfiableReason(syntax: Syntax): string {
  if (syntax.least > maxNameLength) return `every match is longer than ${maxNameLength} characters`
  if (isEmptyOnly(syntax)) return 'it matches only the empty name'
  const illegal = illegalLiteral(syntax)
  return illegal ? `a name cannot contain "${illegal}"` : 'none of its matches is a legal name'
}

/** Whether an expression that no legal name matches can match the empty name only. */
function isEmptyOnly({ branches, least }: Syntax): boolean {
  return (
    least === 0 && elementsOf(branches).every(({ type }) => type === 'anchor' || type === 'group')
  )
}

/** The pattern without slashes and flags, if a name can then match. */
async function satisfiable({ pattern, compare }: Subject): Promise<string | undefined> {
  const bare = withoutDelimiters(pattern)
  if (bare === pattern || bare === '' || compileFailure(bare) !== undefined) return undefined
  const comparison = await compare(bare)
  return comparison.some(([, other]) => other === true) ? bare : undefined
}

/** Whether one of these names matches for certain; comparisons treat back-references as any text. */
async function isSatisfied({ matcher, rule }: Subject, names: readonly string[]): Promise<boolean> {
  const known = [rule.example ?? '', ...names].filter(isLegal)
  return (await matcher().verdicts(known)).includes(true)
}

/** Whether the pattern accepts too little or too much. */
export async function extentFindings(subject: Subject): Promise<Finding[]> {
  const syntax = subject.syntax()
  const isTooLong = syntax.least > maxNameLength
  const comparison = await subject.compare()
  if (isTooLong || !comparison.some(isAccepted)) {
    const suggestion = await satisfiable(subject)
    const message = `no legal flag name can match: ${unsatisfiableReason(syntax)}`
    return [finding('unsatisfiable', message, { suggestion })]
  }
  const isEverything = !comparison.some(isRejected)
  if (!isWidened(subject)) {
    return isEverything ? [finding('matches-everything', 'every legal flag name matches')] : []
  }
  if (isEverything || !(await isSatisfied(subject, comparison.names(isAccepted, guesses)))) {
    throw new UndecidedError(byReference)
  }
  return []
}

/** The anchors around the branches that the author wrote. */
function ownAnchors({ syntax, source }: Subject): { start: number; end: number }[] {
  return syntax()
    .branches.flatMap((branch) => [
      ...outerAnchors(branch, 'start'),
      ...outerAnchors(branch, 'end'),
    ])
    .filter(({ start, end }) => start > 0 && end < source.length)
}

/** The pattern without the anchors around its branches; several branches are put into a group, which binds them. */
function regrouped(subject: Subject): string {
  const bare = withoutParts(subject.source, ownAnchors(subject)).slice(1, -1)
  return subject.syntax().branches.length > 1 ? `(?:${bare})` : bare
}

/** A readable name that passes by mistake: one that matches a branch, with text before or after it. */
async function readableWitness(subject: Subject, group: string): Promise<string | undefined> {
  const { source, budget } = subject
  const { branches } = subject.syntax()
  const passes = matcherOf(subject.syntax())
  const isIntended = matcherOf(parseSource(ruleSource(group)))
  for (const { start, end } of [...branches.slice(-1), ...branches.slice(0, 2)]) {
    const branch = parseSource(`^(?:${source.slice(start, end)})$`)
    const [name] = (await compare([branch], budget)).names(isAccepted, 1)
    if (name === undefined) continue
    const extended = [`zzz-${name}`, `${name}-zzz`, `zzz-${name}-zzz`]
    const found = extended.find((text) => isLegal(text) && passes(text) && !isIntended(text))
    if (found !== undefined) return found
  }
  return undefined
}

/** A name that passes only because the anchors bind to the outer branches alone. */
async function looseWitness(subject: Subject, group: string): Promise<string | undefined> {
  if (isWidened(subject)) throw new UndecidedError(byReference)
  const readable = await orElse(
    () => readableWitness(subject, group),
    () => undefined,
  )
  if (readable !== undefined) return readable
  const comparison = await subject.compare(group)
  const isMistake = ([rule, intended]: Verdicts) => rule === true && intended === false
  return comparison.some(isMistake) ? comparison.names(isMistake, 1)[0] : undefined
}

/** How the service's anchors affect the pattern's own anchors and branches. */
export async function anchorFindings(subject: Subject): Promise<Finding[]> {
  const group = regrouped(subject)
  // A pattern that ends in a backslash cannot be put into a group.
  if (compileFailure(group) !== undefined) return []
  const suggestion = group === '' ? undefined : group
  if (subject.syntax().branches.length > 1) {
    const witness = await looseWitness(subject, group)
    if (witness !== undefined) {
      const message = `^ and $ bind only to the outer branches: "${witness}" passes`
      return [finding('loose-alternation', message, { suggestion, witness })]
    }
  }
  if (ownAnchors(subject).length === 0) return []
  return [finding('redundant-anchor', 'the service adds ^ and $ itself', { suggestion })]
}
