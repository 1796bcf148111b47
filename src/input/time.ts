const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

/**
 * The time of a record's timestamp in milliseconds since the epoch; undefined for text that is not an
 * ISO 8601 date-time. One without a zone is UTC, regardless of this machine's zone.
 */
export function timeOf(timestamp: string): number | undefined {
  const [match, , , zone] = ISO.exec(timestamp) ?? []
  if (match === undefined) return undefined
  const time = Date.parse(zone ? timestamp : `${timestamp}Z`)
  return Number.isNaN(time) ? undefined : time
}
