import { type ErrorKind, FlagadmError } from '../errors.ts'

export interface Position {
  line: number
  column: number
}

async function parseYaml(text: string, name: string, kind: ErrorKind): Promise<unknown> {
  const { parse, YAMLParseError } = await import('yaml')
  try {
    return parse(text, { logLevel: 'error', prettyErrors: true })
  } catch (error) {
    // The parser's own message quotes the offending line, which may hold a key: only the position is told.
    const position = error instanceof YAMLParseError ? error.linePos?.[0] : undefined
    const where = position ? `${name}:${position.line}:${position.col}` : name
    throw new FlagadmError(kind, `${where}: not valid YAML or JSON`, {
      hint: 'correct the file at that place',
    })
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
