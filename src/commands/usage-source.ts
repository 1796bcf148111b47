import type { Connected } from '../connection.ts'
import type { Context } from '../context.ts'
import { FlagadmError, failureOfAll } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import type { UsageDocument } from '../output/usage-report.ts'
import { optional } from '../service/client.ts'
import { type ExistingFlags, type Projects, readExistingFlags } from './project-flags.ts'
import type { Reads } from './usage-request.ts'

/** The service, the flags to read, and how to read them. */
export interface UsageSource extends Connected {
  names: readonly string[]
  /** @throws `notFound` for a name that is known not to be that of a flag */
  read(name: string): Promise<UsageDocument>
  /** Whether a name is known to be that of a flag, even if nothing has reported it. */
  exists(name: string): boolean
  /** Why the flags of some projects are missing; undefined if none are. */
  failure: FlagadmError | undefined
}

/** Finds the flags to read: those given, otherwise all flags of the projects. */
export async function openSource(
  context: Context,
  connected: Connected,
  { names, projects, concurrency = connected.concurrency }: Reads,
): Promise<UsageSource> {
  const { service } = connected
  if (!projects) {
    return {
      ...connected,
      names: names ?? [],
      concurrency,
      read: (name) => service.featureUsage(name),
      exists: () => false,
      failure: undefined,
    }
  }
  const existing = await readExistingFlags(context, connected, projects)
  const known = new Set(existing.names)
  const applications = unknownNames(connected)
  return {
    ...connected,
    names: names ?? existing.names,
    concurrency,
    async read(name) {
      // The missing name may be a flag of a project that could not be read.
      if (!known.has(name) && existing.failures.length === 0) {
        throw missingFlag(name, projects, existing, (await applications()).get(name))
      }
      return service.featureUsage(name)
    },
    exists: (name) => known.has(name),
    failure: projectFailure(existing),
  }
}

function projectFailure({ failures, projects }: ExistingFlags): FlagadmError | undefined {
  return failures.length > 0 ? failureOfAll(failures, projects, 'projects') : undefined
}

/** Reads, at the first call, which applications ask for which names that no flag has. */
function unknownNames({ service }: Connected): () => Promise<Map<string, string[]>> {
  const read = async () => {
    const { unknownFlags = [] } = (await optional(service.unknownFlags())) ?? {}
    return new Map(
      unknownFlags.map(({ name, reports }) => {
        return [name, (reports ?? []).flatMap(({ appName }) => appName ?? [])]
      }),
    )
  }
  let reading: Promise<Map<string, string[]>> | undefined
  return () => (reading ??= read())
}

// A longer list in a message is not read.
const MOST_LISTED = 10

/** The applications that ask for an unknown name, as part of a message. */
function askedBy(name: string, applications: readonly string[]): string {
  const shown = applications.slice(0, MOST_LISTED).join(', ')
  const more = applications.length - MOST_LISTED
  const list = `${shown}${more > 0 ? ` and ${more} more` : ''}`
  return `SDKs asked for '${name}'${list ? ` (${list})` : ''}: a typo?`
}

function missingFlag(
  name: string,
  { project }: Projects,
  { names }: ExistingFlags,
  applications: readonly string[] | undefined,
): FlagadmError {
  const place = project === undefined ? 'any project that the service lists' : `project ${project}`
  const asked = applications ? `; ${askedBy(name, applications)}` : ''
  const guess = closest(name, names)
  const scope = project === undefined ? '--all-projects' : `--project ${project}`
  return new FlagadmError('notFound', `not a flag of ${place}${asked}`, {
    featureName: name,
    hint:
      guess === undefined
        ? `check the name; "flagadm feature list ${scope}" lists the flags`
        : `did you mean ${guess}?`,
  })
}
