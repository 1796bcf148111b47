import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

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
  const hashed = Object.keys(packages).filter((name) =>
    packages[name]?.integrity?.startsWith('sha512-'),
  )
  expect(['', ...hashed]).toEqual(Object.keys(packages))
  expect(hashed).not.toEqual([])
})

test('the package has no dependencies, and installing it runs none of its scripts', () => {
  expect(Object.keys(manifest).filter((key) => /dependenc/i.test(key))).toEqual(['devDependencies'])
  const scripts = Object.keys(manifest.scripts)
  // `prepare` runs only in a checkout and when the package is packed.
  const installing = /^(pre|post)?(install|prepare|publish)$/
  expect(scripts.filter((name) => installing.test(name))).toEqual(['prepare'])
})
