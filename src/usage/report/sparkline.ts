import { joined, type Safe, safe } from '../../output/text.ts'

const levels = [safe`▁`, safe`▂`, safe`▃`, safe`▄`, safe`▅`, safe`▆`, safe`▇`, safe`█`] as const

/** Numbers as a line of small bars, the largest one as a full bar. */
export function sparkline(numbers: readonly bigint[]): Safe {
  let largest = 1n
  for (const number of numbers) if (number > largest) largest = number
  const top = BigInt(levels.length - 1)
  return joined(
    numbers.map((number) => levels[Number((number * top + largest - 1n) / largest)] ?? levels[0]),
  )
}

/** The sums of successive numbers, of at most this many parts of equal size; the first may be smaller. */
export function inParts(numbers: readonly bigint[], most: number): bigint[] {
  const size = Math.ceil(numbers.length / most)
  const sums: bigint[] = []
  for (let end = numbers.length; end > 0; end -= size) {
    const part = numbers.slice(Math.max(0, end - size), end)
    sums.unshift(part.reduce((sum, number) => sum + number, 0n))
  }
  return sums
}
