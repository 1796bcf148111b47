import type { Connection } from '../service/connection.ts'
import type { Context } from '../old/context.ts'
import { FlagadmError, withParts } from '../errors.ts'
import type { UsageDocument } from './document.ts'
import { listed } from '../old/output/phrases.ts'
import { type Missing, nothingMissing, unreadError } from '../projects/missing.ts'
import { optional } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import { closest } from '../input/spelling.ts'
import { matcherOf } from '../input/wildcards.ts'
import { firstHour, hoursFrom, type Span, spanOf } from './span.ts'
import {
  type ExistingFlags,
  type FlagEnvironment,
  listedFlagNames,
  readExistingFlags,
} from '../projects/flags.ts'
import {
  type ProjectOptions,
  scopeText,
  selectsProjects,
  singleProject,
} from '../projects/selection.ts'
import type { FlagReader } from './reading.ts'
import type { UsageRequest } from './request.ts'

/** The projects that were read. */
export interface FlagProjects {
  /** The project of a flag; undefined for a name that is not known to be one. */
  projectOf(flag: string): string | undefined
  ids: readonly string[]
  /** Whether all flags are of the same project. */
  isSingle: boolean
}

/** The service, the flags to read, and how to read them. */
export interface UsageSource extends Connection, FlagReader<UsageDocument> {
  names: readonly string[]
  /** Undefined unless projects were read. */
  projects: FlagProjects | undefined
  /** Whether a flag with this name is known to exist, even if no application has reported it. */
  exists(name: string): boolean
  /** The state of the flag in the environments that the filters keep; empty unless projects were read. */
  environments(name: string): FlagEnvironment[]
  /** The projects whose flags are missing, and the lookups that could not be read. */
  missing: Missing
  /** The error for projects that could not be read; undefined if all could be. */
  failure: FlagadmError | undefined
}

const noFlags: ExistingFlags = {
  projects: [],
  flags: new Map(),
  failures: [],
  missing: nothingMissing,
}

/** Finds the flags to read: those given, otherwise all flags of the projects. */
export async function openSource(
  context: Context,
  connection: Connection,
  request: UsageRequest,
): Promise<UsageSource> {
  const { names, unreadLookups, options } = request
  const hasProjects = selectsProjects(options)
  const existing = hasProjects ? await readExistingFlags(context, connection, options) : noFlags
  const { flags, missing } = existing
  const isWanted = matcherOf(options.environment)
  return {
    ...connection,
    names: names ?? [...flags.keys()],
    concurrency: options.concurrency ?? connection.concurrency,
    signal: context.host.signal,
    read: usageReader(connection, request, existing),
    projects: hasProjects
      ? {
          projectOf: (name) => flags.get(name)?.projectId,
          ids: existing.projects,
          isSingle: singleProject(options) !== undefined,
        }
      : undefined,
    exists: (name) => flags.has(name),
    environments: (name) =>
      (flags.get(name)?.environments ?? []).filter((one) => isWanted(one.name)),
    missing: { ...missing, lookups: unreadLookups },
    failure: unreadError(existing),
  }
}

/** A function that reads the usage of a flag; it throws `notFound` for a name that is known to be of no flag. */
function usageReader(
  connection: Connection,
  { names, options }: UsageRequest,
  { flags, failures }: ExistingFlags,
): FlagReader<UsageDocument>['read'] {
  const { since } = options
  const { service } = connection
  const hasProjects = selectsProjects(options)
  // A name that is missing may be a flag of a project that could not be read.
  const isComplete = hasProjects && failures.length === 0
  const findApplications = createFindApplications(connection)
  // Several unknown names are reported together, without guesses, which take long for many flags.
  const candidates = [...flags.keys()]
  let first: string | undefined
  const unknown = (name: string, applications: readonly string[] | undefined) => {
    first ??= name
    return unknownFlag(name, applications, name === first ? candidates : [], options)
  }
  const readOne =
    since === undefined
      ? (featureName: string) => service.read(operations.featureUsage, { featureName })
      : hourlyReader(connection, since)
  return async (name) => {
    const exists = flags.has(name)
    if (isComplete && !exists) {
      // Without a request, nothing else lets an interrupt arrive.
      await new Promise(setImmediate)
      throw unknown(name, await findApplications(name))
    }
    const document = await readOne(name).catch(async (error) => {
      throw names?.length === 1 && !hasProjects ? await withGuess(connection, name, error) : error
    })
    // The hourly usage of an unknown name is empty, not a 404, so ask which names no flag has.
    if (since === undefined || exists || document.data.lastHourUsage.length > 0) return document
    const applications = await findApplications(name)
    if (applications) throw unknown(name, applications)
    return document
  }
}

