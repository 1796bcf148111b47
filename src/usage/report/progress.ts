import { counted } from '../../old/output/phrases.ts'
import { isDecided, type Observation } from '../evidence.ts'
import { evaluations, usageTotals } from '../rows.ts'
import { durationText, evaluationsText } from './sentences.ts'

/** `2 readings; 0 of 1 flag decided; no evaluations` */
function readingsText(flags: readonly Observation[]): string {
  const counts = usageTotals(flags)
  const readings = flags.reduce((most, { readings }) => Math.max(most, readings), 0)
  const decided = flags.filter(isDecided).length
  return [
    counted(readings, 'reading'),
    `${decided} of ${counted(flags.length, 'flag')} decided`,
    evaluations(counts) > 0n ? evaluationsText(counts) : 'no evaluations',
  ].join('; ')
}

export function progressText(
  elapsed: number,
  durationMs: number,
  flags: readonly Observation[],
): string {
  const left = durationText(durationMs - elapsed)
  return `${durationText(elapsed)} of ${durationText(durationMs)}, ${left} left; ${readingsText(flags)}`
}

/** What an interrupted gate had read. */
export function interruptedText(
  elapsed: number,
  durationMs: number,
  flags: readonly Observation[],
): string {
  const length = `${durationText(elapsed)} of ${durationText(durationMs)}`
  return `interrupted after ${length}: ${readingsText(flags)}`
}
