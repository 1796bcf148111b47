import { readdirSync, readFileSync } from 'node:fs'
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
  // Commander needs it for executable subcommands, which flagadm does not have; loading it takes 2 ms.
  replaceModule('node:child_process', 'export {}', /[\\/]commander[\\/]/),
  // Cosmiconfig needs it only to load TypeScript, which flagadm refuses; loading it takes 3 ms.
  replaceModule('crypto', 'export {}', /[\\/]cosmiconfig[\\/]/),
  // Chalk detects colours with it, which flagadm decides itself; loading the terminal modules takes 2 ms.
  replaceModule('#supports-color', 'export default { stdout: false, stderr: false }'),
  // With DEBUG set, it would print what passes through the proxy agent, including keys.
  replaceModule('debug', 'export default () => () => {}'),
  // The proxy agent uses it for an authentication method that flagadm never selects.
  replaceModule('proxy-agent-negotiate', 'export const createNegotiateAuth = undefined'),
]

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

export default defineConfig({
  input: { cli: 'src/cli.ts' },
  platform: 'node',
  // Cosmiconfig's loaders for code and its own parsers are never called, so they are not bundled.
  external: ['typescript', 'import-fresh', 'js-yaml', 'parse-json'],
  plugins: [...replacements, licences],
  // Chunks, so a command loads only what it needs. CommonJS, since the loader for ES modules takes a
  // tenth of the start-up time.
  output: {
    dir: 'dist',
    format: 'cjs',
    minify: true,
    cleanDir: true,
    // One file for the entry and all that it imports statically: every start loads these modules, and
    // each further file takes a third of a millisecond.
    codeSplitting: {
      groups: [
        { name: 'start', tags: ['$initial'] },
        // Commands that load any of these modules run most of them; those that check settings first need only one.
        { name: 'finding', test: /src[\\/]naming[\\/]finding\.ts/ },
        { name: 'naming', test: /src[\\/]naming[\\/]/ },
      ],
    },
  },
})
