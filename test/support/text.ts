import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/** Any code point but surrogates. The unit `binary` of fast-check first makes a map of all code points. */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count))
