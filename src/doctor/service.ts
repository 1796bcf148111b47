import { failureOf, FlagadmError, problemText } from '../errors.ts'
import { nothingFound, readHealth, readUser, UNKNOWN_FLAG } from '../profile/access.ts'
import { tokenKind, tokenName } from '../service/token.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { Connection } from '../service/connection.ts'
import { permissionText } from './report/permissions.ts'
import { type Check, ok, skipped, type Step, type StepResult } from './steps.ts'

async function checkHealth({ service }: Connection, check: Check): Promise<StepResult> {
  const health = await readHealth(service)
  if (health === undefined) return skipped('the service has no public /health')
  if (health !== 'GOOD') {
    throw new FlagadmError('unavailable', `the service reports ${health}`, {
      hint: 'check the log of the service',
    })
  }
  check.isHealthy = true
  return ok('good')
}

async function checkToken(connection: Connection, check: Check): Promise<StepResult> {
  const user = await readUser(connection)
  const kind = tokenKind(connection.apiKey)
  if (!user) return skipped(`${tokenName(kind)} by its format; the service does not report it`)
  check.user = user
  return ok(tokenName(kind ?? (user.user.type === 'admin' ? 'admin' : undefined)))
}

async function checkPermission(
  { service }: Connection,
  { user, edition, isHealthy }: Check,
): Promise<StepResult> {
  const usage = await unlessMissing(
    service.read(operations.featureUsage, { featureName: UNKNOWN_FLAG }),
  )
  if (user) return ok(permissionText(user, edition))
  if (usage || isHealthy) return ok('may read usage')
  throw nothingFound()
}

async function checkVersion({ service }: Connection, check: Check): Promise<StepResult> {
  const config = (await unlessMissing(service.read(operations.uiConfig, {})))?.data
  if (!config) return skipped('the service does not report it')
  const { version, environment, maintenanceMode } = config
  check.edition = environment ?? undefined
  const facts = [
    version ?? 'unknown version',
    environment ?? 'unknown edition',
    maintenanceMode && 'in maintenance mode, which refuses changes',
  ]
  return ok(facts.filter(Boolean).join(', '))
}

/** The reads beyond the specification, in the order in which they are tried, by name. */
function optionalReads(service: Service): [name: string, read: () => Promise<unknown>][] {
  // Replaced by the first project that the service lists.
  let project = 'default'
  return [
    [
      'projects',
      async () => {
        const { data } = await service.read(operations.projects, {})
        project = data.projects[0]?.id ?? project
      },
    ],
    ['overview', () => service.read(operations.projectOverview, { projectId: project })],
    ['flags', () => service.read(operations.projectFeatures, { projectId: project })],
    ['unknown names', () => service.read(operations.unknownFlags, {})],
    [
      'hourly usage',
      () => service.read(operations.featureUsageHours, { featureName: UNKNOWN_FLAG, hoursBack: 1 }),
    ],
  ]
}

async function checkReads({ service }: Connection): Promise<StepResult> {
  const found: string[] = []
  const missing: string[] = []
  for (const [name, read] of optionalReads(service)) {
    try {
      const exists = await unlessMissing(read().then(() => true))
      if (exists) found.push(name)
      else missing.push(name)
    } catch (error) {
      const failure = failureOf(error)
      const hint = failure.hint ?? 'check the permissions of the key'
      const what = `${name}: ${problemText(failure)}`
      throw new FlagadmError(failure.kind, what, { hint, cause: error })
    }
  }
  if (found.length === 0) {
    return skipped('none; the service has only the operations in the specification')
  }
  const lacks = missing.length > 0 ? `; missing: ${missing.join(', ')}` : ''
  return ok(found.join(', ') + lacks)
}

const NEGLIGIBLE_S = 5
const TOO_MUCH_S = 60

async function checkClock({ clock: { offsetMs } }: Connection): Promise<StepResult> {
  if (offsetMs === undefined) return skipped('the service sends no date')
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  if (seconds < NEGLIGIBLE_S) return ok(`differs by less than ${NEGLIGIBLE_S} s`)
  const difference = `the service is ${seconds} s ${offsetMs > 0 ? 'ahead' : 'behind'}`
  if (seconds < TOO_MUCH_S) return ok(difference)
  throw new FlagadmError('checkFailed', difference, {
    hint: 'correct the clock of this machine or of the service, because usage is counted by the clock hour',
  })
}

/** The steps that send requests to the service. */
export const serviceSteps: readonly Step[] = [
  { name: 'health', needs: 'TLS', run: checkHealth },
  { name: 'token', needs: 'health', run: checkToken },
  { name: 'version', needs: 'token', run: checkVersion },
  { name: 'permission', needs: 'token', run: checkPermission },
  { name: 'reads', needs: 'permission', run: checkReads },
  { name: 'clock', needs: 'health', run: checkClock },
]
