/** An integer with its digits grouped by three. */
export function groupDigits(count: bigint): string {
  return `${count}`.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A share in tenths of a percent as `12.5%`. */
export function percent(share: number): string {
  return `${(share / 10).toFixed(1)}%`
}

const units = ['', 'k', 'M', 'G', 'T', 'P', 'E']

/** A count over a billion in four digits and a unit (`1,234G`); smaller ones as they are. */
export function shortCount(count: bigint): string {
  let [rest, unit] = [count, 0]
  if (count < 1_000_000_000n) return groupDigits(count)
  while (rest >= 10_000n && unit < units.length - 1) {
    rest /= 1000n
    unit++
  }
  return groupDigits(rest) + (units[unit] ?? '')
}
