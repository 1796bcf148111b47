import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { describe, expect, test } from 'vitest'
import { importsOf } from './imports.ts'
import { licencesIn } from './licences.ts'

const dist = new URL('../../dist/', import.meta.url)

function read(file: string): string {
  return readFileSync(new URL(file, dist), 'utf8')
}

const licences = licencesIn(read('LICENSES.txt'))

/** Licences that let a package be passed on within another for no more than a notice. */
const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']

describe('the bundle', () => {
  // Whoever adds a package here has looked at who makes it and what it brings along.
  test('holds code of these packages and of no others', () => {
    expect(Object.fromEntries(licences.map(({ name, spdx }) => [name, spdx]))).toEqual({
      '@colors/colors': 'MIT',
      '@commander-js/extra-typings': 'MIT',
      '@eslint-community/regexpp': 'MIT',
      'agent-base': 'MIT',
      'ansi-regex': 'MIT',
      chalk: 'MIT',
      'cli-table3': 'MIT',
      commander: 'MIT',
      cosmiconfig: 'MIT',
      'csv-stringify': 'MIT',
      destr: 'MIT',
      'emoji-regex': 'MIT',
      'env-paths': 'MIT',
      'http-proxy-agent': 'MIT',
      'is-fullwidth-code-point': 'MIT',
      ofetch: 'MIT',
      'p-map': 'MIT',
      picomatch: 'MIT',
      'string-width': 'MIT',
      'strip-ansi': 'MIT',
      ufo: 'MIT',
      valibot: 'MIT',
      yaml: 'ISC',
    })
  })

  test('holds nothing whose licence asks for more than a notice', () => {
    expect(licences.filter(({ spdx }) => !permissive.includes(spdx))).toEqual([])
  })

  test('comes with the notice that each of the licences asks for', () => {
    const notice = /copyright.*permission (is hereby granted|to use, copy)/is
    expect(licences.filter(({ text }) => !notice.test(text))).toEqual([])
  })

  test('asks for nothing from outside but Node itself and what its loaders for code would need', () => {
    const files = readdirSync(dist).filter((file) => file.endsWith('.js'))
    const own = files.map((file) => `./${file}`)
    const imports = files.flatMap((file) => importsOf(file, read(file)))
    const foreign = imports.filter((name) => !isBuiltin(name) && !own.includes(name))
    const known = foreign.map((name) => (/^import\(\w+\)$/.test(name) ? 'import(file)' : name))
    // All of them cosmiconfig's, for configuration that is code: flagadm never has it load any.
    expect([...new Set(known)].sort()).toEqual([
      'import(file)',
      'import-fresh',
      'js-yaml',
      'parse-json',
      'typescript',
    ])
  }, 30_000)
})

test.each([
  ['require("a")', ['a']],
  ['import(`a`)', ['a']],
  ['"import(`a`)"; /require("a")/', []],
  ['require("a" + b); import(a)', ['require("a" + b)', 'import(a)']],
  ['const load = require; load("a")', ['require']],
  ['process.getBuiltinModule("module").createRequire(a)', ['getBuiltinModule', 'createRequire']],
])('the imports of %s are seen', (code, names) => {
  expect(importsOf('a.js', code)).toEqual(names)
})
