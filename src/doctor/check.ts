import { connect } from '../profile/connection.ts'
import type { Connection } from '../service/connection.ts'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { formats } from '../output/formats.ts'
import { jsonReport } from '../output/json.ts'
import { checksText } from './report/checks.ts'
import type { HttpResponse } from '../service/transport.ts'
import { networkSteps } from './network.ts'
import { serviceSteps } from './service.ts'
import { ok, runSteps, type Step } from './steps.ts'
import { withProfile } from '../profile/choice.ts'

/**
 * Checks the configuration and the connection, step by step.
 * @throws an error of the kind of the first failure
 */
export async function checkProfile(given: Context, name: string | undefined): Promise<void> {
  const context = withProfile(given, name)
  const { host, signal, printer } = context
  const format = context.format(formats.textOrJson)
  let skewMs: number | undefined
  const observe = ({ date }: HttpResponse) => {
    if (date !== undefined) skewMs ??= Date.parse(date) - host.clock.now()
  }
  let established: Connection | undefined
  const connection = (): Connection => {
    if (!established) throw new Error('this step needs the configuration')
    return established
  }
  const configuration: Step = {
    name: 'configuration',
    needs: [],
    async run() {
      established = await connect(context, { observe })
      const { target, keyOrigin } = established
      return ok(`${target}; API key from ${keyOrigin}`)
    },
  }
  const { results, failures } = await runSteps([
    configuration,
    ...networkSteps(connection, host, signal),
    ...serviceSteps(connection, () => skewMs),
  ])
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
