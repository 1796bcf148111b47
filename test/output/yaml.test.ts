import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseDocument } from '../../src/input/document.ts'
import { yamlText } from '../../src/output/yaml.ts'
import { createRedactor } from '../../src/output/redact.ts'
import { hostileTexts } from '../support/hostile-settings.ts'
import { codePoint, shortTexts } from '../support/text.ts'

// Characters that a terminal acts on or hides, except line feeds.
const dangerous = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const plain = createRedactor()

/** A document with a text as key and in every kind of place. */
function documentWith(text: string) {
  return {
    projects: {
      [text || 'x']: {
        featureNaming: { pattern: text, description: text },
        linkTemplates: [{ title: text, urlTemplate: text }],
      },
    },
  }
}

describe('a text keeps its value', () => {
  const letters: [string, number][] = [
    [' \n', 5],
    [' \n\t', 3],
    [' \na#', 2],
    ['\n\r-:', 2],
  ]

  test('if it is hostile, or any text of a few letters that matter', async () => {
    const short = letters.flatMap(([unit, length]) => shortTexts(unit, length))
    for (const text of [...hostileTexts, ...short]) {
      const data = documentWith(text)
      const yaml = yamlText(data, plain)
      expect([text, await parseDocument(yaml, { name: 'x', kind: 'usage' })]).toEqual([text, data])
      expect([text, parse(yaml, { version: '1.1' })]).toEqual([text, data])
      expect(yaml).not.toMatch(dangerous)
      expect(yaml).not.toMatch(/##|^ *::/m)
    }
  })

  test('with any content', async () => {
    const unit = fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom(...hostileTexts))
    const texts = fc.array(unit, { maxLength: 4 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const data = documentWith(text)
        expect(await parseDocument(yamlText(data, plain), { name: 'x', kind: 'usage' })).toEqual(
          data,
        )
        expect(yamlText(data, plain)).not.toMatch(dangerous)
      }),
    )
  })
})

test('a text of several lines is a block', () => {
  expect(yamlText({ description: 'one\ntwo\n' }, plain)).toBe('description: |\n  one\n  two\n')
  expect(yamlText({ description: 'one\ntwo' }, plain)).toBe('description: |-\n  one\n  two\n')
})

test('a text that YAML 1.1 would not read as a text is quoted', () => {
  expect(yamlText({ a: 'yes', b: 'on', c: '1:30' }, plain)).toBe('a: "yes"\nb: "on"\nc: "1:30"\n')
  expect(yamlText({ '=': '=', b: '==' }, plain)).toBe('"=": "="\nb: ==\n')
})
