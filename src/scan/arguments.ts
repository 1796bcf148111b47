/** A flag name and the offset of its first character, in UTF-16 units. */
export interface NameAt {
  name: string
  offset: number
}

// A raw, formatted, verbatim or byte literal of Python, Rust, Dart, C#, Swift or Scala.
const prefix = '(?<prefix>[rRbBuUfF]{1,2}|@\\$?|\\$@?|s|raw|L|u8)?(?<hashes>#{0,8})'
const quoted =
  '(?<quote>"""|\'\'\'|["\'`])(?<body>(?:\\\\.|(?!\\k<quote>)[^\\\\\\n])*)\\k<quote>\\k<hashes>'
const atom = '(?<colon>:)(?<atom>[A-Za-z_]\\w*)(?!::)'
const conversion = '(?:\\.(?:freeze|to_s|to_sym|into\\(\\)|to_string\\(\\)|to_owned\\(\\)))?'

/** A literal, an atom of Ruby or Elixir included; read it with `nameOf`. */
export const LITERAL = `(?<open>:?(?:${prefix}))(?:${quoted})${conversion}|${atom}`

// `${…}`, `$name` and `#{…}` insert values in some language, and a flag name cannot contain them.
const INTERPOLATION = /\$[{\w]|#\{/
const FORMATTED = /^(?:[bBrR]?[fF][bBrR]?|.*\$.*|s)$/
const RAW = /^(?:[rRbBuUfF]*[rR][rRbBuUfF]*|.*@.*|raw)$/

function decode(body: string, quote: string, kind: string): string | undefined {
  if (INTERPOLATION.test(body) || (FORMATTED.test(kind) && /[{}$]/.test(body))) return undefined
  if (!body.includes('\\') || RAW.test(kind)) return body
  // Only these two escapes have the same meaning in all languages.
  const rest = body.replaceAll('\\\\', '').replaceAll(`\\${quote}`, '')
  return rest.includes('\\') ? undefined : body.replace(/\\(.)/g, '$1')
}

/**
 * The name in a match of `LITERAL`; undefined when its value depends on the language or is only known at run time.
 * @param offset where the match of the literal begins in the text
 */
export function nameOf(
  groups: Partial<Record<string, string>> | undefined,
  offset: number,
): NameAt | undefined {
  if (!groups) return undefined
  const { open = '', prefix: kind = '', hashes = '', quote = '', body = '', atom: word } = groups
  if (word !== undefined) return { name: word, offset: offset + 1 }
  const name = decode(body, quote, kind || (hashes && 'raw'))
  return name === undefined ? undefined : { name, offset: offset + open.length + quote.length }
}

/** An argument of a call: its text, and its offset in the text that was split. */
export interface Argument {
  text: string
  offset: number
}

/** The arguments of a call, and the index after its closing bracket if it is closed. */
export interface Arguments {
  list: Argument[]
  end: number | undefined
}

// Deeper nesting is not read, to bound the work on hostile text.
const MAX_DEPTH = 8

// An unclosed quote or comment extends to the end of the text, so each character is read once.
const TOKEN =
  /"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*(?:`|$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[^"'`()[\]{},/]+|[\s\S]/g

/** Splits the text after an opening bracket into its complete arguments. */
export function splitArguments(text: string): Arguments {
  const list: Argument[] = []
  let [depth, start] = [0, 0]
  const add = (end: number) => list.push({ text: text.slice(start, end), offset: start })
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === ',' && depth === 0) {
      add(index)
      start = index + 1
    } else if (token === '(' || token === '[' || token === '{') {
      if (++depth > MAX_DEPTH) break
    } else if ((token === ')' || token === ']' || token === '}') && depth-- === 0) {
      if (text.slice(start, index).trim() !== '') add(index)
      return { list, end: index + 1 }
    }
  }
  return { list, end: undefined }
}
