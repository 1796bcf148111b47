/** An integer with its digits grouped by three. */
export function groupDigits(count: bigint): string {
  const [sign, digits] = count < 0n ? ['-', `${-count}`] : ['', `${count}`]
  const first = digits.slice(0, digits.length % 3)
  const others = digits.slice(first.length).match(/\d{3}/g) ?? []
  return sign + [first, ...others].filter(Boolean).join(',')
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
