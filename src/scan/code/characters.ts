export const OTHER = 0
export const SPACE = 1
export const LETTER = 2
export const DIGIT = 3
export const OPENING = 4
export const CLOSING = 5

const classes = new Uint8Array(128)
const setClass = (characters: string, value: number) => {
  for (const character of characters) classes[character.charCodeAt(0)] = value
}
setClass(' \t\r\n\f\v', SPACE)
setClass('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$', LETTER)
setClass('0123456789', DIGIT)
setClass('([{', OPENING)
setClass(')]}', CLOSING)

/** The class of the character at an index. */
export function classAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return code < 128 ? (classes[code] ?? OTHER) : LETTER
}

/** Whether a character is part of a word. */
export function isWordPart(text: string, index: number): boolean {
  const kind = classAt(text, index)
  return kind === LETTER || kind === DIGIT
}
