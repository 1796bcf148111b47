import type { Context, Define } from '../context.ts'
import { failureOf, FlagadmError, problemText } from '../errors.ts'
import { withExamples } from '../options.ts'
import type { Part } from '../output/text.ts'
import { unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { type Operation, operations } from '../service/operations.ts'
import { proxyFor } from '../service/proxy.ts'
import type { User } from '../service/schema.ts'
import { tokenKind, tokenName } from '../service/token.ts'
import { checkUsage, readHealth, readUser, UNKNOWN_FLAG } from './access.ts'
import { connect } from './connection.ts'
import { withProfile } from './show.ts'

/** The result of one check. */
interface Result {
  status: 'ok' | 'failed' | 'skipped'
  /** The finding, or why it was not checked. */
  message: string
  /** The next step after a failure. */
  hint?: string | undefined
  exitCode?: number
}

const ok = (message: string): Result => ({ status: 'ok', message })
const skipped = (message: string): Result => ({ status: 'skipped', message })

/** A check. If it fails, the hint of its error is the next step for the user. */
type Check = (connection: Connection, facts: Facts, context: Context) => Result | Promise<Result>

/** What the checks find out for later ones. */
interface Facts {
  /** The user of the key; undefined if the service does not report it. */
  user?: User | undefined
  edition?: string | undefined
}

// The `Date` header has no fractions, and a response takes a moment.
const NEGLIGIBLE_S = 5

/** How far the clock of the service differs from that of this machine. */
function clockText({ clock: { offsetMs = 0 } }: Connection): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  if (seconds < NEGLIGIBLE_S) return ''
  return `; its clock is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} this machine's`
}

async function checkHealth(connection: Connection): Promise<Result> {
  const health = await readHealth(connection.service)
  const clock = clockText(connection)
  if (health === undefined) return skipped(`the service has no public /health${clock}`)
  if (health !== 'GOOD') {
    throw new FlagadmError('unavailable', `the service reports ${health}`, {
      hint: 'check the log of the service',
    })
  }
  return ok(`good${clock}`)
}

async function checkToken(connection: Connection, facts: Facts): Promise<Result> {
  const user = await readUser(connection)
  const kind = tokenKind(connection.apiKey)
  if (!user) return skipped(`${tokenName(kind)} by its format; the service does not report it`)
  facts.user = user
  return ok(tokenName(kind ?? (user.user.type === 'admin' ? 'admin' : undefined)))
}

async function checkVersion({ service }: Connection, facts: Facts): Promise<Result> {
  const config = (await unlessMissing(service.read(operations.uiConfig, {})))?.data
  if (!config) return skipped('the service does not report it')
  const { version, environment, maintenanceMode } = config
  facts.edition = environment ?? undefined
  const known = `${version ?? 'unknown version'}, ${environment ?? 'unknown edition'}`
  return ok(maintenanceMode ? `${known}, in maintenance mode, which refuses changes` : known)
}

/** The changes that the key may make in this edition of the service. */
function permissionText({ permissions }: User, edition = ''): string {
  const may = ['read usage']
  for (const { grants, permission: needed, missingIn } of Object.values<Operation>(operations)) {
    if (grants === undefined || missingIn?.includes(edition)) continue
    const projects = permissions
      .filter(({ permission }) => permission === needed || permission === 'ADMIN')
      .map(({ project }) => project || '*')
    const where = projects.includes('*') ? 'all projects' : [...new Set(projects)].join(', ')
    if (where !== '') may.push(`${grants} ${where}`)
  }
  return `may ${may.join('; ')}`
}

async function checkPermission({ service }: Connection, { user, edition }: Facts): Promise<Result> {
  await checkUsage(service, user !== undefined)
  return ok(user ? permissionText(user, edition) : 'may read usage')
}

/** Tries the reads beyond the specification. */
async function checkReads({ service }: Connection): Promise<Result> {
  const found: string[] = []
  const missing: string[] = []
  const attempt = async <Document>(name: string, reading: Promise<Document>) => {
    try {
      const document = await unlessMissing(reading)
      const list = document ? found : missing
      list.push(name)
      return document
    } catch (error) {
      const { kind, hint } = failureOf(error)
      const what = `${name}: ${problemText(failureOf(error))}`
      throw new FlagadmError(kind, what, { hint, cause: error })
    }
  }
  const projects = await attempt('projects', service.read(operations.projects, {}))
  const projectId = projects?.data.projects[0]?.id ?? 'default'
  await attempt('overview', service.read(operations.projectOverview, { projectId }))
  await attempt('flags', service.read(operations.projectFeatures, { projectId }))
  await attempt('unknown names', service.read(operations.unknownFlags, {}))
  const hour = { featureName: UNKNOWN_FLAG, hoursBack: 1 }
  await attempt('hourly usage', service.read(operations.featureUsageHours, hour))
  if (found.length === 0) {
    return skipped('none; the service has only the operations in the specification')
  }
  const lacks = missing.length > 0 ? `; missing: ${missing.join(', ')}` : ''
  return ok(found.join(', ') + lacks)
}

const checks: Record<string, Check> = {
  configuration: ({ target, keyOrigin }) => ok(`${target}; API key from ${keyOrigin}`),
  proxy({ baseUrl }, _, { host }) {
    const proxy = proxyFor(baseUrl, host.env)
    // The origin leaves out the credentials.
    return proxy ? ok(`${proxy.url.origin} from ${proxy.variable}`) : skipped('none')
  },
  health: checkHealth,
  token: checkToken,
  version: checkVersion,
  permission: checkPermission,
  reads: checkReads,
}

const marks: Record<Result['status'], Part> = {
  ok: { green: '✓' },
  failed: { red: '✗' },
  skipped: { dim: '—' },
}

/** `profile check`, and `doctor` */
export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const words = command.name() === 'doctor' ? 'flagadm doctor' : 'flagadm profile check'
  return command
    .description(
      withExamples(command.summary(), `${words} -p sandbox`, `${words} -p sandbox --json`).concat(
        '\n\nChecks the configuration, the proxy, the health of the service, the kind of token, the version, the permissions and the optional reads. Changes nothing. Stops at the first check that fails and exits with its code.',
      ),
    )
    .argument('[profile]', 'profile to check, instead of the default one')
    .action(async (name) => {
      const isJson = format() === 'json'
      const run = withProfile(context, name)
      const connection = connect(run)
      const facts: Facts = {}
      const results: (Result & { name: string })[] = []
      let failure: FlagadmError | undefined
      for (const [check, perform] of Object.entries(checks)) {
        try {
          const result = failure ? skipped('not checked') : perform(await connection, facts, run)
          results.push({ name: check, ...(await result) })
        } catch (error) {
          failure = failureOf(error)
          const { hint, exitCode } = failure
          const message = problemText(failure)
          results.push({ name: check, status: 'failed', message, hint, exitCode })
        }
      }
      const { out } = context
      if (isJson) out.json({ ok: !failure, exitCode: failure?.exitCode ?? 0, checks: results })
      for (const { name: check, status, message, hint } of isJson ? [] : results) {
        const next = hint === undefined ? '' : ` → ${hint}`
        out.line(marks[status], ` ${check.padEnd('configuration'.length)}  ${message}${next}`)
      }
      if (failure) throw new FlagadmError(failure.kind, 'a check failed')
    })
}
