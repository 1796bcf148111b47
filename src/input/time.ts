const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(?<zone>Z|[+-]\d\d:?\d\d)?$/i

/**
 * The time of a timestamp in milliseconds since the epoch; undefined without one and for text that is not
 * an ISO 8601 date-time. One without a zone is UTC, regardless of this machine's zone.
 */
export function timeOf(timestamp: string | null | undefined): number | undefined {
  const match = ISO.exec(timestamp ?? '')
  if (!match) return undefined
  const [text] = match
  const time = Date.parse(match.groups?.zone ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : time
}