/** The error for a name without a flag (404), with the closest flag of the listed projects as its hint. */
async function withGuess(connection: Connection, name: string, error: unknown): Promise<unknown> {
  if (!isNotFound(error)) return error
  const names = await listedFlagNames(connection)
  const guess = closest(name, names)
  if (guess === undefined || guess === name) return error
  return withParts(error, { hint: `did you mean ${guess}?` })
}

/** A function that reads the hourly usage of a flag, in the form of that of the current clock hour. */
export function hourlyReader(
  { service, now }: Connection,
  since: number,
): (name: string) => Promise<UsageDocument & { span: Span }> {
  // All flags start at the same hour, even if a new hour begins before the last one is read, as long as the
  // service keeps that hour.
  const first = firstHour(since, now())
  return async (featureName) => {
    const hoursBack = hoursFrom(first, now())
    const { data, json } = await service
      .read(operations.featureUsageHours, { featureName, hoursBack })
      .catch((error) => {
        throw isNotFound(error) ? withParts(error, { hint: NO_HOURLY_USAGE }) : error
      })
    const { data: records, ...facts } = data
    const span = spanOf(records, hoursBack, since, now())
    return { data: { ...facts, lastHourUsage: records }, json, span }
  }
}

const NO_HOURLY_USAGE =
  'this service has no hourly usage: leave out --since; a check over a longer time needs --for'

function isNotFound(error: unknown): error is FlagadmError {
  return error instanceof FlagadmError && error.service?.status === 404
}

/**
 * A function that returns the applications that ask for a name which no flag has; undefined if the service does
 * not list the name. It asks the service at the first call.
 */
function createFindApplications({ service }: Connection) {
  const read = async () => {
    const { unknownFlags = [] } =
      (await optional(service.read(operations.unknownFlags, {})))?.data ?? {}
    return new Map(
      unknownFlags.map(({ name, reports }) => {
        return [name, (reports ?? []).flatMap(({ appName }) => appName ?? [])]
      }),
    )
  }
  let reading: Promise<Map<string, string[]>> | undefined
  return async (name: string): Promise<string[] | undefined> => {
    reading ??= read()
    return (await reading).get(name)
  }
}

/**
 * The error for a name that no flag has.
 * @param applications those that ask for the name, if any do
 * @param candidates the flags that may be meant
 */
function unknownFlag(
  featureName: string,
  applications: readonly string[] | undefined,
  candidates: readonly string[],
  options: ProjectOptions,
): FlagadmError {
  const by = applications?.length ? ` (${listed(applications)})` : ''
  const asked = applications ? `; SDKs asked for '${featureName}'${by}: a typo?` : ''
  const place = selectsProjects(options) ? ` of ${scopeText(options)}` : ''
  const scope = options.project?.map((id) => `--project ${id}`).join(' ') ?? '--all-projects'
  const guess = closest(featureName, candidates)
  const hint =
    guess === undefined
      ? `check the name; flagadm feature list ${scope} lists the flags`
      : `did you mean ${guess}?`
  return new FlagadmError('notFound', `not a flag${place}${asked}`, { featureName, hint })
}
