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
import { nothingFound, readHealth, readUser, UNKNOWN_FLAG } from './access.ts'
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

/** What the checks find out for later ones. */
interface Facts {
  isHealthy?: boolean
  /** The user of the key; undefined if the service does not report it. */
  user?: User | undefined
  edition?: string | undefined
}

/** A check. If it fails, the hint of its error is the next step for the user. */
interface Check {
  name: string
  /** The check that must succeed before this one runs. */
  needs?: string
  run(connection: Connection, facts: Facts, context: Context): Result | Promise<Result>
}

// The `Date` header has no fractions, and a response takes a moment.
const NEGLIGIBLE_S = 5

/** How far the clock of the service differs from that of this machine. */
function clockText({ clock: { offsetMs = 0 } }: Connection): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  if (seconds < NEGLIGIBLE_S) return ''
  return `; its clock is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} this machine's`
}

async function checkHealth(connection: Connection, facts: Facts): Promise<Result> {
  const health = await readHealth(connection.service)
  const clock = clockText(connection)
  if (health === undefined) return skipped(`the service has no public /health${clock}`)
  if (health !== 'GOOD') {
    throw new FlagadmError('unavailable', `the service reports ${health}`, {
      hint: 'check the log of the service',
    })
  }
  facts.isHealthy = true
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

/** The projects for which the key has a permission; undefined if there are none. */
function projectsWith(needed: string | undefined, { permissions }: User): string | undefined {
  if (permissions.some(({ permission }) => permission === 'ADMIN')) return 'all projects'
  const granted = permissions.filter(({ permission }) => permission === needed)
  if (granted.some(({ project }) => !project || project === '*')) return 'all projects'
  const projects = [...new Set(granted.map(({ project }) => project))]
  return projects.length > 0 ? projects.join(', ') : undefined
}

/** The permissions of the key, and the operations that this edition of the service lacks. */
function permissionText(user: User, edition = ''): string {
  const possible: string[] = []
  const impossible: string[] = []
  for (const { grants, permission, missingIn } of Object.values<Operation>(operations)) {
    const projects = projectsWith(permission, user)
    if (grants === undefined || projects === undefined) continue
    const list = missingIn?.includes(edition) ? impossible : possible
    list.push(`${grants} ${projects}`)
  }
  if (possible.length + impossible.length === 0) possible.push('change nothing')
  const last = possible.pop()
  const others = ['read usage', ...possible].join(', ')
  return [
    last === undefined ? `may ${others}` : `may ${others} and ${last}`,
    ...impossible.map(
      (grant) => `may ${grant}, but this edition (${edition}) has no such operation`,
    ),
  ].join('; ')
}

async function checkPermission(
  { service }: Connection,
  { user, edition, isHealthy }: Facts,
): Promise<Result> {
  const usage = await unlessMissing(
    service.read(operations.featureUsage, { featureName: UNKNOWN_FLAG }),
  )
  if (user) return ok(permissionText(user, edition))
  if (usage || isHealthy) return ok('may read usage')
  throw nothingFound()
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
      const failure = failureOf(error)
      const hint = failure.hint ?? 'check the permissions of the key'
      const what = `${name}: ${problemText(failure)}`
      throw new FlagadmError(failure.kind, what, { hint, cause: error })
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

const checks: readonly Check[] = [
  {
    name: 'configuration',
    run: ({ target, keyOrigin }) => ok(`${target}; API key from ${keyOrigin}`),
  },
  {
    name: 'proxy',
    needs: 'configuration',
    run({ baseUrl }, _, { host }) {
      const proxy = proxyFor(baseUrl, host.env)
      // The origin leaves out the credentials.
      return proxy ? ok(`${proxy.url.origin} from ${proxy.variable}`) : skipped('none')
    },
  },
  { name: 'health', needs: 'configuration', run: checkHealth },
  { name: 'token', needs: 'health', run: checkToken },
  { name: 'version', needs: 'token', run: checkVersion },
  { name: 'permission', needs: 'token', run: checkPermission },
  { name: 'reads', needs: 'permission', run: checkReads },
]

/** The results of all checks by name, and the failures. A check that needs a failed one is skipped. */
async function runChecks(context: Context) {
  const connection = connect(context)
  const facts: Facts = {}
  const results = new Map<string, Result>()
  const failures: FlagadmError[] = []
  const unmet = new Set<string | undefined>()
  for (const { name, needs, run } of checks) {
    if (unmet.has(needs)) {
      unmet.add(name)
      results.set(name, skipped('not checked'))
      continue
    }
    try {
      results.set(name, await run(await connection, facts, context))
    } catch (error) {
      const failure = failureOf(error)
      const { hint, exitCode } = failure
      unmet.add(name)
      failures.push(failure)
      results.set(name, { status: 'failed', message: problemText(failure), hint, exitCode })
    }
  }
  return { results, failures }
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
        '\n\nChecks the configuration, the proxy, the health of the service, the kind of token, the version, the permissions and the optional reads. Changes nothing. Exits with the code of the first check that failed.',
      ),
    )
    .argument('[profile]', 'profile to check, instead of the default one')
    .action(async (name) => {
      const isJson = format() === 'json'
      const { results, failures } = await runChecks(withProfile(context, name))
      const [first] = failures
      const exitCode = first?.exitCode ?? 0
      const { out } = context
      if (isJson) {
        const list = Array.from(results, ([check, result]) => ({ name: check, ...result }))
        out.json({ ok: exitCode === 0, exitCode, checks: list })
      } else {
        for (const [check, { status, message, hint }] of results) {
          const next = hint === undefined ? '' : ` → ${hint}`
          out.line(marks[status], ` ${check.padEnd('configuration'.length)}  ${message}${next}`)
        }
      }
      if (!first) return
      throw new FlagadmError(first.kind, `${failures.length} of ${results.size} checks failed`)
    })
}
