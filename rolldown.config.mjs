import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { defineConfig } from 'rolldown'

/** A plugin that replaces the module of this name in the files whose paths match `importers`. */
function replaceModule(name, code, importers = /(?:)/) {
  const ours = `\0${name}`
  return {
    name: `replace-${name}`,
    resolveId: {
      filter: { id: new RegExp(`^${name}$`) },
      handler: (_id, importer) => (importers.test(importer) ? ours : undefined),
    },
    load: { handler: (id) => (id === ours ? code : undefined) },
  }
}

const replacements = [
  // Cosmiconfig needs it only to load TypeScript, which flagadm refuses; loading it takes 3 ms.
  replaceModule('crypto', 'export {}', /[\\/]cosmiconfig[\\/]/),
  // Chalk detects colours with it, which flagadm decides itself; loading the terminal modules takes 2 ms.
  replaceModule('#supports-color', 'export default { stdout: false, stderr: false }'),
  // With DEBUG set, it would print what passes through the proxy agent, including keys.
  replaceModule('debug', 'export default () => () => {}'),
  // The proxy agent uses it for an authentication method that flagadm never selects.
  replaceModule('proxy-agent-negotiate', 'export const createNegotiateAuth = undefined'),
]

/**
 * Bundles commander as ES modules. Node.js 20 would parse the functions around CommonJS modules twice,
 * which takes a millisecond. Leaves out the modules for executable subcommands, which flagadm does not
 * have, and extra-typings, which adds only types.
 */
const commander = {
  name: 'commander',
  resolveId: {
    filter: { id: /^@commander-js\/extra-typings$/ },
    handler: () => createRequire(import.meta.url).resolve('commander'),
  },
  transform: {
    filter: { id: /[\\/]commander[\\/](?:index|lib[\\/]\w+)\.js$/ },
    handler: (code) =>
      code
        .replace(/^const (\w+) = require\('(node:\w+)'\)\.\1;$/gm, "import { $1 } from '$2'")
        .replace(/^const \w+ = require\('node:.*$/gm, '')
        .replace(/^const ({.*}) = require\('(.*?)(?:\.js)?'\);$/gm, "import $1 from '$2.js'")
        .replace(/^exports\.(\w+) = \1;/gm, 'export { $1 };')
        .replace(/^exports\.(\w+) = /gm, 'export const $1 = '),
  },
}

/**
 * Bundles the ES modules of yaml, which are for browsers, so that only what is used is bundled. Those for
 * Node.js read a variable of the environment for each token. Warnings are never printed, and base64 is
 * decoded as in Node.js.
 */
const yaml = {
  name: 'yaml',
  resolveId: {
    filter: { id: /^yaml$/ },
    handler: () =>
      join(createRequire(import.meta.url).resolve('yaml/package.json'), '../browser/dist/index.js'),
  },
  transform: {
    filter: {
      id: /[\\/]yaml[\\/]browser[\\/]dist[\\/](?:log|schema[\\/]yaml-1\.1[\\/]binary)\.js$/,
    },
    handler: (code, id) =>
      id.endsWith('log.js')
        ? 'export const debug = () => {}; export const warn = debug'
        : code.replace('resolve(src, onError) {', "$& return Buffer.from(src, 'base64');"),
  },
}

/** The text of a package's licence: its licence file, otherwise the section in its readme. */
function licenceText(folder) {
  const read = (names) => {
    const file = readdirSync(folder).find((entry) => names.test(entry))
    return file ? readFileSync(join(folder, file), 'utf8').trim() : ''
  }
  const [section = ''] = /^#* *licen[cs]e.*/ims.exec(read(/^readme/i)) ?? []
  return read(/^licen[cs]e/i) || section
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name} ${version}: ${license}\n\n${licenceText(folder)}\n`
}

// The licences of bundled packages require that their texts are distributed with the code.
const licences = {
  name: 'licences',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds)
    const folders = modules.flatMap(
      (id) => /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? [],
    )
    const source = [...new Set(folders)]
      .sort()
      .map(licenceOf)
      .join(`\n${'-'.repeat(72)}\n\n`)
    this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source })
  },
}

/** A chunk of these modules in `src` and their imports. A module belongs to the first group that includes it. */
function group(name, modules) {
  const paths = modules.map((module) => module.replace('/', String.raw`[\\/]`))
  return { name, test: new RegExp(String.raw`[\\/]src[\\/](?:${paths.join('|')})\.ts$`) }
}

// Rolldown makes the entry load its runtime, although the entry does not use it.
const unusedRuntime = {
  name: 'unused-runtime',
  generateBundle(_options, bundle) {
    const entry = bundle['cli.js']
    entry.code = entry.code.replace(/,require\("\.\/rolldown-runtime-[\w-]+\.js"\);/, ';')
  },
}

export default defineConfig({
  input: { cli: 'src/cli.ts' },
  platform: 'node',
  // Lets the other chunks import from the entry, so that it needs no file of its own.
  preserveEntrySignatures: 'allow-extension',
  // Cosmiconfig's loaders for code and its own parsers are never called, so they are not bundled.
  external: ['typescript', 'import-fresh', 'js-yaml', 'parse-json'],
  plugins: [commander, yaml, ...replacements, unusedRuntime, licences],
  // Chunks, so a command loads only what it needs. CommonJS, since the loader for ES modules takes a
  // tenth of the start-up time.
  output: {
    dir: 'dist',
    format: 'cjs',
    minify: true,
    // V8 stores text with other characters in two bytes each.
    charset: 'ascii',
    // With import(), even a module of Node.js would need the loader for ES modules.
    dynamicImportInCjs: false,
    cleanDir: true,
    // Each further file takes a third of a millisecond. Group what is loaded together; a group includes
    // all that its modules import statically.
    codeSplitting: {
      groups: [
        // Every start, with small modules that most commands need.
        group('start', ['cli', 'input/values', 'output/json', 'profile/places', 'service/modes']),
        // Checks of data, which commands without requests need, too.
        group('shape', ['input/shape', 'input/document']),
        group('yaml', ['input/yaml']),
        // Every command that sends requests.
        group('request', ['connection', 'commands/project-flags', 'output/blocks', 'usage/past']),
        // Small modules of several reports.
        group('words', ['output/markdown', 'output/numbers', 'output/relations']),
        // Enough for commands that only check the rule in settings.
        group('rule', ['naming/sound', 'naming/finding']),
        // Files of settings, which are read without requests, too.
        group('settings-input', ['commands/settings-input']),
        group('settings', ['commands/settings-get', 'commands/settings-plan']),
        // Other commands run most of the naming code.
        { name: 'naming', test: /[\\/]src[\\/]naming[\\/]/ },
      ],
    },
  },
})
