import { type Flag, flagOf as listedFlag } from '../../src/flags/flag.ts'
import type { UsageFilter } from '../../src/flags/selection.ts'
import type { UsageAnswer } from '../../src/usage/figure-doubts.ts'
import { usageEvidence } from '../../src/review/usage-evidence.ts'
import { recordsOf } from '../../src/flags/records.ts'
import { hourlyCoverage, hoursBack, spanOf } from '../../src/flags/span.ts'

const HOUR = 3_600_000

/** The time of the service: 2026-11-20 16:40. */
export const now = Date.UTC(2026, 10, 20, 16, 40)

/** A span of this many hours. */
export const hoursOf = (hours: number) => ({ text: `${hours}h`, milliseconds: hours * HOUR })

/** The time this many hours ago. */
export const hoursAgo = (hours: number) => new Date(now - hours * HOUR).toISOString()

/** A release flag that is 300 days old, off, and was never seen. */
export function flagOf(fields: Partial<Flag> = {}): Flag {
  const environments = [
    { name: 'production', type: 'production', enabled: false, lastSeenAt: null },
  ]
  const createdAt = hoursAgo(300 * 24)
  const feature = { name: 'flag', type: 'release', stale: false, createdAt, environments }
  return { ...listedFlag(feature, 'shop'), ...fields }
}

/** The state of a flag in production that was last seen this many hours ago; null for never. */
export function production(seen: number | null | undefined, enabled = false): Partial<Flag> {
  const lastSeenAt = typeof seen === 'number' ? hoursAgo(seen) : seen
  return { environments: [{ name: 'production', type: 'production', enabled, lastSeenAt }] }
}

export interface RecordSeed {
  appName?: string | null
  environment?: string | null
  timestamp?: string | null
  yes?: number | null
  no?: number | null
}

/** A record of usage by `web` in production, in the hour that began about this many hours ago. */
export function used(ago: number, fields: RecordSeed = {}): RecordSeed {
  const time = Math.floor((now - ago * HOUR) / HOUR) * HOUR
  const timestamp = new Date(time).toISOString()
  return { appName: 'web', environment: 'production', timestamp, yes: 3, no: 1, ...fields }
}

/** Records with zeros for each of the last hours. */
export function zeros(fields: RecordSeed = {}, hours = 48): RecordSeed[] {
  return Array.from({ length: hours }, (_, ago) => used(ago, { yes: 0, no: 0, ...fields }))
}

function answerOf(seeds: readonly RecordSeed[], asked = 48): UsageAnswer {
  const span = spanOf(hoursOf(asked), now)
  const records = recordsOf([...seeds])
  const coverage = hourlyCoverage(
    records.times,
    records.all.length === 0,
    hoursBack(span, now),
    span,
  )
  return { ...coverage, records, readAt: now }
}

/** The evidence about the usage of a flag in the last 48 hours. */
export function usageOf(
  flag: Flag | undefined,
  seeds: readonly RecordSeed[],
  filter: UsageFilter & { asked?: number } = {},
) {
  const { asked = 48, ...rest } = filter
  const question = { span: spanOf(hoursOf(asked), now), limit: now - 30 * 24 * HOUR, ...rest }
  return usageEvidence(flag, answerOf(seeds, asked), question)
}
