import { type Binding, bindingAt } from './bindings.ts'
import type { NameAt } from './literals.ts'

// A name, or a member of what this file declares.
const REFERENCE = /^\s*&?[@$]?(?:([A-Za-z_]\w*)(?:\?\.|\.|::|->)\$?)?([A-Za-z_]\w*)\s*!?\s*$/
const SELF = /^(?:this|self|Self|static|cls)$/
const OWNER =
  /\b(?:const|let|var|val|class|enum|object|struct|module|namespace|interface|trait|record|extension|type)[ \t]+$/
const LONGEST_KEYWORD = 20

/** The value of a name or a member that a text declares; undefined unless it has one value only. */
export type Constants = (expression: string) => NameAt | undefined

function isOwner(text: string, start: number): boolean {
  return OWNER.test(text.slice(Math.max(0, start - LONGEST_KEYWORD), start))
}

/**
 * The constants that expressions refer to; the text is read once for all of them.
 * @param isHidden whether a part of the text is not code
 */
export function constantsOf(
  text: string,
  expressions: readonly string[],
  isHidden: (start: number, end: number) => boolean,
): Constants {
  const references = expressions.map((expression) => REFERENCE.exec(expression))
  const names = new Set(references.flatMap((match) => match?.[2] ?? []))
  if (names.size === 0) return () => undefined
  const owners = new Set(references.flatMap((match) => match?.[1] ?? []))
  const declared = new Set<string>()
  const bindings = new Map<string, Binding[]>()
  for (const { 0: word, index } of text.matchAll(/(?<!\w)[A-Za-z_]\w*/g)) {
    if (owners.has(word) && isOwner(text, index)) declared.add(word)
    const known = names.has(word) ? (bindings.get(word) ?? []) : undefined
    // Two values are as ambiguous as many.
    if (!known || known.length > 1) continue
    const end = index + word.length
    const binding = bindingAt(text, index, end)
    if (binding && !isHidden(index, end)) bindings.set(word, [...known, binding])
  }
  return (expression) => {
    const [, owner, name = ''] = REFERENCE.exec(expression) ?? []
    const [binding, other] = bindings.get(name) ?? []
    if (!binding || other) return undefined
    if (owner === undefined) return binding.constant
    const isOwn = SELF.test(owner) || declared.has(owner)
    return isOwn ? (binding.property ?? binding.constant) : undefined
  }
}
