import { FlagadmError } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { matcherOf } from '../input/wildcards.ts'
import { type Incomplete, listed } from '../output/incomplete.ts'
import { optional, type Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'

/** @throws `notFound` for an id or a pattern that matches none of the projects */
export function matchingProjects(pattern: string, ids: readonly string[]): string[] {
  const found = ids.filter(matcherOf([pattern]))
  if (found.length > 0) return found
  const meant = closest(pattern.replaceAll('*', ''), ids)
  const isId = !pattern.includes('*')
  const what = isId ? `unknown project '${pattern}'` : `no project matches ${pattern}`
  throw new FlagadmError('notFound', what, {
    hint:
      meant === undefined
        ? `the service lists: ${listed(ids) || 'no projects'}`
        : `did you mean '${meant}'?`,
  })
}

/** What a list lacks if the service has the edition that lists only the project `default`. */
export async function unlistedProjects(
  service: Service,
  listedIds: readonly string[],
): Promise<Incomplete[]> {
  if (listedIds.some((id) => id !== 'default')) return []
  const config = (await optional(service.read(operations.uiConfig, {})))?.data
  if (config?.environment !== 'Open Source') return []
  return [{ message: 'the open-source edition lists only the project default', names: [] }]
}
