// Tries a name with a pattern as a backtracking engine does, with captures and back-references: each path after the other,
// with a limit of steps.
import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import type { Match } from './step-count.ts'
import { edgeHolds } from './formulas.ts'
import { characterSource, flagsAt } from './syntax.ts'

/** Where an engine goes on; returns whether the rest of the pattern matches from there. */
type Next = (at: number) => boolean

/** Matches a part of the pattern at a place of the name, and what follows it. */
type Matcher = (at: number, next: Next) => boolean

/** Thrown when an engine has taken as many steps as it may. */
class LimitReached extends Error {}

export class Trial {
  readonly #start: Matcher
  readonly #limit: number
  /** What the groups have captured, by their numbers. */
  #captures: (string | undefined)[] = []
  #groups: readonly AST.CapturingGroup[] = []
  #name = ''
  #steps = 0

  /** @param limit the steps after which a name is given up */
  constructor(tree: AST.Pattern, limit: number) {
    this.#limit = limit
    this.#groups = groupsIn(tree)
    this.#start = this.#branches(tree.alternatives, false)
  }

  /** The steps of an engine on a name; one more than the limit if it needs more. */
  run(name: string): Match {
    this.#name = name
    this.#steps = 0
    try {
      const matches = Array.from({ length: name.length + 1 }, (_, at) => at).some((at) => {
        this.#captures = []
        return this.#start(at, () => true)
      })
      return { matches, steps: this.#steps }
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error
      return { matches: false, steps: this.#steps }
    }
  }

  #step(): void {
    this.#steps++
    if (this.#steps > this.#limit) throw new LimitReached()
  }

  #branches(branches: readonly AST.Alternative[], isBehind: boolean): Matcher {
    const matchers = branches.map(({ elements }) => this.#sequence(elements, isBehind))
    return (at, next) => matchers.some((matcher) => matcher(at, next))
  }

  #sequence(elements: readonly AST.Element[], isBehind: boolean): Matcher {
    const ordered = isBehind ? elements.toReversed() : elements
    const matchers = ordered.map((element) => this.#element(element, isBehind))
    const from = (index: number, at: number, next: Next): boolean => {
      const matcher = matchers[index]
      return matcher ? matcher(at, (after) => from(index + 1, after, next)) : next(at)
    }
    return (at, next) => from(0, at, next)
  }

  #element(element: AST.Element, isBehind: boolean): Matcher {
    switch (element.type) {
      case 'Group':
        return this.#branches(element.alternatives, isBehind)
      case 'CapturingGroup':
        return this.#group(element, isBehind)
      case 'Quantifier':
        return this.#loop(element, isBehind)
      case 'Backreference':
        return this.#reference(element, isBehind)
      case 'Assertion':
        return this.#assertion(element)
      default:
        return this.#character(element, isBehind)
    }
  }

  #character(element: AST.Element, isBehind: boolean): Matcher {
    const expression = new RegExp(`^(?:${characterSource(element)})$`, flagsAt(element))
    return (at, next) => {
      this.#step()
      const character = this.#name[isBehind ? at - 1 : at]
      if (character === undefined || !expression.test(character)) return false
      return next(isBehind ? at - 1 : at + 1)
    }
  }

  #group(group: AST.CapturingGroup, isBehind: boolean): Matcher {
    const inner = this.#branches(group.alternatives, isBehind)
    const index = this.#groups.indexOf(group)
    return (at, next) => {
      const before = this.#captures[index]
      const isMatch = inner(at, (after) => {
        const outer = this.#captures[index]
        this.#captures[index] = this.#name.slice(Math.min(at, after), Math.max(at, after))
        if (next(after)) return true
        this.#captures[index] = outer
        return false
      })
      if (!isMatch) this.#captures[index] = before
      return isMatch
    }
  }

  #loop({ element, min, max, greedy }: AST.Quantifier, isBehind: boolean): Matcher {
    const body = this.#element(element, isBehind)
    const inside = groupsIn(element).map((group) => this.#groups.indexOf(group))
    const round = (count: number, at: number, next: Next): boolean => {
      this.#step()
      const again = () => {
        const before = [...this.#captures]
        for (const index of inside) this.#captures[index] = undefined
        // An optional round must read something.
        const goOn = (after: number) =>
          after === at && count >= min ? false : round(count + 1, after, next)
        if (body(at, goOn)) return true
        this.#captures = before
        return false
      }
      if (count < min) return again()
      if (count >= max) return next(at)
      return greedy ? again() || next(at) : next(at) || again()
    }
    return (at, next) => round(0, at, next)
  }

  #reference(reference: AST.Backreference, isBehind: boolean): Matcher {
    const indexes = [reference.resolved].flat().map((group) => this.#groups.indexOf(group))
    const ignoresCase = flagsAt(reference).includes('i')
    const written = (text: string) => (ignoresCase ? text.toLowerCase() : text)
    return (at, next) => {
      this.#step()
      const text =
        indexes.map((index) => this.#captures[index]).find((captured) => captured !== undefined) ??
        ''
      const from = isBehind ? at - text.length : at
      if (from < 0 || written(this.#name.slice(from, from + text.length)) !== written(text)) {
        return false
      }
      return next(isBehind ? from : from + text.length)
    }
  }

  #assertion(assertion: AST.Assertion): Matcher {
    const isNegated = 'negate' in assertion && assertion.negate
    if (!('alternatives' in assertion)) {
      const { kind } = assertion
      return (at, next) => {
        this.#step()
        const [before, following] = [this.#name[at - 1], this.#name[at]]
        return edgeHolds({ kind, isNegated }, before, following) && next(at)
      }
    }
    const look = this.#branches(assertion.alternatives, assertion.kind === 'lookbehind')
    return (at, next) => {
      this.#step()
      const before = [...this.#captures]
      const isMatch = look(at, () => true)
      if (isNegated) this.#captures = before
      if (isMatch !== isNegated && next(at)) return true
      this.#captures = before
      return false
    }
  }
}

/** The capturing groups in a part of a pattern, in the order of their numbers. */
function groupsIn(node: AST.Node): AST.CapturingGroup[] {
  const groups: AST.CapturingGroup[] = []
  visitRegExpAST(node, { onCapturingGroupEnter: (group) => groups.push(group) })
  return groups
}
