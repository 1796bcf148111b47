import { expect, it } from 'vitest'
import { referencesIn } from '../support/scan.ts'
import { blocksOf, pages } from './pages.ts'

const page = pages.find(({ path }) => path === 'docs/code.md')
const examples = (page ? blocksOf(page) : []).filter(({ code }) => /\bfound\b.*:/.test(code))

const extensions: Record<string, string> = { csharp: 'cs', ruby: 'rb', kotlin: 'kt' }

/** The files of an example, which begin with comments that have their names. */
function filesOf(code: string, language: string): Record<string, string> {
  const [first = '', ...rest] = code.split(/^(?:\/\/|#|<!--) (\w+\.\w+)(?: -->)?$/m)
  if (rest.length === 0) return { [`example.${extensions[language] ?? language}`]: first }
  return Object.fromEntries(
    rest.flatMap((name, index) => (index % 2 === 0 ? [[name, rest[index + 1] ?? '']] : [])),
  )
}

async function found(files: Record<string, string>, options: string) {
  const valuesOf = (option: string) =>
    Array.from(
      options.matchAll(new RegExp(`--${option} '?([^\\s':]+)`, 'g')),
      ([, value = '']) => value,
    )
  const { references, unresolved } = await referencesIn(files, { calls: valuesOf('call') })
  const names = new Set(references.map(({ name, kind }) => `${name} (${kind})`))
  return { names: [...names].sort(), references: references.length, unresolved }
}

it.each(examples)('docs/code.md shows what is found in $language', async ({ code, language }) => {
  const line = /^.*\bfound\b.*$/m.exec(code)?.[0] ?? ''
  const files = filesOf(code.replace(line, ''), language)
  const expected = Array.from(line.matchAll(/([\w-]+) \((call|constant)/g), ([, name, kind]) => {
    return `${name} (${kind})`
  })
  const { names, references, unresolved } = await found(files, line)
  expect([names, unresolved]).toEqual([expected.sort(), []])
  if (line.includes('--')) expect((await found(files, '')).references).toBeLessThan(references)
})
