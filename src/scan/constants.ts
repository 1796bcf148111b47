import { LITERAL, type NameAt, nameOf } from './arguments.ts'

/** The value that an occurrence of a name assigns to it; empty when that is not a literal. */
interface Binding {
  /** The value of a variable or a constant. */
  constant?: NameAt
  /** The value of a member of an object, a class or an enumeration. */
  property?: NameAt
}

// How much text around the name a declaration can span.
const AROUND = 200

const KEYWORD =
  /(?:\b(?:const|constexpr|let|var|val|final|static|readonly)\b[^=;(){}\n]*|#define[ \t]+)$/
// In Go, one keyword can precede several declarations in brackets.
const GROUP = /\b(?:const|var) \([^()]*\n[ \t]*$/
const STATEMENT = /(?:^|;)[ \t]*[@$]{0,2}$/
const type = '(?::[^=,;(){}\\n]{1,60}|[ \\t][\\w*&.<>\\[\\]]{1,40}|\\[\\])?'
const value = `^(?:\\s*${type}\\s*:?=|[ \\t]+(?=["':]))\\s*(?:${LITERAL})`
const ending = '[ \\t]*(?:$|;|//|#|/\\*|as const\\b|satisfies\\b'
const DECLARED_VALUE = new RegExp(`${value}(?=${ending}|[,)}\\r\\n]))`)
// A comma or a bracket would follow the argument of a call.
const ASSIGNED_VALUE = new RegExp(`${value}(?=${ending}|\\r?\\n(?!\\s*\\))))`)
const MEMBER_VALUE = new RegExp(
  `^["']?\\s*(?::|=>|=)\\s*(?:${LITERAL})(?=\\s*(?:$|[;,}]|\\n|as const\\b))`,
)

function literalAfter(after: string, form: RegExp, offset: number): NameAt | undefined {
  const match = form.exec(after)
  if (!match) return undefined
  const { open = '', quote = '', body = '', atom } = match.groups ?? {}
  const literal = atom === undefined ? open + quote + body + quote : `:${atom}`
  return nameOf(match.groups, offset + match[0].lastIndexOf(literal))
}

// Words that can precede a use of a name; any other word declares it.
const USING =
  /\b(?:return|await|yield|throw|raise|new|typeof|delete|in|of|case|else|do|if|elif|elsif|unless|while|until|when|and|or|not|is|then|assert|puts|print|echo|go|defer|try|with|match|from|guard|as|export|default|\w*abled\?)$/
const DECLARING = /[A-Za-z_][\w>\]?*&]*[ \t]+[*&$@]*$/
const CHOOSING = /\?|\bcase\b/
const ASSIGNED = /^["']?\s*(?::?=(?![=>~])|[-+*/.|&?]{1,3}=(?!=)|=>)|^[ \t]+(?:in|of)\b/
const LABELLED = /^["']?\s*\??\s*:(?!:)/
const PARAMETER =
  /\b(?:function|func|fun|fn|defp?|sub)\b(?:(?!\)\s*(?:[:{=]|->))[^\n;{}])*[(,][^()\n]*$|\blambda\b[^:\n]*$|(?:\bdo|[{(,=])\s*\|[^|\n]{0,60}$/
const METHOD =
  /^[ \t]*(?:(?:public|private|protected|static|async|override|get|set)[ \t]+)*(?!(?:if|while|for|switch|catch|guard|return)\b)[\w$#]+[ \t]*\([^()\n]*$/
const ARROW = /^[^()\n]{0,80}\)\s*(?::[^=\n]{1,60})?=>|^\s*=>/
const BODY = /^[^()\n]{0,80}\)[^\n;]{0,80}\{/

function isBound(before: string, after: string): boolean {
  if (DECLARING.test(before) && !USING.test(before.trimEnd())) return true
  if (PARAMETER.test(before) || ARROW.test(after)) return true
  if (METHOD.test(before) && BODY.test(after)) return true
  return ASSIGNED.test(after) || (LABELLED.test(after) && !CHOOSING.test(before))
}

/** The value that an occurrence of a name assigns to it; undefined when it only uses the name. */
function bindingAt(text: string, start: number, end: number): Binding | undefined {
  const reach = text.slice(Math.max(0, start - AROUND), start)
  const before = reach.slice(reach.lastIndexOf('\n') + 1)
  const after = text.slice(end, end + AROUND)
  const form =
    KEYWORD.test(before) || GROUP.test(reach)
      ? DECLARED_VALUE
      : STATEMENT.test(before)
        ? ASSIGNED_VALUE
        : undefined
  const constant = form && literalAfter(after, form, end)
  const property = CHOOSING.test(before) ? undefined : literalAfter(after, MEMBER_VALUE, end)
  if (!constant && !property) return isBound(before, after) ? {} : undefined
  return { ...(constant && { constant }), ...(property && { property }) }
}

// A name, or a member of what this file declares.
const REFERENCE = /^\s*&?[@$]?(?:([A-Za-z_]\w*)(?:\?\.|\.|::|->)\$?)?([A-Za-z_]\w*)\s*!?\s*$/
const SELF = /^(?:this|self|Self|static|cls)$/
const OWNER =
  /\b(?:const|let|var|val|class|enum|object|struct|module|namespace|interface|trait|record|extension|type)[ \t]+$/
const MAX_KEYWORD_LENGTH = 20

/** The value of a name or a member that the text declares; undefined unless it has exactly one value. */
type Constants = (expression: string) => NameAt | undefined

function isOwner(text: string, start: number): boolean {
  return OWNER.test(text.slice(Math.max(0, start - MAX_KEYWORD_LENGTH), start))
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
    // Two values already make the name ambiguous.
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
