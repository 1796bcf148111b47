import { maxNameLength } from '../legal.ts'
import {
  type Branch,
  type Element,
  elementsOf,
  type RepeatPart,
  type SyntaxTree,
} from '../elements.ts'

/** Steps of an engine in a fraction of a millisecond. */
export const harmlessSteps = 100_000

// What comes after the last character of a name.
const end = '$'
// The body of a loop is visited twice, so the innermost of nested loops is visited exponentially often.
const maxVisits = 1000

function areDisjoint(sets: readonly string[]): boolean {
  const seen = new Set<string>()
  for (const set of sets) {
    if (Array.from(set).some((character) => seen.has(character))) return false
    for (const character of set) seen.add(character)
  }
  return true
}

/** The elements between the anchors of the whole expression; undefined if it is not anchored at the start. */
function anchored({ elements }: Branch): readonly Element[] | undefined {
  const isOther = (edge: 'start' | 'end') => (element: Element) =>
    element.type !== 'anchor' || element.anchor !== edge
  const first = elements.findIndex(isOther('start'))
  const last = elements.findLastIndex(isOther('end'))
  return first > 0 ? elements.slice(first, last + 1) : undefined
}

/**
 * In how many ways an engine can begin to match any name. Where it has a choice, the next character usually
 * leaves one way: then the choice does not count. Infinite if that takes a closer look.
 */
function waysOf(elements: readonly Element[]): number {
  let ways = 1
  let visits = 0

  /** @param sets the characters that may come next in each way of a choice */
  function choose(sets: readonly string[], count: number, isInLoop: boolean): void {
    if (!areDisjoint(sets)) ways *= isInLoop ? Infinity : count
  }

  /** The characters with which a part can begin, given those that may come after it. */
  function startOf(element: Element, after: string, isInLoop: boolean): string {
    if (++visits > maxVisits) ways = Infinity
    if (ways === Infinity) return ''
    if (element.type === 'group') return startOfGroup(element.branches, after, isInLoop)
    if (element.type === 'repeat') return startOfRepeat(element, after, isInLoop)
    if (element.type === 'character' && element.characters !== '') return element.characters
    ways = Infinity
    return ''
  }

  function startOfAll(elements: readonly Element[], after: string, isInLoop: boolean): string {
    return elements.reduceRight((next, element) => startOf(element, next, isInLoop), after)
  }

  function startOfGroup(branches: readonly Branch[], after: string, isInLoop: boolean): string {
    const starts = branches.map(({ elements }) => startOfAll(elements, after, isInLoop))
    choose(starts, starts.length, isInLoop)
    return starts.join('')
  }

  function startOfRepeat(repeat: RepeatPart, after: string, isInLoop: boolean): string {
    const { element, min, max } = repeat
    if (max === 0) return after
    // A round of a loop that matches nothing fails, which is one more way.
    if (element.least === 0) ways = Infinity
    const isLoop = isInLoop || max > 1
    const start = startOf(element, max > 1 ? end : after, isLoop)
    if (max > 1) startOf(element, start + after, isLoop)
    if (min < max) choose([start, after], Math.min(max, maxNameLength) + 1, isInLoop)
    return min === 0 ? start + after : start
  }

  startOfAll(elements, end, false)
  return ways
}

/**
 * A number of steps that no legal name exceeds when an engine matches it, found without an automaton; infinite
 * if that takes a closer look.
 */
export function simpleBound({ branches }: SyntaxTree): number {
  const [branch, ...others] = branches
  const elements = branch && others.length === 0 ? anchored(branch) : undefined
  if (!elements) return Infinity
  const triesAtOnePlace = elementsOf(branches).length + 1
  return waysOf(elements) * triesAtOnePlace * (maxNameLength + 1)
}
