/**
 * What is known of a text: the parts that are fixed, in their order, with anything between them. A text that is wholly
 * known is one part; `['new-', '']` is what begins with `new-`, and `['', '']` is any text.
 */
export type PartialText = readonly string[]

export const ANY_TEXT: PartialText = ['', '']

// More different texts than an expression has.
const MAX_TEXTS = 200
// No name is longer.
const MAX_LENGTH = 100

/** Whether nothing is known of a text. */
export function isAny(text: PartialText): boolean {
  return text.length > 1 && text.every((part) => part === '')
}

/** The texts of alternatives. */
export function anyOf(alternatives: readonly (readonly PartialText[])[]): readonly PartialText[] {
  const texts = alternatives.flat()
  const isKnown = texts.length > 0 && texts.length <= MAX_TEXTS && !texts.some(isAny)
  return isKnown ? texts : [ANY_TEXT]
}

/** The texts that others are joined to. Those that are longer than names are left out. */
export function joinedTexts(parts: readonly (readonly PartialText[])[]): readonly PartialText[] {
  let texts: readonly PartialText[] = [['']]
  for (const part of parts) {
    if (texts.length * part.length > MAX_TEXTS) return [ANY_TEXT]
    texts = texts.flatMap((before) => part.map((after) => concatenated(before, after)))
    texts = texts.filter((text) => text.join('').length <= MAX_LENGTH)
  }
  return texts
}

function concatenated(before: PartialText, after: PartialText): PartialText {
  const joint = (before.at(-1) ?? '') + (after[0] ?? '')
  const all = [...before.slice(0, -1), joint, ...after.slice(1)]
  return all.filter((part, index) => part !== '' || index === 0 || index === all.length - 1)
}
