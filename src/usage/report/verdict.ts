import { problemText } from '../../errors.ts'
import { counted } from '../../old/output/phrases.ts'
import { isUnseen, type Observation } from '../evidence.ts'
import { lengthOf } from '../span.ts'
import type { GateRequest } from '../request.ts'
import type { Doubt } from '../verdict.ts'
import {
  durationText,
  evaluationsText,
  lastUseText,
  shortfallText,
  sinceText,
  spanText,
  stateTexts,
  windowText,
} from './sentences.ts'
import { unknownFiltersText, warningText } from './warnings.ts'

function lengthText(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

function doubtText(doubt: Doubt, { summary, readings, failedReadings }: Observation): string {
  switch (doubt.kind) {
    case 'refused':
      return problemText(doubt.error)
    case 'failedReadings':
      return `${failedReadings} of ${readings} readings failed`
    case 'unnamed':
      return 'there is usage without the application or environment that the filters ask for'
    case 'uncounted':
      return 'a record has neither of the counts yes and no, or a negative one'
    case 'unseen':
      return summary
        ? `no application has reported this flag ${sinceText(summary.span)}; --project checks that it exists`
        : 'no application has ever reported this flag; check the name'
    case 'unknownFilters':
      return unknownFiltersText(doubt.unknown)
    case 'shortSpan':
      return `no usage was seen, but ${shortfallText(doubt.span)}`
    case 'clockJump': {
      const direction = doubt.step > 0 ? 'forward' : 'back'
      return `the clock jumped ${direction} by ${lengthText(doubt.step)} between two readings (clock change or suspended machine)`
    }
    case 'noReading':
      return `there was no successful reading for ${lengthText(doubt.elapsed)}`
    case 'failFast':
      return 'no usage was seen, but --fail-fast ended the readings early'
    default:
      return warningText(doubt)
  }
}

/** The covered time as text: `since 16:00 UTC, 1 h 15 min (391 readings)`; empty if the flag was never read. */
function coverageText({ summary, covered, readings }: Observation, durationMs: number): string {
  if (summary) return spanText(summary.span)
  const length = covered && lengthOf(covered)
  if (length === undefined) return ''
  const text = `${windowText(covered)}, ${durationText(length)}`
  if (durationMs === 0) return `in one reading of the current clock hour (${text})`
  return `${text} (${counted(readings, 'reading')})`
}

/** The reason for a verdict that the evidence is sufficient for. */
function evidenceText(observation: Observation, durationMs: number): string {
  const { summary, firstSeen, environments } = observation
  const isUsed = firstSeen !== null
  const counts = isUsed ? evaluationsText(observation) : 'no evaluations'
  return [
    `${counts} ${coverageText(observation, durationMs)}`,
    ...(isUsed && summary ? [lastUseText(summary)] : []),
    ...(isUnseen(observation)
      ? ['no application has reported this flag, and it may not exist']
      : []),
    ...stateTexts(environments),
  ].join('; ')
}

export function reasonText(
  observation: Observation,
  doubt: Doubt | undefined,
  { durationMs }: GateRequest,
): string {
  if (!doubt) return evidenceText(observation, durationMs)
  const text = doubtText(doubt, observation)
  if (doubt.kind === 'refused' || doubt.kind === 'failedReadings') return text
  return [text, ...stateTexts(observation.environments)].join('; ')
}
