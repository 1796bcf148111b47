const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

/**
 * The time of a timestamp in milliseconds since the epoch; undefined without one and for text that is not
 * an ISO 8601 date-time. One without a zone is UTC, regardless of this machine's zone.
 */
export function timeOf(timestamp: string | null | undefined): number | undefined {
  const [match, , , zone] = ISO.exec(timestamp ?? '') ?? []
  if (match === undefined) return undefined
  const time = Date.parse(zone ? match : `${match}Z`)
  return Number.isNaN(time) ? undefined : time
}
