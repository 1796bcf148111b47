import type { Context } from '../old/context.ts'
import { failureOf, type FlagadmError, problemText } from '../errors.ts'
import type { Connection } from '../service/connection.ts'
import type { User } from '../service/schema.ts'
import type { CheckResult } from './report/checks.ts'

/** The result of a step. */
export type StepResult = Omit<CheckResult, 'name'>

/** The result of a step that succeeded. */
export const ok = (message: string): StepResult => ({ status: 'ok', message })
/** The result of a step that was not performed, and why. */
export const skipped = (message: string): StepResult => ({ status: 'skipped', message })

/** One run of the check, with what its steps find out for later ones. */
export interface Check {
  context: Context
  isHealthy?: boolean
  /** The user of the key; undefined if the service does not report it. */
  user?: User | undefined
  edition?: string | undefined
}

/** A step of the check. If it fails, the hint of its error is the next step for the user. */
export interface Step {
  name: string
  /** The step that must succeed before this one runs. */
  needs?: string
  run(connection: Connection, check: Check): Promise<StepResult>
}

/**
 * Runs steps in order; returns the results of all and the failures. A step that needs a failed one is skipped,
 * and so are those that need it.
 * @param connection may be rejected, which is the failure of the first step
 * @throws an `interrupted` error on Ctrl-C
 */
export async function runSteps(
  steps: readonly Step[],
  connection: Promise<Connection>,
  check: Check,
) {
  const results: CheckResult[] = []
  const failures: FlagadmError[] = []
  const unmet = new Set<string>()
  for (const { name, needs, run } of steps) {
    if (needs !== undefined && unmet.has(needs)) {
      unmet.add(name)
      results.push({ name, ...skipped('not checked') })
      continue
    }
    try {
      results.push({ name, ...(await run(await connection, check)) })
    } catch (error) {
      const failure = failureOf(error)
      const { hint, exitCode } = failure
      unmet.add(name)
      failures.push(failure)
      results.push({ name, status: 'failed', message: problemText(failure), hint, exitCode })
    }
  }
  return { results, failures }
}
