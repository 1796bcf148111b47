import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type OutputChunk, rolldown } from 'rolldown'
import { loadConfig } from 'rolldown/config'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { CANARY, temporaryFolder } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'
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

  test('imports only Node.js modules, and the packages of unused configuration loaders', () => {
    const files = readdirSync(dist).filter((file) => file.endsWith('.js'))
    const own = files.map((file) => `./${file}`)
    const imports = files.flatMap((file) => importsOf(file, read(file)))
    const foreign = imports.filter((name) => !isBuiltin(name) && !own.includes(name))
    const known = foreign.map((name) => (/^require\(\w+\)$/.test(name) ? 'require(file)' : name))
    // These belong to cosmiconfig's loaders for code, which flagadm never calls.
    expect([...new Set(known)].sort()).toEqual([
      'import-fresh',
      'js-yaml',
      'parse-json',
      'require(file)',
      'typescript',
    ])
  })
})

const MAX_START_BYTES = 72_000

async function buildStartChunk(): Promise<OutputChunk> {
  const path = fileURLToPath(new URL('../../rolldown.config.mjs', import.meta.url))
  const config = await loadConfig(path)
  if (Array.isArray(config) || typeof config === 'function') throw new Error('expected one build')
  const bundle = await rolldown(config)
  if (Array.isArray(config.output)) throw new Error('expected one output')
  const { output } = await bundle.generate(config.output)
  for (const chunk of output) {
    if (chunk.type === 'chunk' && chunk.isEntry) return chunk
  }
  throw new Error('no start-up chunk')
}

describe('the start-up chunk', () => {
  let chunk: OutputChunk
  beforeAll(async () => {
    chunk = await buildStartChunk()
  })

  test('contains no library except commander', () => {
    const packages = chunk.moduleIds.flatMap(
      (id) => /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1] ?? [],
    )
    expect([...new Set(packages)].sort()).toEqual(['commander'])
  })

  test(`is at most ${MAX_START_BYTES} bytes long`, () => {
    expect(Buffer.byteLength(chunk.code)).toBeLessThanOrEqual(MAX_START_BYTES)
  })

  test('is all that start-up loads, with no network or process module of Node.js', async () => {
    const report = `require(process.argv[1])
      const heavy = / (?:https?|tls|net|zlib|child_process|worker_threads)$/
      const builtins = process.moduleLoadList.filter((name) => heavy.test(name))
      console.log(JSON.stringify([Object.keys(require.cache), builtins]))`
    const argv = ['-e', report, fileURLToPath(new URL('cli.js', dist))]
    const { stdout } = await promisify(execFile)(process.execPath, argv, { env: {} })
    const list = v.array(v.string())
    const [files, builtins] = v.parse(v.tuple([list, list]), JSON.parse(stdout))
    expect([files.map((file) => basename(file)), builtins]).toEqual([['cli.js'], []])
  })
})

const MAX_COMPLETION_BYTES = MAX_START_BYTES + 20_000

const bin = fileURLToPath(new URL('../../bin/flagadm.js', import.meta.url))

/** Runs flagadm, and returns the files and modules of Node.js that it loads. */
async function loadedBy(argv: readonly string[], cwd: string, env: Record<string, string>) {
  const report = `process.argv.splice(1, 0, 'node')
    process.on('exit', () => {
      const builtins = process.moduleLoadList.flatMap((entry) => /^NativeModule (.*)/.exec(entry)?.[1] ?? [])
      console.error(JSON.stringify([Object.keys(require.cache), builtins]))
    })
    require(${JSON.stringify(bin)})`
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-e', report, ...argv], {
    cwd,
    env: { ...env, HOME: cwd, NODE_DISABLE_COMPILE_CACHE: '1' },
  })
  const list = v.array(v.string())
  const [files, builtins] = v.parse(v.tuple([list, list]), JSON.parse(stderr))
  return { stdout, files, builtins }
}

