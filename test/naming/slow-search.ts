import fc from 'fast-check'
import { BacktrackingEngine } from './backtracking.ts'

const anyCharacter = fc.constantFrom('.', '[^]', '\\S', '[!-~]')
const someCharacter = fc.constantFrom(
  'a',
  'x',
  '-',
  '0',
  '[a-z]',
  '[a-z0-9-]',
  '[^-]',
  '[^a]',
  '\\w',
  '\\W',
  '\\D',
)
const quantifier = fc.constantFrom('', '', '+', '+', '*', '?', '+?', '*?', '{2,}', '{0,2}', '{1,3}')
const assertion = fc.constantFrom(
  '(?=.)',
  '(?=.+)',
  '(?=.*-)',
  '(?=(?:.+)+)',
  '(?!x)',
  '(?!.*--)',
  '(?!(?:.*)*-)',
  '(?<=.)',
  '(?<!-)',
  '(?<=a.*)',
  '(?<!(?:.+)+-)',
  '\\b',
  '\\B',
  '$',
)

/** A part and its quantifier. */
function repeated(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(part, quantifier).map((parts) => parts.join(''))
}

const { pattern: nested } = fc.letrec<{ pattern: string; piece: string; group: string }>((tie) => ({
  group: fc
    .array(tie('pattern'), { minLength: 1, maxLength: 2 })
    .map((branches) => `(?:${branches.join('|')})`),
  piece: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 3, arbitrary: repeated(anyCharacter) },
    { weight: 2, arbitrary: repeated(someCharacter) },
    { weight: 1, arbitrary: assertion },
    { weight: 3, arbitrary: repeated(tie('group')) },
  ),
  pattern: fc.array(tie('piece'), { minLength: 1, maxLength: 2 }).map((pieces) => pieces.join('')),
}))

const end = fc.constantFrom('', 'x', '-x', '-', '[a-z]', '(?<!-)', '|x', '|.*', '(?!.)', 'x?')

/** Patterns with loops over all characters, nested, optional and with look-around. */
export const loopPattern = fc.tuple(nested, end).map((parts) => parts.join(''))

const characters = ['a', 'x', '-', '~']
const repeatedTexts = [...characters, 'ax', 'a-', 'x-', 'a~', 'ab']
const ends = ['', ...characters, '-x~']

/** A name of some length in which a text is repeated. */
function repeating(text: string, end: string, length: number): string {
  return text.repeat(length).slice(0, length - end.length) + end
}

const SHORT = 12
const MAX_LENGTH = 60

/** Finds a name of at most 60 characters that takes a plain engine this many steps. */
export function findSlowName(pattern: string, limit: number): string | undefined {
  const engine = new BacktrackingEngine(pattern)
  const worst = repeatedTexts
    .flatMap((text) => ends.map((end) => ({ text, end })))
    .map(({ text, end }) => {
      const { steps } = engine.match(repeating(text, end, SHORT), 5000)
      return { text, end, steps }
    })
    .sort((a, b) => b.steps - a.steps)
    .slice(0, 3)
  for (const { text, end, steps } of worst) {
    const { steps: doubled } = engine.match(repeating(text, end, 2 * SHORT), 100_000)
    // As if the factor were the same for each further twelve characters: for a power of the length, it is smaller.
    const estimate = doubled * (doubled / steps) ** (MAX_LENGTH / SHORT - 2)
    if (estimate < limit) continue
    const name = repeating(text, end, MAX_LENGTH)
    if (engine.match(name, limit).steps >= limit) return name
  }
  return undefined
}
