import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'rolldown'

/** Puts a module of ours in the place of what importers import by that name. */
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
  // For executable subcommands, which flagadm has none of; it costs every start 2 ms.
  replaceModule('node:child_process', 'export {}', /[\\/]commander[\\/]/),
  // It prints what passes through the proxy agent, keys included, when DEBUG is set.
  replaceModule('debug', 'export default () => () => {}'),
  // The proxy agent's log-in with the package kerberos, which only an option that we never set starts.
  replaceModule('proxy-agent-negotiate', 'export const createNegotiateAuth = undefined'),
]

/** The licence's text: a file of its own, else what the readme says of it. */
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

// The licences of what is bundled ask to be passed on.
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

const core =
  /src[\\/](?:(?!connection)[a-z]+|output[\\/](?:terminal|text|writer)|input[\\/]files|commands[\\/](?:feature|help|naming|project|sandbox))\.ts$|[\\/]commander[\\/]|[\\/]extra-typings[\\/]|package\.json$/

export default defineConfig({
  input: { cli: 'src/cli.ts' },
  platform: 'node',
  // Cosmiconfig's loaders for code and its own parsers: never called, and so not even shipped.
  external: ['typescript', 'import-fresh', 'js-yaml', 'parse-json'],
  plugins: [...replacements, licences],
  // Chunks, so that a command loads what it needs and no more; CommonJS, since Node's loader of
  // modules alone would cost a tenth of the start.
  output: {
    dir: 'dist',
    format: 'cjs',
    minify: true,
    cleanDir: true,
    // What every start needs, in one file: each file more takes a third of a millisecond.
    codeSplitting: { groups: [{ name: 'core', test: core }] },
  },
})
