import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/flagadm.ts'
import { importsOf } from './imports.ts'
import { licencesIn } from './licences.ts'

const dist = new URL('../../dist/', import.meta.url)

function read(file: string): string {
  return readFileSync(new URL(file, dist), 'utf8')
}

const licences = licencesIn(read('LICENSES.txt'))

/** Licences that allow distributing the code as long as the notice is included. */
const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']

describe('the bundle', () => {
  // Before adding a package here, check who maintains it and what it depends on.
  test('contains code of these packages only', () => {
    expect(Object.fromEntries(licences.map(({ name, spdx }) => [name, spdx]))).toEqual({
      '@clack/core': 'MIT',
      '@clack/prompts': 'MIT',
      '@colors/colors': 'MIT',
      '@commander-js/extra-typings': 'MIT',
      '@eslint-community/regexpp': 'MIT',
      'agent-base': 'MIT',
      'ansi-regex': 'MIT',
      chalk: 'MIT',
      'cli-table3': 'MIT',
      commander: 'MIT',
      cosmiconfig: 'MIT',
      destr: 'MIT',
      'emoji-regex': 'MIT',
      'env-paths': 'MIT',
      'fast-string-truncated-width': 'MIT',
      'fast-string-width': 'MIT',
      'fast-wrap-ansi': 'MIT',
      'http-proxy-agent': 'MIT',
      'is-fullwidth-code-point': 'MIT',
      ofetch: 'MIT',
      'p-map': 'MIT',
      picomatch: 'MIT',
      sisteransi: 'MIT',
      'string-width': 'MIT',
      'strip-ansi': 'MIT',
      ufo: 'MIT',
      valibot: 'MIT',
      yaml: 'ISC',
    })
  })

  test('contains only packages with permissive licences', () => {
    expect(licences.filter(({ spdx }) => !permissive.includes(spdx))).toEqual([])
  })

  test('includes the notice of every licence', () => {
    const notice = /copyright.*permission (is hereby granted|to use, copy)/is
    expect(licences.filter(({ text }) => !notice.test(text))).toEqual([])
  })

  test('imports only Node.js modules', () => {
    const files = readdirSync(dist).filter((file) => file.endsWith('.js'))
    const own = files.map((file) => `./${file}`)
    const imports = files.flatMap((file) => importsOf(file, read(file)))
    expect(imports.filter((name) => !isBuiltin(name) && !own.includes(name))).toEqual([])
  })
})

const bin = fileURLToPath(new URL('../../bin/flagadm.js', import.meta.url))

test('the YAML parser itself prints nothing', async () => {
  const cwd = await temporaryFolder({ 's.yaml': 'x: !!str a\n' })
  const argv = ['project', 'settings', 'set', 'p', '--file', 's.yaml', '--dry-run']
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [bin, ...argv, '--base-url', 'https://x.test'],
    { cwd, env: { HOME: cwd, LOG_TOKENS: '1', LOG_STREAM: '1' } },
  ).catch((error: { stdout: string; stderr: string }) => error)
  expect([stdout, stderr.split('\n')[0]]).toEqual(['', 'error: s.yaml:1: x: unknown field'])
})

test.each([
  ['require("a")', ['a']],
  ['import(`a`)', ['a']],
  ['"import(`a`)"; /require("a")/', []],
  ['require("a" + b); import(a)', ['require("a" + b)', 'import(a)']],
  ['const load = require; load("a")', ['require']],
  ['process.getBuiltinModule("module").createRequire(a)', ['getBuiltinModule', 'createRequire']],
])('finds the imports of %s', (code, names) => {
  expect(importsOf('a.js', code)).toEqual(names)
})
