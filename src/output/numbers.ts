/** An integer with its digits grouped by three. */
export function groupDigits(count: number): string {
  return `${count}`.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A count for people who compare sizes: exact below a million, then `201.9 M` or `2.2 B`. */
export function roundedCount(count: number): string {
  if (count < 1_000_000) return groupDigits(count)
  const millions = (count / 1_000_000).toFixed(1)
  return Number(millions) < 1000 ? `${millions} M` : `${(count / 1_000_000_000).toFixed(1)} B`
}

/**
 * A share in percent, rounded to nearest. Only an empty share is `0.0%` and only a full one is `100.0%`; others that
 * would round to these are `<0.1%` and `>99.9%`.
 */
export function percent(share: number): string {
  const text = (share * 100).toFixed(1)
  if (text === '0.0' && share > 0) return '<0.1%'
  return text === '100.0' && share < 1 ? '>99.9%' : `${text}%`
}
