const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

/**
 * The time of a record's timestamp in milliseconds since the epoch; undefined when it is no ISO 8601
 * date-time. One without a zone is UTC, whatever the zone of this machine.
 */
export function timeOf(timestamp: string): number | undefined {
  const [match, , , zone] = iso.exec(timestamp) ?? []
  if (match === undefined) return undefined
  const time = Date.parse(zone ? timestamp : `${timestamp}Z`)
  return Number.isNaN(time) ? undefined : time
}
