import { RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp'

/** The index of the first syntax error according to an edition of the language; undefined if there is none. */
function errorIndexIn(ecmaVersion: 2024 | 2025, source: string): number | undefined {
  try {
    new RegExpParser({ ecmaVersion }).parsePattern(source, 0, source.length, { unicode: false })
    return undefined
  } catch (error) {
    return error instanceof RegExpSyntaxError ? error.index : undefined
  }
}

/** The index of the first syntax error; undefined if unknown. */
export function errorIndex(source: string): number | undefined {
  // An engine may not support the newest edition.
  return errorIndexIn(2025, source) ?? errorIndexIn(2024, source)
}

/** Whether only the newest edition, which old engines do not support, accepts a source. */
export function isNew(source: string): boolean {
  return errorIndexIn(2025, source) === undefined && errorIndexIn(2024, source) !== undefined
}
