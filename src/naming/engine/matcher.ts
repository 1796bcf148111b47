import { slowSteps } from './cost/growth.ts'
import { type Budget, createBudget, isStackOverflow, orElse } from './budget.ts'
import { costOf, harmlessSteps } from './cost/cost.ts'
import { isLegalApartFromCharacters, isLegalName, maxNameLength } from '../../input/flag-names.ts'
import { compile } from './compile.ts'
import { compileRule, isTranslatable, maxRuleLength, ruleSource } from './rule.ts'
import { Counter } from './steps.ts'
import { parseSource } from './syntax.ts'
import type { SyntaxTree } from './elements.ts'
import { createTimed } from '../../timed.ts'

/** Whether a name matches; `timeout` if that would take the engine too long, or the pattern is too long. */
export type NameMatch = boolean | 'timeout'

export interface NameMatcher {
  /**
   * A fast test whether a name is legal and matches, for a pattern that the engine always matches quickly.
   * @param count how many names to test: finding out is not worthwhile for a few
   * @param hasLegalCharacters whether all characters of the names are known to be legal
   */
  fastTest(
    count: number,
    hasLegalCharacters?: boolean,
  ): Promise<((name: string) => boolean) | undefined>
  /** One verdict for each name; false for names of illegal length. */
  match(names: readonly string[]): Promise<NameMatch[]>
}

// Proving that an expression is harmless takes about as long, so names that need fewer steps are counted.
const stepsBeforeProof = 5_000_000
const proofSteps = 20_000_000
const countingSteps = 600_000_000
// For names whose steps cannot be counted, because of a back-reference: a thousand times the usual time.
const msPerName = 500
const msInTotal = 2000
const msBetweenPauses = 100
const batch = 4000

/** An expression that is compiled for counting. */
interface Counted {
  syntax: SyntaxTree
  counter: Counter
  /** The steps that a count of the longest name takes. */
  size: number
}

async function countedFrom(source: string): Promise<Counted> {
  const syntax = parseSource(source)
  const program = compile([syntax], 'engine')
  const size = program.instructions.length * (maxNameLength + 1)
  return { syntax, counter: new Counter(program), size }
}

/** How to match legal names. */
interface Method {
  /** Undefined for a pattern whose steps cannot be counted. */
  counted: Counted | undefined
  /** Whether to leave them to the engine, which is faster than counting. */
  isTrusted: boolean
}

/** Whether the engine matches every legal name quickly. */
async function isHarmless(syntax: SyntaxTree, signal: AbortSignal): Promise<boolean> {
  const budget = createBudget(proofSteps, signal)
  const cost = await orElse(costOf(syntax, harmlessSteps, budget), undefined)
  return cost !== undefined && cost.bound <= harmlessSteps
}

/** Matches names that a hostile pattern may make slow, within limits. */
class LimitedMatcher implements NameMatcher {
  private readonly source: string
  private readonly rule: RegExp
  private readonly signal: AbortSignal
  private readonly mayUseEngine: boolean
  /** Made when it is needed, because that takes milliseconds. */
  private timed: ReturnType<typeof createTimed> | undefined
  private readonly budget: Budget
  private counted: Promise<Counted | undefined> | undefined
  private proof: Promise<boolean> | undefined
  /** The milliseconds that slow names took. */
  private wasted = 0
  private sincePause = 0
  /** How many names had verdicts so far, because a list arrives in batches. */
  private done = 0

  constructor(pattern: string, signal: AbortSignal) {
    this.source = ruleSource(pattern)
    this.rule = compileRule(pattern)
    this.signal = signal
    this.mayUseEngine = isTranslatable(pattern)
    this.budget = createBudget(countingSteps, signal)
  }

  /** Matches with the engine, for a limited time in total. */
  private guarded(name: string): NameMatch {
    if (!this.mayUseEngine || this.wasted >= msInTotal) return 'timeout'
    const start = performance.now()
    try {
      this.timed ??= createTimed(msPerName)
      return this.timed(() => this.rule.test(name)) ?? 'timeout'
    } catch (error) {
      if (!isStackOverflow(error)) throw error
      return 'timeout'
    } finally {
      const time = performance.now() - start
      if (time > 1) this.wasted += time
      this.sincePause += time
    }
  }

  private async countedVerdict(name: string, { counter, size }: Counted): Promise<NameMatch> {
    await this.budget.spend(size)
    const { match, steps } = counter.run(name)
    if (steps > slowSteps) return 'timeout'
    return match === 'maybe' ? this.guarded(name) : match === 'yes'
  }

  /** How to match a number of legal names. */
  private async methodFor(count: number): Promise<Method> {
    this.counted ??= orElse(countedFrom(this.source), undefined)
    const counted = await this.counted
    if (!counted) return { counted, isTrusted: false }
    const isWorthwhile = this.mayUseEngine && (this.done + count) * counted.size > stepsBeforeProof
    if (isWorthwhile) this.proof ??= isHarmless(counted.syntax, this.signal)
    return { counted, isTrusted: (await this.proof) === true }
  }

  private verdictOf(name: string, { counted, isTrusted }: Method): NameMatch | Promise<NameMatch> {
    if (name.length > maxNameLength) return false
    if (!counted || !isLegalName(name)) return this.guarded(name)
    if (isTrusted) return this.rule.test(name)
    return orElse(this.countedVerdict(name, counted), 'timeout')
  }

  /** Lets signals arrive. */
  private async pause(): Promise<void> {
    this.sincePause = 0
    await new Promise(setImmediate)
    this.signal.throwIfAborted()
  }

  async fastTest(
    count: number,
    hasLegalCharacters = false,
  ): Promise<((name: string) => boolean) | undefined> {
    await this.pause()
    const { rule } = this
    const { isTrusted } = await this.methodFor(count)
    if (!isTrusted) return undefined
    const isLegal = hasLegalCharacters ? isLegalApartFromCharacters : isLegalName
    return (name) => isLegal(name) && rule.test(name)
  }

  async match(names: readonly string[]): Promise<NameMatch[]> {
    const method = await this.methodFor(names.length)
    this.done += names.length
    const verdicts: NameMatch[] = []
    for (const name of names) {
      if (verdicts.length % batch === 0 || this.sincePause > msBetweenPauses) await this.pause()
      const verdict = this.verdictOf(name, method)
      // Awaiting a verdict that is known takes longer than the match.
      verdicts.push(typeof verdict === 'object' ? await verdict : verdict)
    }
    return verdicts
  }
}

const undecidedMatcher: NameMatcher = {
  fastTest: async () => undefined,
  match: async (names) => names.map(({ length }) => (length > maxNameLength ? false : 'timeout')),
}

/**
 * A matcher with the service's semantics that no pattern can hang.
 * @param pattern one that compiles: see `compileFailure`
 */
export function createNameMatcher(pattern: string, signal: AbortSignal): NameMatcher {
  return pattern.length > maxRuleLength ? undecidedMatcher : new LimitedMatcher(pattern, signal)
}
