import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'

/** A plugin that replaces a whole module for the files whose paths match `importers`. */
function replaceModule(name, code, importers = /(?:)/) {
  const ours = `\0${name}`
  return {
    name: `replace-${name}`,
    resolveId: (id, importer) => (id === name && importers.test(importer) ? ours : undefined),
    load: (id) => (id === ours ? code : undefined),
  }
}

// It cuts the text of each cell letter by letter for a message that is never shown: quadratic for long texts.
const CELL_SUMMARY = 'utils.truncate(this.content, 10, this.truncate)'
const cells = {
  name: 'cells',
  transform(code, id) {
    if (!/[\\/]cli-table3[\\/]src[\\/]cell\.js$/.test(id)) return undefined
    if (!code.includes(CELL_SUMMARY)) throw new Error('cli-table3 has no summary of cells any more')
    return code.replace(CELL_SUMMARY, "''")
  },
}

const replacements = [
  // With DEBUG set, it would print what passes through the proxy agent, including keys.
  replaceModule('debug', 'export default () => () => {}'),
  // They would execute code, or load packages that are not bundled. flagadm has loaders of its own.
  replaceModule('./loaders', 'export default {}', /[\\/]cosmiconfig[\\/]/),
  // It would load a package that is not bundled, for an authentication method that flagadm never selects.
  replaceModule('proxy-agent-negotiate', 'export const createNegotiateAuth = undefined'),
  // It would make a regular expression for each cell of a table.
  replaceModule('strip-ansi', "module.exports = require('node:util').stripVTControlCharacters"),
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

// The text of a file that is imported as `./page.css?raw`, as in Vite.
const texts = {
  name: 'texts',
  resolveId: (id, importer) => (id.endsWith('?raw') ? join(dirname(importer), id) : undefined),
  load: (id) =>
    id.endsWith('?raw')
      ? `export default ${JSON.stringify(readFileSync(id.slice(0, -'?raw'.length), 'utf8'))}`
      : undefined,
}

export default defineConfig({
  input: { cli: 'src/cli/run.ts' },
  platform: 'node',
  logLevel: 'warn',
  plugins: [...replacements, cells, texts, licences],
  // The modules of yaml for Node.js print documents, including keys, if LOG_TOKENS or LOG_STREAM is set. These do
  // not, and are smaller in a bundle.
  resolve: {
    alias: { yaml: fileURLToPath(new URL('node_modules/yaml/browser/index.js', import.meta.url)) },
  },
  // Other files may import from the entry, so that a start loads one file instead of many.
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: 'dist',
    format: 'cjs',
    minify: true,
    cleanDir: true,
    // An import from another chunk is a getter, which a search would call for each byte. Without what these import,
    // which starts need as well.
    codeSplitting: {
      groups: [
        {
          name: 'text-search',
          test: /[\\/]src[\\/]code[\\/](?:text[\\/]|files[\\/]word-filter)/,
        },
      ],
      includeDependenciesRecursively: false,
    },
  },
})
