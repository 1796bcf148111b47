import { type ErrorKind, FlagadmError } from '../errors.ts'

export interface Position {
  line: number
  column: number
}

function malformed(name: string, kind: ErrorKind, at?: Position, hint?: string): FlagadmError {
  const where = at ? `${name}:${at.line}:${at.column}` : name
  return new FlagadmError(kind, `${where}: not valid YAML or JSON`, {
    hint: hint ?? 'correct the file at that place',
  })
}

// The parser's own messages quote the text, which may hold a key: only the position is told.
async function parseYaml(text: string, name: string, kind: ErrorKind): Promise<unknown> {
  const { LineCounter, parseDocument: parseNodes, visit } = await import('yaml')
  const lines = new LineCounter()
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const document = parseNodes(text, { lineCounter: lines, logLevel: 'error' })
  const [error] = document.errors
  if (error) throw malformed(name, kind, positionOf(error.pos[0]))
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document)) return
      const hint = "put quotation marks around a value that begins with '*'"
      throw malformed(name, kind, positionOf(alias.range?.[0] ?? 0), hint)
    },
  })
  try {
    return document.toJS()
  } catch {
    throw malformed(name, kind)
  }
}

/**
 * The data of a YAML or JSON document.
 * @param name what to call the document in an error
 * @param kind the kind of error to throw when it is malformed
 */
export async function parseDocument(text: string, name: string, kind: ErrorKind): Promise<unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return await parseYaml(text, name, kind)
  }
}

/** Where the value at `path` starts in a well-formed document; undefined when it has none. */
export async function locate(
  text: string,
  path: readonly (string | number)[],
): Promise<Position | undefined> {
  const { LineCounter, isNode, parseDocument: parseNodes } = await import('yaml')
  const lines = new LineCounter()
  const node = parseNodes(text, { lineCounter: lines, logLevel: 'error' }).getIn(path, true)
  if (!isNode(node) || !node.range) return undefined
  const { line, col } = lines.linePos(node.range[0])
  return { line, column: col }
}
