import { failureOf, type FlagadmError, problemText } from '../errors.ts'
import type { CheckResult } from './report/checks.ts'

/** The result of a step that did not fail. */
export interface StepResult {
  status: 'ok' | 'skipped'
  message: string
}

export const ok = (message: string): StepResult => ({ status: 'ok', message })
export const skipped = (message: string): StepResult => ({ status: 'skipped', message })

/** A step of the check. If it fails, the hint of its error is the next step for the user. */
export interface Step {
  name: string
  /** The steps that must succeed before this one runs. */
  needs: readonly string[]
  run(): Promise<StepResult>
}

/** The results of all steps, and the first failure. */
interface Outcome {
  results: CheckResult[]
  failures: FlagadmError[]
}

function failed(name: string, error: FlagadmError): CheckResult {
  const { hint, exitCode } = error
  const message = problemText(error)
  return { name, status: 'failed', message, ...(hint !== undefined && { hint }), exitCode }
}

/**
 * Runs steps in order. Steps that need a failed one are skipped.
 * @throws an `interrupted` error on Ctrl-C
 */
export async function runSteps(steps: readonly Step[]): Promise<Outcome> {
  const results: CheckResult[] = []
  const failures: FlagadmError[] = []
  const unmet = new Set<string>()
  for (const { name, needs, run } of steps) {
    if (needs.some((need) => unmet.has(need))) {
      unmet.add(name)
      results.push({ name, status: 'skipped', message: 'not checked' })
      continue
    }
    try {
      results.push({ name, ...(await run()) })
    } catch (error) {
      const failure = failureOf(error)
      unmet.add(name)
      failures.push(failure)
      results.push(failed(name, failure))
    }
  }
  return { results, failures }
}
