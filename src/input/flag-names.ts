/** Every character of a legal flag name, common ones first: those that `encodeURIComponent` leaves unchanged. */
export const LEGAL_CHARACTERS =
  "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ!~*'()."

export const MAX_NAME_LENGTH = 100

// The same as a part of a class in a regular expression.
const LEGAL = "A-Za-z0-9\\-_.!~*'()"

const ILLEGAL_CHARACTER = new RegExp(`[^${LEGAL}]`, 'u')
const ILLEGAL_TEXT = new RegExp(`[^${LEGAL}]+`, 'g')
const LEGAL_NAME = new RegExp(`^(?!\\.{1,2}$)[${LEGAL}]{1,${MAX_NAME_LENGTH}}$`)

/** Why the service rejects a flag name under any rule; empty for a legal name. */
export function illegalReasons(name: string): string[] {
  if (name === '') return ['is empty']
  if (name === '.' || name === '..') return [`is "${name}"`]
  const reasons: string[] = []
  if (name.length > MAX_NAME_LENGTH) reasons.push(`is longer than ${MAX_NAME_LENGTH} characters`)
  const illegal = ILLEGAL_CHARACTER.exec(name)?.[0]
  const legal = "A-Z a-z 0-9 - _ . ! ~ * ' ( )"
  if (illegal) reasons.push(`contains a character that is not one of ${legal}: "${illegal}"`)
  return reasons
}

export function hasOnlyLegalCharacters(text: string): boolean {
  return !ILLEGAL_CHARACTER.test(text)
}

/** Whether `illegalReasons` is empty, but fast: one run may check a million names. */
export function isLegalName(name: string): boolean {
  return LEGAL_NAME.test(name)
}

/** A text with a replacement for each part that no name may have. */
export function replaceIllegal(text: string, replacement: string): string {
  return text.replace(ILLEGAL_TEXT, replacement)
}
