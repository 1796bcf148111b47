import type { Context, Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import { failureOf, FlagadmError, problemText, withCommand } from '../errors.ts'
import type { Line, Part } from '../output/text.ts'
import { readFlags } from '../flags/selection.ts'
import { Reports, SILENCE_MS, silentWhereOn } from '../flags/silence.ts'
import { listed } from '../output/incomplete.ts'
import { agoText } from '../output/time.ts'
import { optional, unlessMissing } from '../service/client.ts'
import { once } from '../service/once.ts'
import { missingCapabilities, type Operation, operations } from '../service/operations.ts'
import { proxyFor } from '../service/proxy.ts'
import {
  capabilities,
  type Capability,
  lackText,
  type Release,
  releaseOf,
} from '../service/release.ts'
import type { User } from '../service/schema.ts'
import { tokenKind, tokenName } from '../service/token.ts'
import { checkUsage, named, readHealth, readUser, UNKNOWN_FLAG } from '../profile/access.ts'
import { connect } from '../profile/connect.ts'
import { withProfile } from '../profile/show.ts'

interface CheckResult {
  status: 'ok' | 'failed' | 'skipped'
  /** The finding, or why it was not checked. */
  message: string
  /** The next step after a failure. */
  hint?: string | undefined
  exitCode?: number
}

const ok = (message: string): CheckResult => ({ status: 'ok', message })
const skipped = (message: string): CheckResult => ({ status: 'skipped', message })

/** What several checks need. */
function serviceFacts(context: Context) {
  const connection = once(() => connect(context))
  return {
    env: context.host.env,
    connection,
    user: once(async () => readUser(await connection())),
    config: once(async () => {
      const { service } = await connection()
      return unlessMissing(service.config())
    }),
  }
}

type ServiceFacts = ReturnType<typeof serviceFacts>

/** The release of the service; undefined if it does not report it. */
async function releaseIn(config: ServiceFacts['config']): Promise<Release | undefined> {
  const reportedConfig = await config()
  return reportedConfig && releaseOf(reportedConfig)
}

async function checkConfiguration({ connection }: ServiceFacts): Promise<CheckResult> {
  const { target, keyOrigin } = await connection()
  return ok(`${target}; API key from ${keyOrigin}`)
}

async function checkProxy({ env, connection }: ServiceFacts): Promise<CheckResult> {
  const { baseUrl } = await connection()
  const proxy = proxyFor(baseUrl, env)
  // The origin leaves out the credentials.
  return proxy ? ok(`${proxy.url.origin} from ${proxy.variable}`) : skipped('none')
}

// The `Date` header has no fractions, and a response takes a moment.
const NEGLIGIBLE_S = 5

/** The health of the service, and how far its clock differs from that of this machine. */
async function checkHealth({ connection }: ServiceFacts): Promise<CheckResult> {
  const { service, clock } = await connection()
  const health = await readHealth(service)
  const { offsetMs = 0 } = clock
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  const ahead = `; its clock is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} this machine's`
  const difference = seconds < NEGLIGIBLE_S ? '' : ahead
  if (health === undefined) return skipped(`the service has no public /health${difference}`)
  if (health === 'GOOD') return ok(`good${difference}`)
  throw new FlagadmError('unavailable', `the service reports ${health}`, {
    hint: 'check the log of the service',
  })
}

async function checkToken({ connection, user }: ServiceFacts): Promise<CheckResult> {
  const { apiKey } = await connection()
  const kind = tokenKind(apiKey)
  const keyUser = await user()
  if (!keyUser) return skipped(`${tokenName(kind)} by its format; the service does not report it`)
  return ok(tokenName(kind ?? (keyUser.user.type === 'admin' ? 'admin' : undefined)))
}

async function checkVersion({ config }: ServiceFacts): Promise<CheckResult> {
  const reportedConfig = await config()
  if (!reportedConfig) return skipped('the service does not report it')
  const { version, environment, maintenanceMode } = reportedConfig
  const names = `${version ?? 'unknown version'}, ${environment ?? 'unknown edition'}`
  return ok(`${names}${maintenanceMode ? ', in maintenance mode, which refuses changes' : ''}`)
}

/** A project and, if the permission is only for one of its environments, that one: `shop (production)`. */
function placeText({ project, environment }: User['permissions'][number]): string {
  const where = project || '*'
  return environment ? `${where === '*' ? 'all projects' : where} (${environment})` : where
}

/** The projects for which the key has a permission; empty if it has it for none. */
function placesText({ permissions }: User, needed: string): string {
  const matchingPermissions = permissions.filter(
    ({ permission }) => permission === needed || permission === 'ADMIN',
  )
  const places = matchingPermissions.map(placeText)
  return places.includes('*') ? 'all projects' : [...new Set(places)].join(', ')
}

/** The changes that the key may make, of those that the service has. */
function permissionText(user: User, release: Release | undefined): string {
  const may = ['read usage']
  for (const operation of Object.values<Operation>(operations)) {
    const { grants, permission, further } = operation
    if (release && lackText(release, operation)) continue
    for (const right of [{ grants, permission }, further]) {
      if (right?.grants === undefined || right.permission === undefined) continue
      const where = placesText(user, right.permission)
      if (where !== '') may.push(`${right.grants} ${where}`)
    }
  }
  return `may ${[...new Set(may)].join('; ')}`
}

async function checkPermission({ connection, user, config }: ServiceFacts): Promise<CheckResult> {
  const { service } = await connection()
  const keyUser = await user()
  await checkUsage(service, keyUser !== undefined)
  const release = await releaseIn(config)
  return ok(keyUser ? permissionText(keyUser, release) : 'may read usage')
}

/** Tries the reads beyond the specification, except for those that the release lacks. */
async function checkReads({ connection, config }: ServiceFacts): Promise<CheckResult> {
  const { service } = await connection()
  const release = await releaseIn(config)
  const answeredReads: string[] = []
  const missing: string[] = []
  const attempt = async <Document>(name: string, reading: Promise<Document>) => {
    const document = await unlessMissing(reading).catch((error: unknown) => {
      throw named(name, failureOf(error))
    })
    const list = document ? answeredReads : missing
    list.push(name)
    return document
  }
  const projects = await attempt('projects', service.read(operations.projects, {}))
  const projectId = projects?.data.projects[0]?.id ?? 'default'
  const has = (capability: Capability) => !release || !lackText(release, capability)
  if (has(operations.projectOverview)) {
    await attempt('settings', service.read(operations.projectOverview, { projectId }))
  } else if (has(capabilities.projectSettings)) {
    await attempt('settings', service.read(operations.project, { projectId }))
  }
  await attempt('flags', service.read(operations.projectFeatures, { projectId }))
  if (has(operations.unknownFlags)) {
    await attempt('unknown names', service.read(operations.unknownFlags, {}))
  }
  const hour = { featureName: UNKNOWN_FLAG, hoursBack: '1' }
  await attempt('hourly usage', service.read(operations.featureUsageHours, hour))
  if (answeredReads.length === 0) {
    return skipped('none; the service has only the operations in the specification')
  }
  const lacks = missing.length > 0 ? `; not found (404): ${missing.join(', ')}` : ''
  return ok(answeredReads.join(', ') + lacks)
}

// More lists would take long.
const MAX_PROJECTS = 20

/** When a flag was last seen, and from where nothing is reported although flags are on there. */
async function checkArrival({ connection }: ServiceFacts): Promise<CheckResult> {
  const { service, clock } = await connection()
  const list = await optional(service.read(operations.projects, {}))
  const ids = list?.data.projects.map(({ id }) => id) ?? []
  const lists = ids.slice(0, MAX_PROJECTS).map((id) => optional(readFlags(service, id, true)))
  const read = (await Promise.all(lists)).filter((one) => one !== undefined)
  if (read.length === 0) return skipped('no list of flags could be read')
  const flags = read.flatMap((one) => one.flags)
  const places = new Reports(flags).all()
  const newest = places.toSorted((a, b) => (b.lastReport ?? 0) - (a.lastReport ?? 0))[0]
  const of = ids.length > read.length ? `; ${read.length} of ${ids.length} projects` : ''
  if (newest?.lastReport === undefined) {
    const isKnown = flags.length === 0 || places.some((place) => place.isKnown)
    const what = isKnown ? 'no flag was seen' : 'the service does not report where flags were seen'
    return skipped(what + of)
  }
  const now = clock.now()
  const silent = silentWhereOn(flags, now - SILENCE_MS)
  const names = silent.map(({ environment, projectId }) => `${environment} of ${projectId}`)
  const silence = names.length > 0 ? `; silent for 30 d: ${listed(names)}` : ''
  const where = `${newest.environment} of ${newest.projectId}`
  return ok(`last seen ${agoText(now - newest.lastReport)} in ${where}${silence}${of}`)
}

/** The checks in their order. The hint of an error is the next step. */
const checks: readonly { name: string; run: (facts: ServiceFacts) => Promise<CheckResult> }[] = [
  { name: 'configuration', run: checkConfiguration },
  { name: 'proxy', run: checkProxy },
  { name: 'health', run: checkHealth },
  { name: 'token', run: checkToken },
  { name: 'version', run: checkVersion },
  { name: 'permission', run: checkPermission },
  { name: 'reads', run: checkReads },
  { name: 'usage', run: checkArrival },
]

interface CheckReport extends CheckResult {
  name: string
}

/** Performs the checks up to the first that fails; the others are skipped. */
async function performChecks(context: Context) {
  const facts = serviceFacts(context)
  const reports: CheckReport[] = []
  let failure: FlagadmError | undefined
  for (const { name, run } of checks) {
    if (failure) {
      reports.push({ name, ...skipped('not checked') })
      continue
    }
    try {
      reports.push({ name, ...(await run(facts)) })
    } catch (error) {
      failure = failureOf(error)
      const { exitCode, command } = failure
      const hint = failure.hint && withCommand(failure.hint, command)
      reports.push({ name, status: 'failed', message: problemText(failure), hint, exitCode })
    }
  }
  const release = failure ? undefined : await releaseIn(facts.config)
  return { reports, failure, missing: release ? missingCapabilities(release) : [] }
}

const NAME_WIDTH = Math.max(...checks.map(({ name }) => name.length))

const marks: Record<CheckResult['status'], Part> = {
  ok: { green: '✓' },
  failed: { red: '✗' },
  skipped: { dim: '—' },
}

function lineOf({ name, status, message, hint }: CheckReport): Line {
  const next = hint === undefined ? '' : ` → ${hint}`
  return [marks[status], ` ${name.padEnd(NAME_WIDTH)}  ${message}${next}`]
}

/** `profile check`, and `doctor` */
export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const words = command.name() === 'doctor' ? 'flagadm doctor' : 'flagadm profile check'
  return withExamples(
    command,
    [`${words} -p sandbox`, `${words} -p sandbox --json`],
    'Checks the configuration, the proxy, the health of the service, the kind of token, the version, the permissions, the optional reads and what this version or edition of the service lacks. Changes nothing. Stops at the first check that fails and exits with its code.',
  )
    .argument('[profile]', 'profile to check, instead of the default one')
    .action(async (name) => {
      const isJson = format() === 'json'
      const { out } = context
      const { reports, failure, missing } = await performChecks(withProfile(context, name))
      const lines = missing.map((one) => skipped(`${one.name}: ${one.reason}`))
      const exitCode = failure?.exitCode ?? 0
      if (isJson) out.json({ ok: !failure, exitCode, checks: reports, missing })
      else for (const report of reports) out.line(...lineOf(report))
      if (!isJson) for (const line of lines) out.line(...lineOf({ name: 'missing', ...line }))
      if (failure) throw new FlagadmError(failure.kind, 'a check failed')
    })
}
