/** Every character of a legal flag name, common ones first: those that `encodeURIComponent` leaves unchanged. */
export const legalCharacters =
  "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ!~*'()."

export const maxNameLength = 100

const illegalCharacter = /[^A-Za-z0-9\-_.!~*'()]/u
const legalText = /^[A-Za-z0-9\-_.!~*'()]+$/
const illegalInLines = /[^A-Za-z0-9\-_.!~*'()\n]/

/** Why the service rejects a flag name under any rule; empty for a legal name. */
export function illegalReasons(name: string): string[] {
  if (name === '') return ['is empty']
  if (name === '.' || name === '..') return [`is "${name}"`]
  const reasons: string[] = []
  if (name.length > maxNameLength) reasons.push(`is longer than ${maxNameLength} characters`)
  const illegal = illegalCharacter.exec(name)?.[0]
  if (illegal !== undefined) {
    reasons.push(
      `contains a character that is not one of A-Z a-z 0-9 - _ . ! ~ * ' ( ): "${illegal}"`,
    )
  }
  return reasons
}

/** Whether `illegalReasons` is empty, but fast: one run may check a million names. */
export function isLegalName(name: string): boolean {
  return legalText.test(name) && isLegalApartFromCharacters(name)
}

/** Whether a name whose characters are known to be legal is legal. */
export function isLegalApartFromCharacters(name: string): boolean {
  return name !== '' && name.length <= maxNameLength && name !== '.' && name !== '..'
}

/** Whether all characters of all lines are legal in names: faster for a whole text than for each name in it. */
export function hasLegalLines(text: string): boolean {
  return !illegalInLines.test(text)
}
