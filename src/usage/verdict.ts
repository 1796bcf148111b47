import { problemText } from '../errors.ts'
import { counted, groupDigits } from '../output/phrases.ts'
import { type Evidence, isRefused, isUnseen, type Observation } from './gate.ts'
import { cutText, lastUseText, missingUsageText, type PastUsage } from './past.ts'
import { lengthOf, shortfallText, sinceText, spanText } from './span.ts'
import type { EnvironmentState } from '../projects/flags.ts'
import { stateTexts } from './state.ts'
import { durationText, windowText } from './time.ts'
import type { Expectation } from './view.ts'

export type Verdict = 'passed' | 'failed' | 'inconclusive'

/** What a judgement depends on besides the evidence. */
export interface Terms {
  expectation: Expectation
  allowUnseen: boolean
  /** Whether the flag is known to exist. */
  exists: boolean
  /** The filter values that match no known name; undefined if all match, or if unknown values are allowed. */
  unknownFilters: string | undefined
  /** Whether the gate reads once instead of over a span. */
  isOneReading: boolean
  /** Whether the whole span was watched. */
  complete: boolean
  /** Whether a filter asks for applications. */
  asksApplications: boolean
  /** The state of the flag in the environments that the filters keep. */
  environments: readonly EnvironmentState[]
}

export interface Judgement {
  verdict: Verdict
  reason: string
  /** Whether too many readings failed. */
  unreadable: boolean
}

function inconclusive(reason: string, unreadable = false): Judgement {
  return { verdict: 'inconclusive', reason, unreadable }
}

/** The reason why usage may exist although none was seen; undefined if the evidence is sufficient. */
function doubt({ evidence, gap, uncounted }: Observation, terms: Terms): string | undefined {
  const { past } = evidence
  if (evidence.unnamedUsage) {
    return 'there is usage without the application or environment that the filters ask for'
  }
  if (uncounted) return 'a record has neither of the counts yes and no'
  const missing = past && missingUsageText(past, terms.environments)
  if (missing !== undefined) return missing
  if (isUnseen(evidence) && !terms.exists && !terms.allowUnseen) {
    return past
      ? `no application has reported this flag ${sinceText(past.span)}; --project checks that it exists`
      : 'no application has ever reported this flag; check the name'
  }
  if (terms.unknownFilters !== undefined) return terms.unknownFilters
  if (past) return pastDoubt(past, terms)
  if (gap !== undefined) return gap
  return terms.complete ? undefined : 'no usage was seen, but --fail-fast cut the span short'
}

function pastDoubt({ span, isCut }: PastUsage, { asksApplications }: Terms): string | undefined {
  const shortfall = shortfallText(span)
  if (shortfall !== undefined) return `no usage was seen, but ${shortfall}`
  return isCut && asksApplications ? cutText : undefined
}

/** What the evidence covers: `since 16:00 UTC, 1 h 15 min (391 readings)`; empty if the flag was never read. */
function coverageText({ past, covered, readings }: Evidence, { isOneReading }: Terms): string {
  if (past) return spanText(past.span)
  const length = covered && lengthOf(covered)
  if (covered?.from === undefined || length === undefined) return ''
  const window = windowText({ start: covered.from, end: covered.to })
  const text = `${window}, ${durationText(length)}`
  if (isOneReading) return `in one reading of the current clock hour (${text})`
  return `${text} (${counted(readings, 'reading')})`
}

function evaluationsText({ enabled, disabled }: Evidence): string {
  const total = enabled + disabled
  // A service may send counts of variants alone.
  if (total <= 0n) return 'usage'
  return total === 1n ? '1 evaluation' : `${groupDigits(total)} evaluations`
}

/** What else is known about a flag. */
function factsOf(evidence: Evidence, { exists, environments }: Terms): string[] {
  const mayNotExist = isUnseen(evidence) && !exists
  const unseen = mayNotExist ? ['no application has reported this flag, and it may not exist'] : []
  return [...unseen, ...stateTexts(environments)]
}

function judgeCounts(evidence: Evidence, terms: Terms): Judgement {
  const { past, firstSeen } = evidence
  const isUsed = firstSeen !== null
  const counts = isUsed ? evaluationsText(evidence) : 'no evaluations'
  const reason = [
    `${counts} ${coverageText(evidence, terms)}`,
    ...(isUsed && past ? [lastUseText(past)] : []),
    ...factsOf(evidence, terms),
  ].join('; ')
  const verdict = isUsed === (terms.expectation === 'used') ? 'passed' : 'failed'
  return { verdict, reason, unreadable: false }
}

/** Judges whether a flag is used or unused, as expected. */
export function judge(observation: Observation, terms: Terms): Judgement {
  const { evidence, error } = observation
  const { readings, failedReadings, firstSeen } = evidence
  if (firstSeen !== null) return judgeCounts(evidence, terms)
  if (error && isRefused(observation)) return inconclusive(problemText(error), true)
  if (failedReadings * 3 > readings) {
    return inconclusive(`${failedReadings} of ${readings} readings failed`, true)
  }
  const reason = doubt(observation, terms)
  if (reason === undefined) return judgeCounts(evidence, terms)
  return inconclusive([reason, ...stateTexts(terms.environments)].join('; '))
}
