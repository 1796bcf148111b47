import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'rolldown'

// Commander requires child_process for executable subcommands, which flagadm has none of; it costs
// every start 2 ms.
const commanderWithoutChildProcess = {
  name: 'commander-without-child-process',
  resolveId: {
    filter: { id: /^node:child_process$/ },
    handler: (_id, importer) => (/[\\/]commander[\\/]/.test(importer) ? '\0empty' : undefined),
  },
  load: { filter: { id: /^\0empty$/ }, handler: () => 'export {}' },
}

// It prints what passes through the proxy agent, keys included, when DEBUG is set.
const withoutDebug = {
  name: 'without-debug',
  resolveId: { filter: { id: /^debug$/ }, handler: () => '\0debug' },
  load: { filter: { id: /^\0debug$/ }, handler: () => 'export default () => () => {}' },
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`
  return `${name} ${version}\n\n${text}\n`
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
  /src[\\/](?:(?!connection)[a-z]+|output[\\/](?:text|redact|writer)|input[\\/]files|commands[\\/](?:feature|naming|project|sandbox))\.ts$|[\\/]commander[\\/]|[\\/]extra-typings[\\/]|package\.json$/

export default defineConfig({
  input: { cli: 'src/cli.ts' },
  platform: 'node',
  // Cosmiconfig's loaders for code and its own parsers: never called, and so not even shipped.
  external: ['typescript', 'import-fresh', 'js-yaml', 'parse-json'],
  plugins: [commanderWithoutChildProcess, withoutDebug, licences],
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
