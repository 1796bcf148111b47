import { joined, type Safe, safe } from '../../old/output/text.ts'

const levels = [safe`▁`, safe`▂`, safe`▃`, safe`▄`, safe`▅`, safe`▆`, safe`▇`, safe`█`] as const

/** Numbers as a line of small bars, the largest one as a full bar. */
export function sparkline(numbers: readonly number[]): Safe {
  const largest = Math.max(1, ...numbers)
  const top = levels.length - 1
  return joined(numbers.map((number) => levels[Math.ceil((number * top) / largest)] ?? levels[0]))
}

/** The sums of successive numbers, of at most this many parts of equal size; the first may be smaller. */
export function inParts(numbers: readonly number[], most: number): number[] {
  const size = Math.ceil(numbers.length / most)
  const sums: number[] = []
  for (let end = numbers.length; end > 0; end -= size) {
    const part = numbers.slice(Math.max(0, end - size), end)
    sums.unshift(part.reduce((sum, number) => sum + number, 0))
  }
  return sums
}
