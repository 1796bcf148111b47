import { orElse } from '../engine/budget.ts'
import { compare, type Condition } from '../engine/comparison.ts'
import { type Finding, finding } from '../finding.ts'
import { isLegalName, legalCharacters, maxNameLength } from '../../input/flag-names.ts'
import { compileFailure, ruleSource, usable } from '../engine/rule.ts'
import { compile } from '../engine/compile.ts'
import { Counter } from '../engine/steps.ts'
import type { ExaminedRule } from '../engine/examined-rule.ts'
import { parseSource } from '../engine/syntax.ts'
import { elementsOf, outerAnchors, type SyntaxTree, withoutParts } from '../engine/elements.ts'
import { withoutDelimiters } from './notation.ts'

const guesses = 10

const isAccepted: Condition = ([rule]) => rule === true

/** The first literal character of the pattern that no name can contain. */
function illegalLiteral({ branches }: SyntaxTree): string | undefined {
  for (const element of elementsOf(branches)) {
    if (element.type !== 'character' || element.literal === undefined) continue
    const text = element.literal.replace(/^\\(?=[^A-Za-z0-9])/, '')
    if (!legalCharacters.includes(text) && element.characters === '') return text
  }
  return undefined
}

function unsatisfiableReason(syntax: SyntaxTree): string {
  if (syntax.least > maxNameLength) return `every match is longer than ${maxNameLength} characters`
  if (isEmptyOnly(syntax)) return 'it matches only the empty name'
  const illegal = illegalLiteral(syntax)
  return illegal ? `a name cannot contain "${illegal}"` : 'none of its matches is a legal name'
}

/** Whether an expression that no legal name matches can match the empty name only. */
function isEmptyOnly({ branches, least }: SyntaxTree): boolean {
  return (
    least === 0 && elementsOf(branches).every(({ type }) => type === 'anchor' || type === 'group')
  )
}

/**
 * The pattern without slashes and flags, if a name can then match.
 * @throws UndecidedError when that cannot be decided
 */
async function satisfiable({ pattern, budget }: ExaminedRule): Promise<string | undefined> {
  const bare = usable(withoutDelimiters(pattern))
  if (bare === undefined || bare === pattern) return undefined
  return (await compare([bare], budget)).some(isAccepted) ? bare : undefined
}

/** Whether a legal name has the verdict: the example, a likely name, or any other. */
async function hasName(
  { matcher, rule, comparison }: ExaminedRule,
  verdict: boolean,
): Promise<boolean> {
  const wanted: Condition = ([it]) => it === verdict
  const all = await comparison()
  const likely = [rule.example ?? '', ...(await all.guesses(wanted, guesses))]
  const verdicts = await matcher().match(likely.filter(isLegalName))
  return verdicts.includes(verdict) || all.some(wanted)
}

/** Whether the pattern accepts too little or too much. */
export async function extentFindings(examined: ExaminedRule): Promise<Finding[]> {
  const syntax = examined.syntax()
  if (syntax.least > maxNameLength || !(await hasName(examined, true))) {
    const suggestion = await orElse(satisfiable(examined), undefined)
    const message = `no legal flag name can match: ${unsatisfiableReason(syntax)}`
    return [finding('unsatisfiable', message, { suggestion })]
  }
  if (await hasName(examined, false)) return []
  return [finding('matches-everything', 'every legal flag name matches')]
}

/** The anchors around the branches that the author wrote. */
function ownAnchors({ syntax, source }: ExaminedRule): { start: number; end: number }[] {
  return syntax()
    .branches.flatMap((branch) => [
      ...outerAnchors(branch, 'start'),
      ...outerAnchors(branch, 'end'),
    ])
    .filter(({ start, end }) => start > 0 && end < source.length)
}

/** The pattern without the anchors around its branches; several branches are put into a group, which binds them. */
function regrouped(examined: ExaminedRule): string {
  const bare = withoutParts(examined.source, ownAnchors(examined)).slice(1, -1)
  return examined.syntax().branches.length > 1 ? `(?:${bare})` : bare
}

/** A readable name that passes by mistake: one that matches a branch, with text before or after it. */
async function readableWitness(examined: ExaminedRule, group: string): Promise<string | undefined> {
  const { source, budget } = examined
  const { branches } = examined.syntax()
  const given = new Counter(compile([examined.syntax()], 'engine'))
  const intended = new Counter(compile([parseSource(ruleSource(group))], 'engine'))
  for (const { start, end } of [...branches.slice(-1), ...branches.slice(0, 2)]) {
    const branch = `(?:${source.slice(start, end)})`
    const [name] = (await compare([branch], budget)).names(isAccepted, 1)
    if (name === undefined) continue
    const extended = [`zzz-${name}`, `${name}-zzz`, `zzz-${name}-zzz`]
    const found = extended.find(
      (text) =>
        isLegalName(text) && given.run(text).match === 'yes' && intended.run(text).match === 'no',
    )
    if (found !== undefined) return found
  }
  return undefined
}

/** A name that passes only because the anchors bind to the outer branches alone. */
async function looseWitness(examined: ExaminedRule, group: string): Promise<string | undefined> {
  const readable = await orElse(readableWitness(examined, group), undefined)
  if (readable !== undefined) return readable
  const comparison = await compare([examined.pattern, group], examined.budget)
  const isMistake: Condition = ([rule, intended]) => rule === true && intended === false
  return comparison.some(isMistake) ? comparison.names(isMistake, 1)[0] : undefined
}

/** How the service's anchors affect the pattern's own anchors and branches. */
export async function anchorFindings(examined: ExaminedRule): Promise<Finding[]> {
  const group = regrouped(examined)
  // A pattern that ends in a backslash cannot be put into a group.
  if (compileFailure(group) !== undefined) return []
  const suggestion = group === '' ? undefined : group
  if (examined.syntax().branches.length > 1) {
    const witness = await looseWitness(examined, group)
    if (witness !== undefined) {
      const message = `^ and $ bind only to the outer branches: "${witness}" passes`
      return [finding('loose-alternation', message, { suggestion, witness })]
    }
  }
  if (ownAnchors(examined).length === 0) return []
  return [finding('redundant-anchor', 'the service adds ^ and $ itself', { suggestion })]
}
