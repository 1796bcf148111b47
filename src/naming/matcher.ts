import { harmlessSteps } from './bound.ts'
import { createBudget, createGuard, orElse, UndecidedError } from './budget.ts'
import { isLegal, maxNameLength } from './legal.ts'
import { compileRule, isTranslatable, ruleSource } from './rule.ts'
import type { Run } from './steps.ts'
import type { Syntax } from './syntax.ts'

/** Whether a name matches; `timeout` if that would take the engine too long. */
export type Verdict = boolean | 'timeout'

export interface Matcher {
  /** One verdict for each name; false for names of illegal length. */
  verdicts(names: readonly string[]): Promise<Verdict[]>
}

// Proving that an expression is harmless takes about as long, so fewer steps are simply counted.
const stepsBeforeProof = 5_000_000
const proofSteps = 20_000_000
const countingSteps = 600_000_000
// For names whose steps cannot be counted, because of a back-reference: a thousand times the usual time.
const msPerName = 1000
const msInTotal = 2000
const batch = 4000

/** An expression that is compiled for counting. */
interface Counted {
  syntax: Syntax
  count(name: string): Run
  /** The steps that a count of the longest name takes. */
  size: number
}

async function countedFrom(source: string): Promise<Counted> {
  const [{ compile }, { parseSource }, { createCounter }] = await Promise.all([
    import('./program.ts'),
    import('./syntax.ts'),
    import('./steps.ts'),
  ])
  const syntax = parseSource(source)
  const program = compile([syntax], 'engine')
  const size = program.instructions.length * (maxNameLength + 1)
  return { syntax, count: createCounter(program), size }
}

/** Whether the engine matches every legal name quickly. */
async function isHarmless(syntax: Syntax, signal?: AbortSignal): Promise<boolean> {
  const { costOf } = await import('./cost.ts')
  const budget = createBudget(proofSteps, signal)
  return orElse(
    async () => (await costOf(syntax, budget)).bound <= harmlessSteps,
    () => false,
  )
}

/**
 * A matcher with the service's semantics that no pattern can hang.
 * @param pattern one that compiles: see `compileFailure`
 */
export function createMatcher(pattern: string, signal?: AbortSignal): Matcher {
  const source = ruleSource(pattern)
  const rule = compileRule(pattern)
  const guard = createGuard()
  const budget = createBudget(countingSteps, signal)
  let counted: Promise<Counted | undefined> | undefined
  let proof: Promise<boolean> | undefined
  const mayUseEngine = isTranslatable(pattern)
  let wasted = 0

  /** Matches with the engine, for a limited time in total. */
  function guarded(name: string): Verdict {
    if (!mayUseEngine || wasted >= msInTotal) return 'timeout'
    const start = performance.now()
    try {
      return guard.run(msPerName, () => rule.test(name))
    } catch (error) {
      if (!(error instanceof UndecidedError)) throw error
      return 'timeout'
    } finally {
      const time = performance.now() - start
      if (time > 1) wasted += time
    }
  }

  async function countedVerdict(name: string, { count, size }: Counted): Promise<Verdict> {
    return orElse<Verdict>(
      async () => {
        await budget.spend(size)
        const { slowSteps } = await import('./attack.ts')
        const { match, steps } = count(name)
        if (steps > slowSteps) return 'timeout'
        return match === 'maybe' ? guarded(name) : match === 'yes'
      },
      () => 'timeout',
    )
  }

  /** Whether to leave many legal names to the engine, which is faster than counting. */
  function isTrusted({ syntax, size }: Counted, names: readonly string[]): Promise<boolean> {
    const isWorthwhile = mayUseEngine && names.length * size > stepsBeforeProof
    if (isWorthwhile) proof ??= isHarmless(syntax, signal)
    return proof ?? Promise.resolve(false)
  }

  return {
    async verdicts(names) {
      counted ??= orElse<Counted | undefined>(
        () => countedFrom(source),
        () => undefined,
      )
      const method = await counted
      const trusted = method !== undefined && (await isTrusted(method, names))
      const verdicts: Verdict[] = []
      for (const [i, name] of names.entries()) {
        if (i % batch === 0) {
          await new Promise(setImmediate)
          signal?.throwIfAborted()
        }
        if (name.length > maxNameLength) verdicts.push(false)
        else if (!method || !isLegal(name)) verdicts.push(guarded(name))
        else verdicts.push(trusted ? rule.test(name) : await countedVerdict(name, method))
      }
      return verdicts
    },
  }
}
