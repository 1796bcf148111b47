import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { npm } from './npm.ts'

const MAX_SIZE = 350_000

const packedSchema = v.object({ size: v.number(), files: v.array(v.object({ path: v.string() })) })

async function pack(): Promise<v.InferOutput<typeof packedSchema>> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  // Without scripts, because `prepare` would delete dist while other tests use it.
  const printed = await npm(['pack', '--dry-run', '--json', '--ignore-scripts'], root)
  // npm prints an array up to version 11, and an object from version 12 on.
  return v.parse(v.tuple([packedSchema]), Object.values(JSON.parse(printed)))[0]
}

const lockSchema = v.object({
  packages: v.record(v.string(), v.object({ integrity: v.optional(v.string()) })),
})

test.each([
  'package-lock.json',
  'test/service/package-lock.json',
  'test/windows/package-lock.json',
])('every package in %s has an integrity hash', async (path) => {
  const text = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
  const { packages } = v.parse(lockSchema, JSON.parse(text))
  const { '': root, ...others } = packages
  const without = Object.keys(others).filter(
    (name) => !others[name]?.integrity?.startsWith('sha512-'),
  )
  expect([root, without]).toEqual([{}, []])
  expect(Object.keys(others)).not.toEqual([])
})

test('the package has no dependencies', () => {
  const kinds = Object.keys(manifest).filter((key) => /dependenc/i.test(key))
  expect(kinds).toEqual(['devDependencies'])
})

test('installing the package runs none of its scripts', () => {
  const scripts = Object.keys(manifest.scripts)
  expect(scripts.filter((name) => /^(pre|post)?(install|prepare|publish)$/.test(name))).toEqual([
    // Runs only in a checkout and when the package is packed.
    'prepare',
  ])
})

test('the package contains the built program and its documentation, in under 350 kB', async () => {
  const { size, files } = await pack()
  const names = files.map(({ path }) =>
    path.replace(/^dist\/[\w-]+-[\w-]{8}\.js$/, 'dist/name-hash.js'),
  )
  expect([...new Set(names)].sort()).toEqual([
    'LICENSE',
    'README.md',
    'bin/flagadm.js',
    'dist/LICENSES.txt',
    'dist/cli.js',
    'dist/name-hash.js',
    'package.json',
    'schemas/configuration.schema.json',
    'schemas/plan.schema.json',
    'schemas/seed.schema.json',
    'schemas/settings.schema.json',
  ])
  expect(size).toBeLessThan(MAX_SIZE)
})
