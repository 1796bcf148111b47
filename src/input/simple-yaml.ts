/** Thrown for a line that only a complete parser understands. */
class NotSimple extends Error {}

const MAX_LEVELS = 20
// Tabs, other controls, byte order marks and lines of spaces have rules of their own.
const UNUSUAL = /^ +$|[\0-\t\v-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/m
const SKIPPED = /^(?: *#.*)?$/
const ENTRY = /^( *)(?:([A-Za-z$][\w.-]*)|("(?:[^"\\]|\\["\\/bfnrt])*")):(?: (.*))?$/
const LITERAL = /^\|([-+]?)$/
const DOUBLE_QUOTED = /^"(?:[^"\\]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"$/
const SINGLE_QUOTED = /^'(?:[^']|'')*'$/
// A text that begins so cannot be a number, and none of these has a meaning there.
const PLAIN = /^[A-Za-z_(^$/\\](?:.*\S)?$/
const NOT_PLAIN = /: |:$| #|^(?:true|false|null)$/i

function indentOf(line: string): number {
  return line.search(/[^ ]|$/)
}

function scalarOf(text: string): unknown {
  if (text === 'null') return null
  if (text === '{}') return {}
  if (text === '[]') return []
  if (DOUBLE_QUOTED.test(text)) return JSON.parse(text)
  if (SINGLE_QUOTED.test(text)) return text.slice(1, -1).replaceAll("''", "'")
  if (PLAIN.test(text) && !NOT_PLAIN.test(text)) return text
  throw new NotSimple()
}

/** Reads the lines of a document from the first to the last. */
class Reader {
  readonly #lines: string[]
  #index = 0

  constructor(lines: string[]) {
    this.#lines = lines
  }

  /** The next line with content; undefined at the end. */
  peek(): string | undefined {
    while (SKIPPED.test(this.#lines[this.#index] ?? ' ')) this.#index++
    return this.#lines[this.#index]
  }

  /** The map whose keys are in this column. */
  map(column: number, level: number): Record<string, unknown> {
    const entries = new Map<string, unknown>()
    for (let line = this.peek(); line !== undefined; line = this.peek()) {
      const indent = indentOf(line)
      if (indent < column) break
      const [, , plain, quoted, text] = ENTRY.exec(line) ?? []
      const key = plain ?? (quoted && String(JSON.parse(quoted)))
      if (key === undefined || indent > column || entries.has(key)) throw new NotSimple()
      if (NOT_PLAIN.test(key) || key === '__proto__') throw new NotSimple()
      this.#index++
      entries.set(
        key,
        text === undefined ? this.#below(column, level + 1) : this.#value(text, column),
      )
    }
    if (entries.size === 0) throw new NotSimple()
    return Object.fromEntries(entries)
  }

  /** The map or the list below a key. */
  #below(column: number, level: number): unknown {
    const line = this.peek() ?? ''
    const indent = indentOf(line)
    if (level > MAX_LEVELS) throw new NotSimple()
    if (line.startsWith('- ', indent) && indent >= column) return this.#list(indent, level)
    if (indent <= column) throw new NotSimple()
    return this.map(indent, level)
  }

  /** The list of maps whose dashes are in this column. */
  #list(column: number, level: number): unknown[] {
    const items: unknown[] = []
    for (let line = this.peek(); line?.startsWith('- ', column); line = this.peek()) {
      if (indentOf(line) !== column) break
      this.#lines[this.#index] = line.replace('-', ' ')
      items.push(this.map(column + 2, level + 1))
    }
    return items
  }

  #value(text: string, column: number): unknown {
    const [literal, chomping] = LITERAL.exec(text) ?? []
    return literal === undefined ? scalarOf(text) : this.#literal(chomping ?? '', column)
  }

  /** The lines of a literal block below a key. */
  #literal(chomping: string, column: number): string {
    const content: string[] = []
    const indent = indentOf(this.#lines[this.#index] ?? '')
    if (indent <= column) throw new NotSimple()
    for (let line = this.#lines[this.#index]; line !== undefined; line = this.#lines[this.#index]) {
      if (line !== '' && indentOf(line) < indent) break
      content.push(line.slice(indent))
      this.#index++
    }
    // What follows must not be indented like a part of the block.
    if (indentOf(this.#lines[this.#index] ?? '') > column) throw new NotSimple()
    const end = content.findLastIndex((line) => line !== '') + 1
    const text = content.slice(0, end).join('\n')
    if (chomping === '-') return text
    return chomping === '+' ? `${content.join('\n')}\n` : `${text}\n`
  }
}

/**
 * The data of a YAML document that consists of maps with a key on each line, lists of such maps, texts on one
 * line and literal blocks; undefined for other text. Loading a complete parser takes longer than many commands.
 */
export function readSimpleYaml(text: string): { data: unknown } | undefined {
  if (UNUSUAL.test(text) || !text.endsWith('\n')) return undefined
  const reader = new Reader(text.slice(0, -1).split('\n'))
  try {
    const data = reader.map(0, 0)
    return reader.peek() === undefined ? { data } : undefined
  } catch (error) {
    if (error instanceof NotSimple) return undefined
    throw error
  }
}
