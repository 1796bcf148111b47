// How far differing clocks matter.
import { ageText, DAY_MS } from '../output/time.ts'
import type { Terms } from './terms.ts'

type Clocks = Pick<Terms, 'clocksDiffer'>

/** Whether a time is after a limit; `open` if the clocks differ by more than what is between them. */
export function isAfter(
  time: number,
  limit: number,
  { clocksDiffer }: Clocks,
): 'yes' | 'no' | 'open' {
  if (clocksDiffer > 0 && Math.abs(time - limit) <= clocksDiffer) return 'open'
  return time > limit ? 'yes' : 'no'
}

/** Whether the clocks differ by so much that no time can be relied on. */
export const isUnreliable = ({ clocksDiffer }: Clocks) => clocksDiffer > DAY_MS

/** `the clocks differ by 3 h` */
export const differenceText = ({ clocksDiffer }: Clocks) =>
  `the clocks differ by ${ageText(clocksDiffer)}`
