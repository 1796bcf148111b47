import { connect } from '../profile/connection.ts'
import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { formats } from '../old/output/formats.ts'
import { jsonReport } from '../old/output/json.ts'
import { checksText } from './report/checks.ts'
import { networkSteps } from './network.ts'
import { serviceSteps } from './service.ts'
import { type Check, ok, runSteps, type Step } from './steps.ts'
import { withProfile } from '../profile/choice.ts'

const configuration: Step = {
  name: 'configuration',
  async run({ target, keyOrigin }) {
    return ok(`${target}; API key from ${keyOrigin}`)
  },
}

/**
 * Checks the configuration and the connection, step by step.
 * @throws an error of the kind of the first failure
 */
export async function checkProfile(given: Context, name: string | undefined): Promise<void> {
  const context = withProfile(given, name)
  const { printer } = context
  const format = context.format(formats.textOrJson)
  const check: Check = { context }
  const connection = connect(context)
  const steps = [configuration, ...networkSteps, ...serviceSteps]
  const { results, failures } = await runSteps(steps, connection, check)
  const [first] = failures
  const exitCode = first?.exitCode ?? 0
  await context.write(
    format === 'json'
      ? jsonReport({ ok: exitCode === 0, exitCode, checks: results }, printer)
      : checksText(results, printer),
  )
  if (!first) return
  throw new FlagadmError(first.kind, `${failures.length} of ${results.length} checks failed`)
}
