import { createBudget, createGuard, orElse, OutOfReach } from './budget.ts'
import { isLegal, maxNameLength } from './legal.ts'
import { compileRule, ruleSource } from './rule.ts'
import type { Run } from './steps.ts'

/** Whether a name matches; `timeout` when matching takes an engine too long. */
export type Verdict = boolean | 'timeout'

export interface Matcher {
  /** One verdict for each name; false for names that are too long to be legal. */
  verdicts(names: readonly string[]): Promise<Verdict[]>
}

// An engine does as many in a fraction of a millisecond.
const harmlessSteps = 100_000
const examinationSteps = 20_000_000
const countingSteps = 600_000_000
const nameLimit = 250
const patience = 2000
const batch = 4000

/** How to match a legal name without waiting long: with the engine if the expression is harmless. */
interface Method {
  isHarmless: boolean
  /** Matches a name and counts the steps; undefined if the expression is out of reach. */
  count?: (name: string) => Run
  /** The instructions that a count runs through for each character. */
  size: number
}

async function methodFor(source: string, signal?: AbortSignal): Promise<Method> {
  const budget = createBudget(examinationSteps, signal)
  const [{ costOf }, { compile }, { parseSource }, { createCounter }] = await Promise.all([
    import('./cost.ts'),
    import('./program.ts'),
    import('./syntax.ts'),
    import('./steps.ts'),
  ])
  return orElse<Method>(
    async () => {
      const syntax = parseSource(source)
      const { bound } = await costOf(syntax, budget)
      const program = compile([syntax], 'engine')
      const size = program.instructions.length
      return { isHarmless: bound <= harmlessSteps, count: createCounter(program), size }
    },
    () => ({ isHarmless: false, size: 0 }),
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
  let method: Promise<Method> | undefined
  let wasted = 0

  /** Asks the engine, for a limited time in all. */
  function guarded(name: string): Verdict {
    if (wasted >= patience) return 'timeout'
    const start = performance.now()
    try {
      return guard.run(nameLimit, () => rule.test(name))
    } catch (error) {
      if (!(error instanceof OutOfReach)) throw error
      return 'timeout'
    } finally {
      const time = performance.now() - start
      if (time > 1) wasted += time
    }
  }

  async function verdictOn(name: string, { isHarmless, count, size }: Method): Promise<Verdict> {
    if (name.length > maxNameLength) return false
    if (!isLegal(name)) return guarded(name)
    if (isHarmless) return rule.test(name)
    if (!count) return guarded(name)
    return orElse<Verdict>(
      async () => {
        await budget.spend(size * (name.length + 1))
        const { slowSteps } = await import('./cost.ts')
        const { match, steps } = count(name)
        if (steps > slowSteps) return 'timeout'
        return match === 'maybe' ? guarded(name) : match === 'yes'
      },
      () => 'timeout',
    )
  }

  return {
    async verdicts(names) {
      method ??= methodFor(source, signal)
      const known = await method
      const verdicts: Verdict[] = []
      for (const [i, name] of names.entries()) {
        if (i % batch === 0) {
          await new Promise(setImmediate)
          signal?.throwIfAborted()
        }
        const isPlain = known.isHarmless && isLegal(name)
        verdicts.push(isPlain ? rule.test(name) : await verdictOn(name, known))
      }
      return verdicts
    },
  }
}
