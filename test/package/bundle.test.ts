import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { parseSync, Visitor } from 'rolldown/utils'
import { expect, test } from 'vitest'

const dist = new URL('../../dist/', import.meta.url)

function read(file: string): string {
  return readFileSync(new URL(file, dist), 'utf8')
}

const packages: Record<string, readonly string[]> = {
  MIT: [
    '@clack/core',
    '@clack/prompts',
    '@colors/colors',
    '@commander-js/extra-typings',
    '@eslint-community/regexpp',
    'agent-base',
    'chalk',
    'cli-table3',
    'commander',
    'cosmiconfig',
    'destr',
    'emoji-regex',
    'env-paths',
    'fast-string-truncated-width',
    'fast-string-width',
    'fast-wrap-ansi',
    'http-proxy-agent',
    'is-fullwidth-code-point',
    'ofetch',
    'p-map',
    'picomatch',
    'sisteransi',
    'string-width',
    'ufo',
    'valibot',
  ],
  ISC: ['yaml'],
}

// Before adding a package here, check who maintains it, what it depends on, and whether its licence is permissive.
test('the bundle contains code of these packages only, with the notices of their licences', () => {
  const sections = read('LICENSES.txt').split(`\n${'-'.repeat(72)}\n\n`)
  const found: Record<string, string[]> = {}
  for (const section of sections) {
    const [, name = '', licence = ''] = /^(\S+) \S+: (.+)\n\n/.exec(section) ?? []
    found[licence] = [...(found[licence] ?? []), name]
    expect(section).toMatch(/copyright.*permission (is hereby granted|to use, copy)/is)
  }
  expect(found).toEqual(packages)
})

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
function importsOf(file: string, code: string): string[] {
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

test('the bundle imports only Node.js modules', () => {
  const files = readdirSync(dist).filter((file) => file.endsWith('.js'))
  const own = files.map((file) => `./${file}`)
  const imports = files.flatMap((file) => importsOf(file, read(file)))
  expect(imports.filter((name) => !isBuiltin(name) && !own.includes(name))).toEqual([])
  const tricks = 'const a = require; import(b + "c"); process.getBuiltinModule("module")'
  expect(importsOf('a.js', tricks)).toEqual(['require', 'import(b + "c")', 'getBuiltinModule'])
})
