import { expect, it } from 'vitest'
import { languages } from '../../src/code/languages/all.ts'
import { referencesIn } from '../support/scan.ts'

// What `npm run bench` doubles.
const { parts }: { parts: readonly string[] } = await import(
  new URL('../bench/hostile-code.mjs', import.meta.url).href
)
const plain = languages.filter(({ scripts }) => !scripts)
const extensions = [...plain.map((one) => one.extensions.split(' ')[0]), 'vue', 'erb', 'yaml']
const LENGTH = 8 * 1024

// The file after the long text is read as well.
const other = { 'b.py': "client.is_enabled('other')" }

async function namesWith(files: Record<string, string>): Promise<string[]> {
  const { references } = await referencesIn({ ...files, ...other })
  return references.map(({ name }) => name)
}

it.each(extensions)('reads long texts of .%s', async (type) => {
  for (const part of parts) {
    const names = await namesWith({ [`a.${type}`]: part.repeat(LENGTH / part.length) })
    expect([part, names.at(-1)]).toEqual([part, 'other'])
  }
})

// With quadratic work, these would not end.
it.each([' ', '\n', '\t'])('reads a lookup before much white space: %j', async (space) => {
  for (const after of ['x', '?.x', '.x']) {
    const text = `isEnabled${space.repeat(500_000)}${after}`
    expect(await namesWith({ 'a.ts': text })).toEqual(['other'])
  }
})

it('reads many lookups of a constant that is assigned as often', async () => {
  const text = "A = 'x'; isEnabled(A);\n".repeat(2000)
  expect(await namesWith({ 'a.ts': text })).toEqual([...Array(2000).fill('x'), 'other'])
  // It has two values.
  expect(await namesWith({ 'a.ts': `${text}A = 'y';` })).toEqual(['other'])
})

it('reads many calls of a function that is defined as often', async () => {
  const definition = 'function isOn(a) { return isEnabled(a) }\n'
  const call = "isOn('x');\n"
  const text = `${definition}${call}`.repeat(1000)
  expect(await namesWith({ 'a.ts': text })).toEqual([...Array(1000).fill('x'), 'other'])
})
