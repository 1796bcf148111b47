import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/** All texts of these letters, up to a length. */
export function shortTexts(letters: string, length: number): string[] {
  if (length === 0) return ['']
  const shorter = shortTexts(letters, length - 1)
  const longest = shorter.filter((text) => text.length === length - 1)
  return [...shorter, ...longest.flatMap((text) => [...letters].map((letter) => text + letter))]
}

/** Any code point but surrogates. The unit `binary` of fast-check first makes a map of all code points. */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count))

/** The words of a command line; none for an empty text. */
export const words = (text: string) => text.split(' ').filter((word) => word !== '')

/** The rows of a table, one per line, with ` | ` between cells. */
export const table = (text: string) => {
  const lines = text.trim().split('\n')
  return lines.map((line) => line.trim().split(' | '))
}

/** The exit code of a run and what it wrote to stderr: `2 error: …`. */
export const ending = (run: Record<'code' | 'stderr', unknown>) => `${run.code} ${run.stderr}`
