// Reads each of several flags or projects, and goes on after the failure of one.
import { pMapIterable } from 'p-map'
import type { Context } from '../command/context.ts'
import { commonKind, failureOf, FlagadmError, withParts } from '../errors.ts'
import { counted, type Incomplete } from '../output/incomplete.ts'
import type { Connection } from '../service/connection.ts'

export type Failures = ReadonlyMap<string, FlagadmError>

/** What could be read of several flags or projects, in their order, and the failures of the others. */
export interface Results<Result> {
  results: Result[]
  failures: Failures
}

/** The largest number of requests at once, and what shows how many are done. */
type Requests = Pick<Connection, 'concurrency' | 'progress'>

/**
 * Reads each of several flags or projects, and goes on after the failure of one.
 * @param noun what they are
 * @param items they or their names
 * @param use takes each result, in the order of the items; without it, results are returned
 * @throws what all others would fail for, too, if no other answer came before; a single one has that as its failure
 */
export async function readEach<Item extends string | { name: string }, Result>(
  noun: 'flag' | 'project',
  items: readonly Item[],
  { concurrency, progress }: Requests,
  read: (item: Item) => Promise<Result>,
  use?: (result: Result) => void,
): Promise<Results<Result>> {
  const results: Result[] = []
  const failures = new Map<string, FlagadmError>()
  let isAnswered = false
  const readOne = async (item: Item, advance: () => void) => {
    const name = typeof item === 'string' ? item : item.name
    try {
      return { name, result: await read(item) }
    } catch (error) {
      const failure = failureOf(error)
      // Without any other answer before, the others would fail for the same reason.
      const endsAll = failure.isGeneral && !isAnswered && items.length > 1
      if (!endsAll) return { name, failure }
      throw withParts(failure, { projectId: undefined, featureName: undefined })
    } finally {
      isAnswered = true
      advance()
    }
  }
  // Results are in the order of the items, so a few more are read while a slow one is awaited.
  const options = { concurrency, backpressure: 4 * concurrency }
  await progress.track({ verb: 'Reading', noun, total: items.length }, async (advance) => {
    for await (const answer of pMapIterable(items, (item) => readOne(item, advance), options)) {
      if (answer.failure) failures.set(answer.name, answer.failure)
      else if (use) use(answer.result)
      else results.push(answer.result)
    }
  })
  return { results, failures }
}

/** How many flags or projects were to be read, and the failures. */
export interface Attempt {
  requested: number
  failures: Failures
}

// More are hard to read.
const MAX_FAILURES = 10

/**
 * Ends a run with its failures, if there are any. Reports the first ones before, unless only one was to be read.
 * @throws the error of a single one, otherwise one of the kind that all share, or `partial`; for flags that do not exist, `notFound`
 */
export function throwFailures({ messages }: Context, project: Attempt, flag?: Attempt): void {
  const failed = Object.entries({ project, flag }).flatMap(([what, attempt]) => {
    const { requested = 0, failures = new Map<string, FlagadmError>() } = attempt ?? {}
    return failures.size > 0 ? [{ what, requested, failures }] : []
  })
  const all = failed.flatMap(({ failures }) => [...failures.values()])
  const [first] = all
  if (!first) return
  const requested = failed.reduce((sum, attempt) => sum + attempt.requested, 0)
  if (requested === 1) throw first
  // A request may be about several flags.
  const distinct = [...new Set(all)]
  for (const failure of distinct.slice(0, MAX_FAILURES)) messages.fail(failure)
  const more = distinct.length - MAX_FAILURES
  const parts = failed.map(
    (attempt) => `${attempt.failures.size} of ${counted(attempt.requested, attempt.what)}`,
  )
  const problem = `${parts.join(' and ')} could not be read`
  const text = more > 0 ? `${problem} (${more} more than above)` : problem
  // A name that is not a flag is the error, whatever could be read of others.
  const isName = failed.every(({ what }) => what === 'flag')
  const isNotFound = isName && all.every(({ kind }) => kind === 'notFound')
  throw new FlagadmError(isNotFound ? 'notFound' : commonKind(all, requested), text)
}

export function unread({ failures, requested }: Attempt, what: 'flag' | 'project'): Incomplete[] {
  if (failures.size === 0) return []
  const message = `${failures.size} of ${counted(requested, what)} could not be read`
  return [{ message, names: [...failures.keys()].sort(), isReported: true }]
}
