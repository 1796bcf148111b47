const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Numbers as a line of small bars, the largest one as a full bar. */
export function sparkline(numbers: readonly bigint[]): string {
  let largest = 1n
  for (const number of numbers) if (number > largest) largest = number
  const top = BigInt(levels.length - 1)
  return numbers
    .map((number) => levels[Number((number * top + largest - 1n) / largest)] ?? levels[0])
    .join('')
}