describe('a request with --json', () => {
  test('loads no reader of configuration, no colours and few files', async () => {
    const { url } = await serve((response) => json(response, 200, someUsage))
    const folder = await temporaryFolder({ 'package.json': '{"name": "some-project"}' })
    const argv = ['feature', 'usage', 'some-flag', '--json']
    const env = { FLAGADM_BASE_URL: url, FLAGADM_API_KEY: CANARY }
    const { stdout, files, builtins } = await loadedBy(argv, folder, env)
    expect(JSON.parse(stdout)).toEqual(someUsage)
    const names = files.map((file) => basename(file).replace(/(?:-[\w-]{8})?\.js$/, ''))
    expect(names.sort()).toEqual([
      'cli',
      'feature',
      'feature-usage',
      'flagadm',
      'names',
      'request',
      'rolldown-runtime',
      'shape',
    ])
    const heavy = [
      'fs/promises',
      'https',
      'os',
      'perf_hooks',
      'readline',
      'timers/promises',
      'zlib',
    ]
    expect(heavy.filter((name) => builtins.includes(name))).toEqual([])
  })
})

describe('a completion', () => {
  test.each([
    ['commands', 'flagadm ', 'feature\t'],
    ['options', 'flagadm feature usage --conc', 'urrency\t'],
    ['formats', 'flagadm naming check -o sar', 'if\t'],
    ['profiles', 'flagadm -p sta', 'ging\t'],
  ])('of %s loads no parser, no network and no process module', async (_what, line, offered) => {
    const home = await temporaryFolder({
      '.config/flagadm/config.yaml': 'profiles:\n  staging:\n    baseUrl: https://a.example\n',
    })
    const argv = ['complete', '--line', line]
    const { stdout, files, builtins } = await loadedBy(argv, home, {})
    expect(stdout).toContain(offered)
    const heavy = ['http', 'https', 'tls', 'zlib', 'child_process', 'worker_threads']
    expect(heavy.filter((name) => builtins.includes(name))).toEqual([])
    const bytes = files.map((file) => statSync(file).size).reduce((sum, size) => sum + size)
    expect(bytes).toBeLessThanOrEqual(MAX_COMPLETION_BYTES)
  })
})

test('the YAML parser itself prints nothing', async () => {
  const cwd = await temporaryFolder({ 's.yaml': 'x: !unknown a\n' })
  const argv = ['project', 'settings', 'set', 'p', '--from-file', 's.yaml', '--dry-run']
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [bin, ...argv, '--base-url', 'https://x.test'],
    { cwd, env: { HOME: cwd, LOG_TOKENS: '1', LOG_STREAM: '1' } },
  ).catch((error: { stdout: string; stderr: string }) => error)
  expect([stdout, stderr.split('\n')[0]]).toEqual(['', 'error: s.yaml: x: unknown field'])
})

describe('a plan', () => {
  const report = `process.argv.splice(1, 0, 'node')
    process.on('exit', () => console.error(JSON.stringify(Object.keys(require.cache))))
    require(${JSON.stringify(bin)})`
  // The service does not have this project, so nothing is compared.
  const yaml = 'projects:\n  other:\n    featureNaming:\n      pattern: '
  const parser = 'Map keys must be unique'
  const lint = 'no legal flag name can match'

  test.each([
    ['JSON with a sound rule', '{"projects":{"other":{"featureNaming":{"pattern":"a+"}}}}', []],
    ['YAML with a sound rule', `${yaml}checkout-[a-z]+(-[a-z]+)*\n`, [parser]],
    ['YAML with a rule that is not simple', `${yaml}checkout-(?!x)[a-z]+\n`, [parser, lint]],
  ])('of %s loads a parser or the lint only if needed', async (_what, text, expected) => {
    const cwd = await temporaryFolder({ 'flags.yaml': text })
    const argv = ['project', 'settings', 'plan', '-f', 'flags.yaml', '--no-color', '-p', 'sandbox']
    const { stderr } = await promisify(execFile)(process.execPath, ['-e', report, ...argv], {
      cwd,
      env: { HOME: cwd, NODE_DISABLE_COMPILE_CACHE: '1' },
    }).catch((error: { stderr: string }) => error)
    const files = v.parse(v.array(v.string()), JSON.parse(stderr.trim().split('\n').at(-1) ?? ''))
    const code = files.map((file) => readFileSync(file, 'utf8')).join('\n')
    expect([parser, lint].filter((part) => code.includes(part))).toEqual(expected)
  })
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
