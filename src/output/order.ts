/** Order of two texts by code unit: independent of the locale. */
export function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
