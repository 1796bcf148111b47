import { parseSync, Visitor } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { lineAt, type Module, modulesIn } from './support/modules.ts'
import { loadCommands } from './support/program.ts'

const source = modulesIn('src')
const tests = modulesIn('test')

/** The parts of a list that occur more than once. */
function repeated(list: readonly string[]): string[] {
  return [...new Set(list.filter((part, index) => list.indexOf(part) !== index))].sort()
}

function programOf({ path, code }: Module) {
  const { program, errors } = parseSync(path, code)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return program
}

const trees = source.map((module) => ({ module, program: programOf(module) }))

test('a file imports a module with one statement', () => {
  const twice = [...source, ...tests].flatMap(({ path, code }) => {
    const targets = code.matchAll(/^(?:import|\}) .*?'([^']+)'$/gm)
    return repeated(Array.from(targets, ([, target = '']) => target)).map(
      (target) => `${path}: ${target}`,
    )
  })
  expect(twice).toEqual([])
})

test('no file of src has more than 550 lines', () => {
  const long = source
    .map((module) => ({ path: module.path, lines: lineAt(module, module.code.length) - 1 }))
    .filter(({ lines }) => lines > 550)
  expect(long).toEqual([])
})

test('no function of src has more than 60 lines', () => {
  const long: string[] = []
  for (const { module, program } of trees) {
    const measure = ({ start, end }: { start: number; end: number }) => {
      const lines = module.code.slice(start, end).split('\n').length
      if (lines > 60) long.push(`${module.path}:${lineAt(module, start)}: ${lines} lines`)
    }
    new Visitor({
      FunctionDeclaration: measure,
      FunctionExpression: measure,
      ArrowFunctionExpression: measure,
    }).visit(program)
  }
  expect(long).toEqual([])
})

// Documents of their own: of the service, of one result, a page, metrics.
const documents = new Set(['json', 'text', 'yaml', 'html', 'openmetrics'])

test('outside src/output, nothing is compared with the name of a format with rows', async () => {
  const { all } = await loadCommands()
  const formats = new Set(all.flatMap((command) => command.formats))
  const comparisons: string[] = []
  for (const { module, program } of trees) {
    if (module.path.startsWith('src/output/')) continue
    const check = (node: { type: string; value?: unknown; start: number } | null) => {
      if (node?.type !== 'Literal' || typeof node.value !== 'string') return
      if (!formats.has(node.value) || documents.has(node.value)) return
      comparisons.push(`${module.path}:${lineAt(module, node.start)}: '${node.value}'`)
    }
    new Visitor({
      BinaryExpression({ operator, left, right }) {
        if (!/^[!=]==?$/.test(operator)) return
        check(left)
        check(right)
      },
      SwitchCase: ({ test }) => check(test),
      // As in `['csv', 'names'].includes(format)`.
      CallExpression({ callee }) {
        if (callee.type !== 'MemberExpression' || callee.object.type !== 'ArrayExpression') return
        for (const element of callee.object.elements) check(element)
      },
    }).visit(program)
  }
  expect(comparisons).toEqual([])
})
