// Whether names without usage are flags: a misspelt name has none either.
import type { Context } from '../command/context.ts'
import { failureOf, problemText } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import { HOUR_MS, timeText } from '../output/time.ts'
import { memoized } from '../memoized.ts'
import { listedProjects } from '../project/projects.ts'
import { readEach } from '../requests/each.ts'
import { optional } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { once } from '../service/once.ts'
import { operations } from '../service/operations.ts'
import { createLookups, type Lists, readAbsences } from '../flags/absences.ts'
import { environmentsOf, type Flag } from '../flags/flag.ts'
import { mergeLists, readFlags } from '../flags/selection.ts'

interface CheckedName {
  /** Why it is not a flag; undefined if it may be one. */
  problem?: string
  /** Undefined if no list has it. */
  flag?: Flag
  /** Whether it is certainly a flag. */
  isFlag: boolean
  /** Why it may not be a flag, or may be used all the same, as sentences. */
  doubts: readonly string[]
}

/** Where a flag is archived, and when it was created, in milliseconds since the epoch. */
interface Archived {
  reason: string
  createdAt: number | undefined
}

/** Checks names without usage, and reads for that only once what the service lists. */
export type NameCheck = ReturnType<typeof createNameCheck>

/** The flags of all projects that the service lists, by name; or why there are none. */
type ListedFlags =
  | { flags: ReadonlyMap<string, Flag>; lists: Lists }
  | { flags: undefined; problem: string; isMissing: boolean }

async function readLists(connection: Connection): Promise<ListedFlags> {
  const { service } = connection
  try {
    const projects = await listedProjects(service)
    const read = await readEach('project', projects, connection, (id) =>
      readFlags(service, id, true),
    )
    return mergeLists(read)
  } catch (error) {
    const failure = failureOf(error)
    // A service that follows only the specification has no lists.
    const isMissing = failure.kind === 'notFound'
    const problem = isMissing
      ? 'the service does not list its flags'
      : `the lists of flags could not be read: ${problemText(failure)}`
    return { flags: undefined, problem, isMissing }
  }
}

const UNCHECKED = 'not checked whether names without usage are flags of other projects'
const UNLISTED =
  'not known whether usage arrives from the projects of flags that the service does not list'

/** @param names how many are read at once with their usage, so that both together keep to the largest number of requests */
export function createNameCheck(connection: Connection, names: number) {
  const { service } = connection
  const concurrency = Math.max(1, connection.concurrency - names + 1)
  const lookups = createLookups(service)
  let flagsByName: ReadonlyMap<string, Flag> = new Map()
  const listedFlags = once(async () => {
    const read = await readLists({ ...connection, concurrency })
    if (read.flags) flagsByName = read.flags
    return read
  })

  const check = memoized(async (name: string): Promise<CheckedName> => {
    const read = await listedFlags()
    if (!read.flags) {
      return { isFlag: false, doubts: [`names without usage may be misspelt: ${read.problem}`] }
    }
    const flag = read.flags.get(name)
    if (flag) return { flag, isFlag: true, doubts: [] }
    const { absences } = await readAbsences(service, [name], read.lists, lookups)
    const absence = absences.get(name)
    if (absence?.isFlag === false) return { isFlag: false, problem: absence.reason, doubts: [] }
    const isFlag = absence?.isFlag === true
    return { isFlag, doubts: [isFlag ? UNLISTED : UNCHECKED] }
  })

  const archivedNow = async (featureName: string): Promise<Archived | undefined> => {
    const search = service.readQuickly(operations.archivedFeatures, { featureName, offset: '0' })
    const { features = [] } = (await optional(search))?.data ?? {}
    const archivedFlag = features.find(
      ({ name, archivedAt }) => name === featureName && archivedAt != null,
    )
    if (!archivedFlag) return undefined
    const { project, createdAt } = archivedFlag
    return { reason: `archived in project ${project}`, createdAt: timeOf(createdAt) }
  }
  return {
    /** Where a name is archived; undefined if it is not, or that is not known. */
    archived: archivedNow,
    check,
    /** The flags that the service lists, by name; empty before one was checked. */
    knownFlags: () => flagsByName,
    /** The environments of all flags that the service lists, and whether others could not be read. */
    async environments(): Promise<{ environments: string[]; isPart: boolean }> {
      const read = await listedFlags()
      if (!read.flags) return { environments: [], isPart: !read.isMissing }
      const environments = environmentsOf([...read.flags.values()])
      return { environments, isPart: read.lists.failures.size > 0 }
    },
  }
}

// The service allows few searches a minute.
const MAX_SEARCHED = 5

/** The usage of a flag, and where it is archived if the lists show that. */
interface NamedUsage {
  flag: string
  isUsed: boolean
  archived: string | undefined
  /** The start of its figures, in milliseconds since the epoch. */
  from: number | undefined
}

/** That an earlier flag had the name in a part of the figures. */
function formerText({ createdAt = 0 }: Archived, { from = createdAt }: NamedUsage): string[] {
  if (createdAt < from + HOUR_MS) return []
  return [`usage before ${timeText(createdAt)} is of another flag, which had the name before`]
}

/**
 * Warns of flags that SDKs ask for although they are archived.
 * @param nameCheck undefined if the names were selected from lists; of many other names, it is not asked
 */
export async function warnOfArchived(
  { messages, options }: Context,
  nameCheck: NameCheck | undefined,
  usages: readonly NamedUsage[],
): Promise<void> {
  const isSearched = usages.length <= MAX_SEARCHED && !options.quiet
  for (const usage of usages) {
    const { flag, isUsed, archived } = usage
    const found = isSearched && isUsed ? await nameCheck?.archived(flag) : undefined
    const reason = archived ?? found?.reason
    if (reason === undefined) continue
    const former = found ? formerText(found, usage) : []
    messages.warn(`${flag}: ${[reason, ...former].join('; ')}`)
  }
}
