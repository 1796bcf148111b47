import fc from 'fast-check'
import { expect, test } from 'vitest'
import { illegalReasons, isLegalName, LEGAL_CHARACTERS } from '../../src/input/flag-names.ts'
import { codePoint } from '../support/text.ts'

test('a name is legal exactly when encodeURIComponent leaves its 1 to 100 characters as they are', () => {
  const unit = fc.oneof(fc.constantFrom(...LEGAL_CHARACTERS), codePoint)
  const name = fc.array(unit, { maxLength: 105 }).map((units) => units.join(''))
  const isUnchanged = (text: string) =>
    !/\p{Surrogate}/u.test(text) && encodeURIComponent(text) === text
  fc.assert(
    fc.property(fc.oneof(name, fc.constantFrom('.', '..', '...', '')), (text) => {
      const expected =
        text !== '' && text.length <= 100 && text !== '.' && text !== '..' && isUnchanged(text)
      expect(isLegalName(text)).toBe(expected)
      expect(illegalReasons(text).length === 0).toBe(expected)
    }),
    { numRuns: 1000 },
  )
})
