import { type Finding, finding } from '../finding.ts'
import { maxNameLength } from '../../input/flag-names.ts'
import { usable } from '../engine/rule.ts'
import type { ExaminedRule } from '../engine/examined-rule.ts'
import { type Branch, type Element, type SyntaxTree, withoutParts } from '../engine/elements.ts'

interface DeadBranch {
  branch: Branch
  siblings: readonly Branch[]
  reason: string
}

/** The surroundings of a part: the fewest characters it matches, and how many parts of it can match a character. */
interface Around {
  least: number
  fillable: number
}

const maxFindings = 10
const maxQuoteLength = 60

/** Whether an element can match a character at all. */
function canConsume(element: Element): boolean {
  switch (element.type) {
    case 'anchor':
    case 'look':
      return false
    case 'repeat':
      return element.max > 0 && canConsume(element.element)
    case 'group':
      return element.branches.some(({ elements }) => elements.some(canConsume))
    default:
      return true
  }
}

/** Whether the anchors of a branch of the whole expression bind it to both ends of a name. */
function isAnchored({ elements }: Branch): boolean {
  const [first, last] = [elements[0], elements.at(-1)]
  if (first?.type !== 'anchor' || last?.type !== 'anchor') return false
  return first.anchor === 'start' && last.anchor === 'end'
}

/** Why no legal name can match through a part, given what surrounds the part. */
function deadReason({ least, fillable }: Around, isWholeName: boolean): string | undefined {
  if (least > maxNameLength) return `only names over ${maxNameLength} characters`
  return fillable === 0 && isWholeName ? 'only the empty name' : undefined
}

/** The outermost branches that no legal name can match because of their length. */
function deadBranches({ branches }: SyntaxTree): DeadBranch[] {
  const dead: DeadBranch[] = []

  function visit(siblings: readonly Branch[], around: Around, isWholeName?: boolean): void {
    for (const branch of siblings) {
      const isWhole = isWholeName ?? isAnchored(branch)
      const total = {
        least: around.least + branch.least,
        fillable: around.fillable + branch.elements.filter(canConsume).length,
      }
      const reason = siblings.length > 1 ? deadReason(total, isWhole) : undefined
      if (reason !== undefined) {
        dead.push({ branch, siblings, reason })
        continue
      }
      for (const element of branch.elements) visitElement(element, total, isWhole)
    }
  }

  function visitElement(element: Element, total: Around, isWhole: boolean): void {
    if (element.type === 'look' || (element.type === 'repeat' && element.max === 0)) return
    const inner = element.type === 'repeat' ? element.element : element
    // Other rounds of a loop can match characters, too.
    const rounds = element.type === 'repeat' && element.min === 0 ? 0 : inner.least
    const hasOthers = element.type === 'repeat' && element.max > 1
    const fillable = total.fillable - (!hasOthers && canConsume(element) ? 1 : 0)
    if (inner.type === 'group')
      visit(inner.branches, { least: total.least - rounds, fillable }, isWhole)
  }

  visit(branches, { least: 0, fillable: 0 })
  return dead
}

/** The place of a branch in the pattern, which is the source without its anchors. */
function placeOf({ start, end }: Branch, pattern: string): { start: number; end: number } {
  return { start: Math.max(start - 1, 0), end: Math.min(end - 1, pattern.length) }
}

/** The pattern without its dead branches; undefined if an alternation would lose all of its branches. */
function withoutDead(pattern: string, { branches }: SyntaxTree, dead: readonly DeadBranch[]) {
  const removed = new Set(dead.map(({ branch }) => branch))
  const parts: { start: number; end: number }[] = []
  for (const siblings of new Set(dead.map((it) => it.siblings))) {
    if (siblings.every((branch) => removed.has(branch))) return undefined
    let isBeforeKept = true
    for (const branch of siblings) {
      const { start, end } = placeOf(branch, pattern)
      if (!removed.has(branch)) isBeforeKept = false
      else parts.push(isBeforeKept ? { start, end: end + 1 } : { start: start - 1, end })
    }
  }
  const rest = usable(withoutParts(pattern, parts))
  if (rest === undefined) return undefined
  // The service's anchors bind to the outer branches only, so several of them need a group.
  const kept = branches.filter((branch) => !removed.has(branch))
  return kept.length > 1 ? `(?:${rest})` : rest
}

function quote(text: string): string {
  return text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text
}

/** Branches that no legal name can match because of their length. */
export function branchFindings(examined: ExaminedRule): Finding[] {
  const { pattern } = examined
  const dead = deadBranches(examined.syntax())
  const suggestion = withoutDead(pattern, examined.syntax(), dead)
  const found = dead.slice(0, maxFindings).map(({ branch, reason }) => {
    const { start, end } = placeOf(branch, pattern)
    const text = quote(pattern.slice(start, end))
    const message = `the branch "${text}" has no effect: it matches ${reason}`
    return finding('too-short-or-long', message, { suggestion })
  })
  const rest = dead.length - found.length
  const more = finding('too-short-or-long', `${rest} more branches have no effect`, { suggestion })
  return rest > 0 ? [...found, more] : found
}
