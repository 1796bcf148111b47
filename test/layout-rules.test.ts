import { basename } from 'node:path'
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

/** Names that files have in common although they are not the same thing for two subjects, and those files. */
function shared(names: readonly (readonly [name: string, path: string])[]): string[] {
  return repeated(names.map(([name]) => name)).map((name) => {
    const paths = names.filter(([other]) => other === name).map(([, path]) => path)
    return `${name}: ${paths.join(', ')}`
  })
}

test('no two files export the same name, except for the definitions of commands and formats', () => {
  const exported = /^export (?:async )?(?:function\*?|class|interface|type|const) (\w+)/gm
  const others = source.filter(({ path }) => !path.startsWith('src/output/formats/'))
  const names = others.flatMap(({ path, code }) => {
    // A function with overloads is exported more than once.
    const own = new Set(Array.from(code.matchAll(exported), ([, name = '']) => name))
    return Array.from(own, (name) => [name, path] as const)
  })
  expect(shared(names.filter(([name]) => name !== 'define'))).toEqual([])
})

// Files with the same name, because they are the same thing for two subjects.
const counterparts = [
  // What the sandbox serves; it shares nothing with the client.
  ['feature/flags.ts', 'sandbox/flags.ts'],
  ['feature/usage.ts', 'sandbox/usage.ts'],
  ['settings/settings.ts', 'sandbox/settings.ts'],
  // Read and written.
  ['input/yaml.ts', 'output/yaml.ts'],
  ['input/time.ts', 'output/time.ts'],
  ['input/json.ts', 'output/formats/json.ts'],
  ['input/names.ts', 'output/formats/names.ts'],
  // The writer of all text, and the format.
  ['output/text.ts', 'output/formats/text.ts'],
]

/** The files of commands, which have the names of their commands: `feature list` and `project list`. */
const commandFiles = new Set(
  source
    .filter(({ path }) => path === 'src/cli/commands.ts')
    .flatMap(({ code }) =>
      Array.from(code.matchAll(/import\('\.\.\/([^']+)'\)/g), ([, file]) => file),
    ),
)

test('no two files of src have the same name unless they are commands or counterparts', () => {
  const paths = source.map(({ path }) => path.slice('src/'.length))
  const names = repeated(paths.map((path) => basename(path)))
  const homonyms = names
    .map((name) => paths.filter((path) => basename(path) === name))
    .filter((same) => !same.every((path) => commandFiles.has(path)))
    .filter((same) => !counterparts.some((list) => same.every((path) => list.includes(path))))
  expect(homonyms).toEqual([])
  const unused = counterparts.filter((list) => !list.every((path) => paths.includes(path)))
  expect(unused).toEqual([])
})

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
