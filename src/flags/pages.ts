// Lists of the service that come in pages.
import { FlagadmError } from '../errors.ts'

// More are not read: a service could go on without an end.
const MAX_PAGES = 100

interface Page<Entry> {
  entries: readonly Entry[]
  /** How many entries the whole list has, if the service says so. */
  total: number | null | undefined
}

/** The error for a list of which the service returned only a part. */
export function cutOff(noun: string, count: number, total: number | string): FlagadmError {
  const problem = `the service returned ${count} of ${total} ${noun}`
  return new FlagadmError('unavailable', problem, { hint: 'check the log of the service' })
}

/**
 * Reads the pages of a list one after the other, up to the last one.
 * @param noun what the entries are: `events`
 * @param size how many entries a full page has
 * @throws `unavailable` if the service returns fewer than it says that there are, or more than 100 pages
 */
export async function* pagesOf<Entry>(
  noun: string,
  size: number,
  readPage: (offset: string) => Promise<Page<Entry>>,
): AsyncGenerator<readonly Entry[], void> {
  let count = 0
  for (let page = 0; page < MAX_PAGES; page++) {
    const { entries, total } = await readPage(String(count))
    yield entries
    count += entries.length
    // Without a total, or with one that is wrong, a page that is not full is the last one.
    const isLast = total == null || count > total ? entries.length < size : count === total
    if (isLast) return
    if (entries.length === 0) throw cutOff(noun, count, total ?? 'more')
  }
  const problem = `the list of ${noun} goes on after ${MAX_PAGES} pages`
  throw new FlagadmError('unavailable', problem, { hint: 'check the log of the service' })
}
