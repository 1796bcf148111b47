import { parseSync, Visitor } from 'rolldown/utils'

// Other ways to load a module.
const backDoors = new Set(['createRequire', 'getBuiltinModule', 'mainModule', '_load'])

interface Node {
  type: string
  start: number
  end: number
}

/**
 * The names of all modules that a CommonJS file imports with `require` or `import()`, reachable or not.
 * For a computed name, the code itself, such as `import(path)`.
 */
export function importsOf(file: string, code: string): string[] {
  const { program, errors } = parseSync(file, code, { sourceType: 'commonjs' })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const names: string[] = []
  const callees = new Set<Node>()
  const text = ({ start, end }: Node) => code.slice(start, end)
  // A constant string, with any quotation marks that the minifier chooses.
  const nameIn = (argument: Node | undefined) =>
    /^(["'`])([^"'`\\$]+)\1$/.exec(argument ? text(argument) : '')?.[2]
  new Visitor({
    CallExpression(call) {
      if (call.callee.type !== 'Identifier' || call.callee.name !== 'require') return
      callees.add(call.callee)
      names.push(nameIn(call.arguments[0]) ?? text(call))
    },
    ImportExpression(call) {
      names.push(nameIn(call.source) ?? text(call))
    },
    Identifier(identifier) {
      const { name } = identifier
      if (backDoors.has(name) || (name === 'require' && !callees.has(identifier))) names.push(name)
    },
  }).visit(program)
  return names
}
