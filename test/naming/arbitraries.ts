import fc from 'fast-check'
import { isLegalName, LEGAL_CHARACTERS } from '../../src/input/flag-names.ts'

const fragments = ['a', 'b', 'feat', 'fix', 'x', 'A', '7', '42', '-', '_', '.', '~', '!']

const anyName = fc.string({
  unit: fc.constantFrom(...LEGAL_CHARACTERS),
  minLength: 1,
  maxLength: 100,
})
const likelyName = fc
  .array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 9 })
  .map((parts) => parts.join(''))

/** Legal flag names, many of which the patterns here match. */
export const legalName = fc.oneof(likelyName, likelyName, anyName).filter(isLegalName)

const atom = fc.constantFrom(
  ...['a', 'b', 'feat', 'fix', '-', '_', '\\.', '.', '7', 'é', '/', '[]', '[^]', '(?:)'],
  ...['[a-z]', '[A-Z]', '[a-z0-9-]', '[^-]', '\\d', '\\w', '\\W', '\\S', '\\x61', 'a{', ']'],
  ...['^', '$', '\\b', '\\B'],
)
const quantifier = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{1,3}', '{0,200}', '*?')

const { pattern: regular } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 2, depthSize: 'small', withCrossShrink: true },
    atom,
    fc
      .tuple(fc.array(tie('pattern'), { minLength: 1, maxLength: 2 }), quantifier)
      .map(([branches, count]) => `(?:${branches.join('|')})${count}`),
  ),
  pattern: fc.array(tie('piece'), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('')),
}))

/** Patterns without look-around and back-references, which compile. */
export const regularPattern = fc
  .array(regular, { minLength: 1, maxLength: 2 })
  .map((branches) => branches.join('|'))

const assertion = fc.constantFrom('(?=a)', '(?!a)', '(?<=-)', '(?<!-)', '(?!feat-)', '(a|-)\\1')

/** All kinds of patterns, which compile. */
export const anyPattern = fc.oneof(
  regularPattern,
  fc.tuple(regular, assertion, regular).map((parts) => parts.join('')),
)
