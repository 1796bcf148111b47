import { counted } from '../../output/phrases.ts'
import { isDecided, type Observation } from '../evidence.ts'
import { evaluations, usageTotals } from '../rows.ts'
import { durationText, evaluationsText } from './sentences.ts'

/** The progress of a gate as text. */
export function progressText(
  elapsed: number,
  durationMs: number,
  flags: readonly Observation[],
): string {
  const counts = usageTotals(flags)
  const readings = flags.reduce((most, { readings }) => Math.max(most, readings), 0)
  const decided = flags.filter(isDecided).length
  return [
    `${durationText(elapsed)} of ${durationText(durationMs)}, ${durationText(durationMs - elapsed)} left`,
    counted(readings, 'reading'),
    `${decided} of ${counted(flags.length, 'flag')} decided`,
    evaluations(counts) > 0n ? evaluationsText(counts) : 'no evaluations',
  ].join('; ')
}
