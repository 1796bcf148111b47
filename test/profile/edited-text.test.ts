import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Document, parse, parseDocument, visit } from 'yaml'
import { editedText, setDefault } from '../../src/profile/edit.ts'
import { flagadm } from '../support/flagadm.ts'
import { shortTexts } from '../support/text.ts'

const profiles = { a: { baseUrl: 'https://a.test' } }
const texts = [...shortTexts(' \n\t', 3), ...shortTexts('\n a', 3)]

async function expectOnlyDefault(before: string): Promise<void> {
  const after = await editedText('/x/config.yaml', before, (root) => setDefault(root, 'a'))
  expect([before, parse(after)]).toEqual([before, { ...parse(before), defaultProfile: 'a' }])
}

describe('a change keeps the value of every other text', () => {
  test.each(['|+', '|2', '|2-', '|2+', '>2', '>2+'])(
    'in a block that begins with %s',
    async (head) => {
      for (const text of texts) {
        const lines = text.split('\n').map((line) => `    ${line}\n`)
        const naming = `naming:\n  description: ${head}\n${lines.join('')}  pattern: a\n`
        const before = `profiles: ${JSON.stringify(profiles)}\n${naming}`
        if (parseDocument(before).errors.length === 0) await expectOnlyDefault(before)
      }
    },
  )

  test.each(['QUOTE_DOUBLE', 'QUOTE_SINGLE', 'PLAIN'] as const)('of the type %s', async (type) => {
    for (const description of texts) {
      const document = new Document({ profiles, naming: { pattern: 'a', description } })
      visit(document, {
        Scalar(key, scalar) {
          if (key === 'value') scalar.type = type
        },
      })
      await expectOnlyDefault(document.toString({ lineWidth: 0 }))
    }
  })
})

test('profile use keeps a description of blanks', async () => {
  const text = `profiles:\n  a:\n    baseUrl: https://a.test\nnaming:\n  pattern: x\n  description: |2+\n     \t\n`
  const path = 'home/.config/flagadm/config.yaml'
  const { code, folder } = await flagadm(['profile', 'use', 'a'], { files: { [path]: text } })
  const { naming } = parse(await readFile(join(folder, path), 'utf8'))
  expect([code, naming]).toEqual([0, { pattern: 'x', description: ' \t\n' }])
})
