import { FlagadmError } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { timeOf } from '../input/time.ts'
import type { Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { FlagEvent } from '../service/schema.ts'

const DAY_MS = 24 * 3_600_000
// So many names fit into a URL, however long they are.
const MAX_NAMES = 50

/** The events of flags since a day. @throws an error if the service returns fewer than it says that there are */
async function readPages(service: Service, featureNames: string, from: string) {
  const events: FlagEvent[] = []
  for (;;) {
    const parameters = { featureNames, from, offset: String(events.length) }
    const { data } = await service.read(operations.searchEvents, parameters)
    events.push(...data.events)
    const { total } = data
    if (total == null || events.length >= total) return events
    if (data.events.length === 0) {
      const what = `the service returned ${events.length} of ${total} events`
      throw new FlagadmError('unavailable', what, { hint: 'check the log of the service' })
    }
  }
}

/**
 * The events of each flag since a time, newest first; those whose time cannot be read are included.
 * @param since milliseconds since the epoch
 * @throws an error if they cannot be read
 */
export async function readFlagEvents(
  service: Service,
  names: readonly string[],
  since: number,
): Promise<Map<string, readonly FlagEvent[]>> {
  // A day early, because the zone in which the service takes the day is not known.
  const from = new Date(since - DAY_MS).toISOString().slice(0, 10)
  const found: FlagEvent[] = []
  for (let index = 0; index < names.length; index += MAX_NAMES) {
    const some = names.slice(index, index + MAX_NAMES)
    found.push(...(await readPages(service, some.join(','), from)))
  }
  const recent = found.filter(({ createdAt }) => {
    const time = timeOf(createdAt)
    return time === undefined || time >= since
  })
  return new Map(groupBy(recent, ({ featureName }) => featureName ?? ''))
}
