import { groupDigits } from './phrases.ts'
import { formatted, type Safe } from './text.ts'

/** A part of a whole. */
export interface Share {
  part: bigint
  whole: bigint
}

/**
 * A share in percent, rounded to nearest (`12.5%`). Only an empty share is `0%` and only a full one is
 * `100%`; others that would round to these are `<1%` and `>99%`.
 */
export function percent({ part, whole }: Share, decimals: 0 | 1): Safe {
  const scale = decimals === 0 ? 100n : 1000n
  const text = (units: bigint) => `${(Number(units) / Number(scale / 100n)).toFixed(decimals)}%`
  const rounded = (2n * scale * part + whole) / (2n * whole)
  if (rounded === 0n && part > 0n) return formatted(`<${text(1n)}`)
  if (rounded === scale && part < whole) return formatted(`>${text(scale - 1n)}`)
  return formatted(text(rounded))
}

const units = ['', 'k', 'M', 'G', 'T', 'P', 'E']

/**
 * A count in the unit with which another one has at most four digits (`1,234G`); in full if that is
 * under a billion.
 */
export function shortCount(count: bigint, whole = count): Safe {
  if (whole < 1_000_000_000n || count === 0n) return groupDigits(count)
  const unit = Math.min(Math.ceil((`${whole}`.length - 4) / 3), units.length - 1)
  const part = count / 1000n ** BigInt(unit)
  return formatted(`${part === 0n ? '<1' : groupDigits(part)}${units[unit]}`)
}
