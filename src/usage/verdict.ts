import { problemText } from '../errors.ts'
import { counted } from '../output/phrases.ts'
import { type GateEvidence, isRefused, isUnseen, type Observation } from './evidence.ts'
import type { FlagEnvironment } from '../projects/flags.ts'
import {
  cut,
  durationText,
  evaluationsText,
  lastUseText,
  missingUsage,
  shortfallText,
  sinceText,
  spanText,
  stateTexts,
  windowText,
} from './report/sentences.ts'
import type { GateRequest } from './request.ts'
import { lengthOf } from './span.ts'

export type GateVerdict = 'passed' | 'failed' | 'inconclusive'

/** The conditions of a judgement besides the evidence. */
interface Terms {
  gate: GateRequest
  /** Whether the whole span was watched. */
  complete: boolean
  /** The filter values that match no known name; undefined if all match, or if unknown values are allowed. */
  unknownFilters: string | undefined
  /** Whether the flag is known to exist. */
  exists: boolean
  /** The flag in the environments that the filters keep. */
  environments: readonly FlagEnvironment[]
}

export interface Judgement {
  verdict: GateVerdict
  reason: string
  /** Whether too many readings failed. */
  unreadable: boolean
}

function inconclusive(reason: string, unreadable = false): Judgement {
  return { verdict: 'inconclusive', reason, unreadable }
}

/** The reason why usage may exist although none was seen; undefined if the evidence is sufficient. */
function uncertainty({ evidence, gap, uncounted }: Observation, terms: Terms): string | undefined {
  const { summary } = evidence
  const { allowUnseen, view } = terms.gate
  if (evidence.unnamedUsage) {
    return 'there is usage without the application or environment that the filters ask for'
  }
  if (uncounted) return 'a record has neither of the counts yes and no'
  const missing = summary && missingUsage(summary, terms.environments)
  if (missing) return missing.text
  if (isUnseen(evidence) && !terms.exists && !allowUnseen) {
    return summary
      ? `no application has reported this flag ${sinceText(summary.span)}; --project checks that it exists`
      : 'no application has ever reported this flag; check the name'
  }
  if (terms.unknownFilters !== undefined) return terms.unknownFilters
  if (summary) {
    const shortfall = shortfallText(summary.span)
    if (shortfall !== undefined) return `no usage was seen, but ${shortfall}`
    return summary.isCut && view.applications.length > 0 ? cut.text : undefined
  }
  if (gap !== undefined) return gap
  return terms.complete ? undefined : 'no usage was seen, but --fail-fast cut the span short'
}

/** The covered time as text: `since 16:00 UTC, 1 h 15 min (391 readings)`; empty if the flag was never read. */
function coverageText({ summary, covered, readings }: GateEvidence, { gate }: Terms): string {
  if (summary) return spanText(summary.span)
  const length = covered && lengthOf(covered)
  if (covered?.from === undefined || length === undefined) return ''
  const text = `${windowText(covered)}, ${durationText(length)}`
  if (gate.spanMs === 0) return `in one reading of the current clock hour (${text})`
  return `${text} (${counted(readings, 'reading')})`
}

/** Further facts about a flag. */
function factsOf(evidence: GateEvidence, { exists, environments }: Terms): string[] {
  const mayNotExist = isUnseen(evidence) && !exists
  const unseen = mayNotExist ? ['no application has reported this flag, and it may not exist'] : []
  return [...unseen, ...stateTexts(environments)]
}

function judgeCounts(evidence: GateEvidence, terms: Terms): Judgement {
  const { summary, firstSeen } = evidence
  const isUsed = firstSeen !== null
  const counts = isUsed ? evaluationsText(evidence) : 'no evaluations'
  const reason = [
    `${counts} ${coverageText(evidence, terms)}`,
    ...(isUsed && summary ? [lastUseText(summary)] : []),
    ...factsOf(evidence, terms),
  ].join('; ')
  const verdict = isUsed === (terms.gate.expectation === 'used') ? 'passed' : 'failed'
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
  const reason = uncertainty(observation, terms)
  if (reason === undefined) return judgeCounts(evidence, terms)
  return inconclusive([reason, ...stateTexts(terms.environments)].join('; '))
}
