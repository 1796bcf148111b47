/** Every character of a legal flag name, common ones first: those that `encodeURIComponent` leaves unchanged. */
export const LEGAL_CHARACTERS =
  "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ!~*'()."

export const MAX_NAME_LENGTH = 100

const ILLEGAL_CHARACTER = /[^A-Za-z0-9\-_.!~*'()]/u
const LEGAL_NAME = /^(?!\.{1,2}$)[A-Za-z0-9\-_.!~*'()]{1,100}$/

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

/** Whether `illegalReasons` is empty, but fast: one run may check a million names. */
export function isLegalName(name: string): boolean {
  return LEGAL_NAME.test(name)
}
