import type { FlagadmError } from '../errors.ts'
import { isRefused, isUnseen, type Observation } from './evidence.ts'
import type { UnknownFilter } from './filter.ts'
import type { GateRequest } from './request.ts'
import type { Span } from './span.ts'
import type { Gap } from './time.ts'
import { type FlagWarning, missingUsage } from './warnings.ts'

export type GateVerdict = 'passed' | 'failed' | 'inconclusive'

/** The conditions of a judgement besides the evidence. */
interface Terms {
  gate: GateRequest
  /** Whether the readings lasted for the whole `--for`. */
  complete: boolean
  /** The filter values that match no known name; empty if unknown values are allowed. */
  unknown: readonly UnknownFilter[]
}

/** Why usage may exist although none was seen. */
export type Doubt =
  | Gap
  | FlagWarning
  | { kind: 'refused'; error: FlagadmError }
  | { kind: 'unknownFilters'; unknown: readonly UnknownFilter[] }
  | { kind: 'shortSpan'; span: Span }
  | { kind: 'failedReadings' | 'unnamed' | 'uncounted' | 'unseen' | 'failFast' }

export interface Judgement {
  verdict: GateVerdict
  /** Undefined if the evidence is sufficient. */
  doubt: Doubt | undefined
}

function doubtAbout(observation: Observation, terms: Terms): Doubt | undefined {
  const { summary, readings, failedReadings, error, gap } = observation
  const { gate, complete, unknown } = terms
  const { options } = gate
  if (error && isRefused(observation)) return { kind: 'refused', error }
  if (failedReadings * 3 > readings) return { kind: 'failedReadings' }
  if (observation.unnamedUsage) return { kind: 'unnamed' }
  if (observation.uncounted) return { kind: 'uncounted' }
  const missing = summary && missingUsage(summary, observation.environments)
  if (missing) return missing
  if (isUnseen(observation) && !options.allowUnseen) return { kind: 'unseen' }
  if (unknown.length > 0) return { kind: 'unknownFilters', unknown }
  if (summary) {
    const { span, isCut } = summary
    if (!span.isComplete) return { kind: 'shortSpan', span }
    return isCut && options.app ? { kind: 'cut' } : undefined
  }
  return gap ?? (complete ? undefined : { kind: 'failFast' })
}

/** Judges whether a flag is used or unused, as expected. */
export function judge(observation: Observation, terms: Terms): Judgement {
  const isUsed = observation.firstSeen !== null
  const doubt = isUsed ? undefined : doubtAbout(observation, terms)
  if (doubt) return { verdict: 'inconclusive', doubt }
  const isExpected = isUsed === (terms.gate.expectation === 'used')
  return { verdict: isExpected ? 'passed' : 'failed', doubt: undefined }
}
