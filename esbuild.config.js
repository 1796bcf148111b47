import { rm } from 'node:fs/promises'
import { build } from 'esbuild'

// Commander requires child_process for executable subcommands, which flagadm has none of; it costs
// every start 2 ms.
const withoutChildProcess = {
  name: 'commander-without-child-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'none', namespace: 'empty' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: '' }))
  },
}

await rm('dist', { recursive: true, force: true })
await build({
  entryPoints: ['src/cli.ts'],
  outdir: 'dist',
  bundle: true,
  // Chunks, so that a command loads what it needs and no more.
  splitting: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // Bundled CommonJS packages call require() for Node's own modules.
  banner: {
    js: "import{createRequire as nodeRequire}from'node:module';const require=nodeRequire(import.meta.url);",
  },
  // Cosmiconfig's loaders for code and its own parsers: never called, and so not even shipped.
  external: ['typescript', 'import-fresh', 'js-yaml', 'parse-json'],
  plugins: [withoutChildProcess],
  logLevel: 'warning',
})
