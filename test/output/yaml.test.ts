import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseDocument, parsePlaced } from '../../src/input/document.ts'
import { yamlText } from '../../src/output/yaml.ts'
import { createRedactor } from '../../src/redact.ts'
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
  test.each(hostileTexts.map((text) => [JSON.stringify(text).slice(0, 60), text]))(
    'such as %s',
    async (_title, text) => {
      const data = documentWith(text)
      const yaml = yamlText(data, plain)
      expect(await parseDocument(yaml, { name: 'x', kind: 'usage' })).toEqual(data)
      expect((await parsePlaced(yaml, { name: 'x', kind: 'usage' })).data).toEqual(data)
      expect(parse(yaml, { version: '1.1' })).toEqual(data)
      expect(yaml).not.toMatch(dangerous)
      expect(yaml).not.toContain('##')
      expect(yaml).not.toMatch(/^ *::/m)
    },
  )

  test.each([
    [' \n', 6],
    [' \n\t', 4],
    [' \na#', 4],
    ['\n\r-:', 3],
  ])('if it is any text of the letters %j with at most %i', async (letters, length) => {
    for (const text of shortTexts(letters, length)) {
      const data = documentWith(text)
      const yaml = yamlText(data, plain)
      expect([text, await parseDocument(yaml, { name: 'x', kind: 'usage' })]).toEqual([text, data])
      expect([text, parse(yaml, { version: '1.1' })]).toEqual([text, data])
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
})
