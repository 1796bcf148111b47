// Findings about parts of a pattern that no legal name reaches: branches between `|`, and parts that may be left out.
import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import { MAX_NAME_LENGTH } from '../input/flag-names.ts'
import { memoized } from '../memoized.ts'
import { type Budget, orUndecided, Undecided } from './analysis/budget.ts'
import { isReached } from './analysis/survey.ts'
import { illegalLiteral, legalMatches, outerAnchors } from './analysis/syntax.ts'
import type { ExaminedRule } from './examined-rule.ts'
import { type Finding, finding } from './finding-kinds.ts'
import { endsInBackslash } from './notation.ts'
import { ruleSource } from './rule.ts'
import { hasWhitespace } from './whitespace.ts'

/** A branch between `|`, or a part that may be left out. */
type Branch = AST.Alternative | AST.Quantifier

interface DeadBranch {
  branch: Branch
  reason: string
}

interface Context {
  /** The fewest characters that the rest of the pattern reads. */
  outside: number
  isInLookAround: boolean
}

/** Finds the fewest characters that parts read; infinite for a part that matches no legal text. */
class Lengths {
  readonly of = memoized((element: AST.Element) => this.#lengthOf(element))

  ofSequence(elements: readonly AST.Element[]): number {
    return elements.reduce((sum, element) => sum + this.of(element), 0)
  }

  ofBranches(alternatives: readonly AST.Alternative[]): number {
    return Math.min(...alternatives.map(({ elements }) => this.ofSequence(elements)))
  }

  #lengthOf(element: AST.Element): number {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.ofBranches(element.alternatives)
      case 'Quantifier':
        return element.min === 0 ? 0 : element.min * this.of(element.element)
      case 'Assertion': {
        if (!('alternatives' in element) || element.negate) return 0
        return this.ofBranches(element.alternatives) === Infinity ? Infinity : 0
      }
      case 'Backreference':
        return 0
      default:
        return legalMatches(element) === '' ? Infinity : 1
    }
  }
}

const DEAD_BRANCH_WORK = 1_500_000

class BranchSearch {
  readonly dead: DeadBranch[] = []
  undecided: Undecided | undefined
  readonly #tree: AST.Pattern
  readonly #budget: Budget
  readonly #lengths = new Lengths()
  readonly #hasAssertions: boolean

  constructor(tree: AST.Pattern, whole: Budget) {
    this.#tree = tree
    this.#budget = whole.part(DEAD_BRANCH_WORK)
    this.#hasAssertions = hasInnerAssertions(tree)
  }

  async run(): Promise<void> {
    const { alternatives } = this.#tree
    if (this.#lengths.ofBranches(alternatives) > MAX_NAME_LENGTH) return
    await this.#visitBranches(alternatives, { outside: 0, isInLookAround: false })
  }

  async #visitBranches(alternatives: readonly AST.Alternative[], context: Context): Promise<void> {
    for (const branch of alternatives) {
      const length = this.#lengths.ofSequence(branch.elements)
      if (alternatives.length > 1 && (await this.#isDead(branch, length, context))) continue
      await this.#visitSequence(branch.elements, context)
    }
  }

  async #visitSequence(elements: readonly AST.Element[], context: Context): Promise<void> {
    const length = this.#lengths.ofSequence(elements)
    // Only in a look-around that holds for every name.
    if (length === Infinity) return
    for (const element of elements) {
      const outside = context.outside + length - this.#lengths.of(element)
      await this.#visit(element, { ...context, outside })
    }
  }

  async #visit(element: AST.Element, context: Context): Promise<void> {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        await this.#visitBranches(element.alternatives, context)
        break
      case 'Quantifier': {
        const { min, max, element: round } = element
        const length = this.#lengths.of(round)
        if (max === 0) break
        if (min === 0 && (await this.#isDead(element, length, context))) break
        const outside = context.outside + (min > 1 ? (min - 1) * length : 0)
        await this.#visit(round, { ...context, outside })
        break
      }
      case 'Assertion':
        // A branch that excludes nothing is not a mistake: what it describes is illegal anyway.
        if (!('alternatives' in element) || element.negate) break
        await this.#visitBranches(element.alternatives, { outside: 0, isInLookAround: true })
    }
  }

  /** Whether no legal name reaches a branch, which is noted. */
  async #isDead(branch: Branch, length: number, context: Context): Promise<boolean> {
    const reason = await this.#reasonOf(branch, length, context)
    if (reason === undefined) return false
    this.dead.push({ branch, reason })
    return true
  }

  async #reasonOf(
    branch: Branch,
    length: number,
    { outside, isInLookAround }: Context,
  ): Promise<string | undefined> {
    if (length === Infinity) {
      const illegal = illegalLiteral(branch)
      return illegal === undefined
        ? 'it matches no character that is legal in a name'
        : `a name cannot contain "${illegal}"`
    }
    if (outside + length > MAX_NAME_LENGTH) {
      return `names that reach it are longer than ${MAX_NAME_LENGTH} characters`
    }
    // Without assertions, a text of this length reaches it. The text may be empty or `.`.
    if (!this.#hasAssertions || isInLookAround) return undefined
    const reached = await orUndecided(() => isReached(branch, this.#budget))
    if (reached instanceof Undecided) this.undecided = reached
    return reached === false
      ? 'an assertion in the pattern excludes the names that reach it'
      : undefined
  }
}

/** Whether a pattern has assertions besides anchors at the start or the end of a name. */
function hasInnerAssertions(tree: AST.Pattern): boolean {
  const outer = new Set<AST.Element>(
    tree.alternatives.flatMap((branch) => [
      ...outerAnchors(branch, 'start'),
      ...outerAnchors(branch, 'end'),
    ]),
  )
  let isFound = false
  visitRegExpAST(tree, {
    onAssertionEnter(assertion) {
      isFound ||= !outer.has(assertion)
    },
  })
  return isFound
}

const MAX_FINDINGS = 5
const MAX_SHOWN_LENGTH = 60

/** Parts of the pattern that no legal name reaches, unless no name matches the pattern at all. */
export async function deadBranchFindings(it: ExaminedRule): Promise<Finding[]> {
  const tree = it.tree()
  // The last branch reads the anchor that the service adds.
  if (endsInBackslash(it.pattern)) return []
  const accepted = await orUndecided(async () => (await it.survey()).find({ rule: true }))
  if (accepted === undefined) return []
  const search = new BranchSearch(tree, it.budget)
  await search.run()
  const source = ruleSource(it.pattern)
  const findings = search.dead.flatMap(({ branch, reason }) => {
    // The source has an anchor at each end.
    const start = Math.max(branch.start, 1)
    const text = source.slice(start, Math.min(branch.end, source.length - 1))
    // Whitespace has its own finding.
    if (hasWhitespace(text)) return []
    const what = branch.type === 'Alternative' ? 'branch' : 'optional part'
    const shown = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
    const message = `no legal name reaches the ${what} ${shown} at character ${start}: ${reason}`
    return [finding('dead-branch', message)]
  })
  if (findings.length === 0 && search.undecided) throw search.undecided
  return findings.slice(0, MAX_FINDINGS)
}
