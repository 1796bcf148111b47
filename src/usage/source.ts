import type { Connected } from '../profile/connection.ts'
import type { Context } from '../context.ts'
import { FlagadmError, failureOfAll, withHint } from '../errors.ts'
import type { UsageDocument } from './hourly.ts'
import { listed } from '../output/phrases.ts'
import { optional } from '../service/client.ts'
import { matcherOf } from './filter.ts'
import { firstHour, hoursFrom, spanOf } from './span.ts'
import type { EnvironmentState } from '../projects/flags.ts'
import { type Missing, nothingMissing } from '../projects/missing.ts'
import type { UsageFilter } from './view.ts'
import { type ExistingFlags, type Projects, readExistingFlags } from '../projects/flags.ts'
import type { Reads } from './request.ts'

/** The service, the flags to read, and how to read them. */
export interface UsageSource extends Connected {
  names: readonly string[]
  /** @throws `notFound` for a name that is known to belong to no flag */
  read(name: string): Promise<UsageDocument>
  /** Whether a flag with this name is known to exist, even if no application has reported it. */
  exists(name: string): boolean
  /** The state of the flag in the environments that the filter keeps; empty unless projects were read. */
  environments(name: string, filter: UsageFilter): EnvironmentState[]
  /** The projects whose flags are missing, and the lookups that could not be read. */
  missing: Pick<Missing, 'projects' | 'unlistedProjects' | 'lookups'>
  /** The error for those that could not be read; undefined if there are none. */
  failure: FlagadmError | undefined
}

/** Finds the flags to read: those given, otherwise all flags of the projects. */
export async function openSource(
  context: Context,
  connected: Connected,
  { names, unread, projects, since, concurrency = connected.concurrency }: Reads,
): Promise<UsageSource> {
  const existing = projects && (await readExistingFlags(context, connected, projects))
  const known = new Set(existing?.names)
  // A name that is missing may be a flag of a project that could not be read.
  const isComplete = existing?.failures.length === 0
  const applications = unknownNames(connected)
  const readOne = reader(connected, since)
  return {
    ...connected,
    names: names ?? existing?.names ?? [],
    concurrency,
    async read(name) {
      if (isComplete && !known.has(name)) {
        throw await missingFlag(name, (await applications()).get(name), projects, existing.names)
      }
      const document = await readOne(name)
      if (since === undefined || known.has(name) || document.data.lastHourUsage.length > 0) {
        return document
      }
      const asking = (await applications()).get(name)
      if (asking) throw await missingFlag(name, asking, projects, existing?.names)
      return document
    },
    exists: (name) => known.has(name),
    environments(name, { environments }) {
      const matches = matcherOf(environments)
      return (existing?.environments.get(name) ?? []).filter((one) => matches(one.name))
    },
    missing: { ...nothingMissing, ...existing?.missing, lookups: unread },
    failure: existing && projectFailure(existing),
  }
}

/** A function that reads a flag: its current clock hour or, in the same form, hourly usage. */
function reader(
  { service, now }: Connected,
  since: number | undefined,
): (name: string) => Promise<UsageDocument> {
  if (since === undefined) return service.featureUsage
  // All flags cover the same hours, even if a new hour begins before the last one is read.
  const first = firstHour(since, now())
  return async (name) => {
    const hours = hoursFrom(first, now())
    const { data, json } = await service.featureUsageHours(name, hours).catch((error) => {
      throw isMissingOperation(error) ? withHint(error, NO_HISTORY) : error
    })
    const { data: records, ...facts } = data
    const span = spanOf(records, hours, since, now())
    return { data: { ...facts, lastHourUsage: records }, json, span }
  }
}

const NO_HISTORY =
  'this service has no hourly usage: leave out --since; a check over a longer time needs --for'

function isMissingOperation(error: unknown): error is FlagadmError {
  return error instanceof FlagadmError && error.service?.status === 404
}

function projectFailure({ failures, missing }: ExistingFlags): FlagadmError | undefined {
  return failures.length > 0 ? failureOfAll(failures, missing.projects.of, 'projects') : undefined
}

/** Reads, at the first call, which applications ask for which names that no flag has. */
function unknownNames({ service }: Connected): () => Promise<Map<string, string[]>> {
  const read = async () => {
    const { unknownFlags = [] } = (await optional(service.unknownFlags()))?.data ?? {}
    return new Map(
      unknownFlags.map(({ name, reports }) => {
        return [name, (reports ?? []).flatMap(({ appName }) => appName ?? [])]
      }),
    )
  }
  let reading: Promise<Map<string, string[]>> | undefined
  return () => (reading ??= read())
}

/** The applications that ask for an unknown name, as part of a message. */
function askedBy(name: string, applications: readonly string[]): string {
  const by = applications.length > 0 ? ` (${listed(applications)})` : ''
  return `SDKs asked for '${name}'${by}: a typo?`
}

/**
 * The error for a name that no flag has.
 * @param applications those that ask for the name, if any do
 * @param names the flags that are known to exist
 */
async function missingFlag(
  name: string,
  applications: readonly string[] | undefined,
  { project, allProjects }: Projects = {},
  names: readonly string[] = [],
): Promise<FlagadmError> {
  const { closest } = await import('../input/spelling.ts')
  const asked = applications ? `; ${askedBy(name, applications)}` : ''
  const guess = closest(name, names)
  const scope = project === undefined ? '--all-projects' : `--project ${project}`
  return new FlagadmError('notFound', `not a flag${placeText(project, allProjects)}${asked}`, {
    featureName: name,
    hint:
      guess === undefined
        ? `check the name; flagadm feature list ${scope} lists the flags`
        : `did you mean ${guess}?`,
  })
}

function placeText(project: string | undefined, allProjects: true | undefined): string {
  if (project !== undefined) return ` of project ${project}`
  return allProjects ? ' of any project that the service lists' : ''
}
