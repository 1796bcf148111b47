import { FlagadmError } from '../errors.ts'
import type { Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { FeatureUsage, UsageRecord as ServiceRecord } from '../service/schema.ts'
import type { UsageAnswer } from './evidence.ts'
import { recordsOf } from './records.ts'
import { coverageOf, hoursBack, type Span } from './span.ts'

/** A usage document of the service. */
interface UsageDocument {
  json: string
  maturity: string | null | undefined
}

/** The usage of a flag in the current clock hour. */
export interface LastHour extends UsageDocument {
  records: readonly ServiceRecord[]
  seenApplications: readonly string[]
}

/** @throws an `unavailable` error if a usage document, or a record in it, is about another flag */
function refuseOtherFlag(
  featureName: string,
  { featureName: own, lastHourUsage }: Pick<FeatureUsage, 'featureName' | 'lastHourUsage'>,
): void {
  const names = [own, ...lastHourUsage.map((record) => record.featureName)]
  const other = names.find((name) => name && name !== featureName)
  if (!other) return
  const problem = `the service returned the usage of the flag '${other}'`
  throw new FlagadmError('unavailable', problem, { featureName })
}

/** The usage of a flag in the current clock hour. */
export async function readLastHour(service: Service, featureName: string): Promise<LastHour> {
  const { data, json } = await service.read(operations.featureUsage, { featureName })
  refuseOtherFlag(featureName, data)
  const { lastHourUsage: records, maturity, seenApplications } = data
  return { records, json, maturity, seenApplications: seenApplications ?? [] }
}

/** The hourly usage of a flag, and what it covers. */
export interface HourlyDocument extends UsageAnswer, UsageDocument {}

/**
 * The hourly usage of a flag in a span.
 * @param now the current time of the service
 */
export async function readHours(
  service: Service,
  featureName: string,
  span: Span,
  now: () => number,
): Promise<HourlyDocument> {
  const hours = hoursBack(span, now())
  const { data, json } = await service.read(operations.featureUsageHours, {
    featureName,
    hoursBack: hours,
  })
  refuseOtherFlag(featureName, { lastHourUsage: data.data })
  const records = recordsOf(data.data)
  const coverage = coverageOf(records.times, records.isEmpty, hours, span)
  return { ...coverage, records, json, maturity: data.maturity }
}
