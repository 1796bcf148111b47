// Whether names without usage are flags: a misspelt name has none either.
import { failureOf, FlagadmError, problemText } from '../errors.ts'
import { listedProjects } from '../project/projects.ts'
import { readEach } from '../requests/each.ts'
import type { Connection } from '../service/connection.ts'
import { createLookups, readAbsences } from './absences.ts'
import { environmentsOf, type Flag, listsOf, readFlags } from './flags.ts'

/** A name that may be a flag. */
interface CheckedName {
  /** Undefined if no list has it. */
  flag: Flag | undefined
  /** Why it may not be a flag, as sentences. */
  doubts: readonly string[]
}

/** Checks names without usage, and reads for that only once what the service lists. */
export type NameCheck = ReturnType<typeof createNameCheck>

/** Reads the flags of all projects that the service lists; as a text, why it cannot. */
async function readLists({ service }: Connection, concurrency: number) {
  try {
    const projects = await listedProjects(service)
    const read = await readEach(projects, concurrency, (id) => readFlags(service, id, true))
    const all = read.results.flatMap((list) => list.flags)
    const flags = new Map(all.map((flag) => [flag.name, flag]))
    return { flags, lists: listsOf(read, [...flags.keys()]) }
  } catch (error) {
    const failure = failureOf(error)
    // A service that follows only the specification has no lists.
    if (failure.kind === 'notFound') return 'the service does not list its flags'
    return `the lists of flags could not be read: ${problemText(failure)}`
  }
}

/** @param names how many are read at once with their usage, so that both together keep to the largest number of requests */
export function createNameCheck(connection: Connection, names: number) {
  const { service } = connection
  const concurrency = Math.max(1, connection.concurrency - names + 1)
  const lookups = createLookups(service)
  const checks = new Map<string, Promise<CheckedName>>()
  let reading: ReturnType<typeof readLists> | undefined
  const listsOnce = () => {
    reading ??= readLists(connection, concurrency)
    return reading
  }

  const checkNow = async (name: string): Promise<CheckedName> => {
    const read = await listsOnce()
    if (typeof read === 'string') {
      return { flag: undefined, doubts: [`names without usage may be misspelt: ${read}`] }
    }
    const flag = read.flags.get(name)
    if (flag) return { flag, doubts: [] }
    const { absences } = await readAbsences(service, [name], read.lists, lookups)
    const absence = absences.get(name)
    if (absence?.isFlag === false) {
      throw new FlagadmError('notFound', absence.reason, { featureName: name })
    }
    const doubt = 'not checked whether names without usage are flags of other projects'
    return { flag, doubts: absence?.isFlag ? [] : [doubt] }
  }

  return {
    /** @throws `notFound` for a name that is not a flag */
    check(name: string): Promise<CheckedName> {
      const known = checks.get(name) ?? checkNow(name)
      checks.set(name, known)
      return known
    },
    /** The environments of all flags that the service lists; none if it lists no flags. */
    async environments(): Promise<string[]> {
      const read = await listsOnce()
      return typeof read === 'string' ? [] : environmentsOf([...read.flags.values()])
    },
  }
}
