import { expect, it } from 'vitest'
import { done, open, refusal } from './support.ts'

const old = { pattern: 'checkout-.+', example: 'checkout-pay', description: 'Team first' }
const nothing = { pattern: null, example: null, description: null }

it.each([
  [{ mode: 'private' }, { mode: 'private' }],
  [{ featureNaming: { pattern: '' } }, { featureNaming: { ...old, pattern: '' } }],
  // A broken pattern without an example, and a literal tab, are accepted, as in the service.
  [{ featureNaming: { pattern: '[a-' } }, { featureNaming: { ...nothing, pattern: '[a-' } }],
  [{ featureNaming: { pattern: 'a\tb' } }, { featureNaming: { ...nothing, pattern: 'a\tb' } }],
  // An example may match one half of a pattern with a top-level alternative.
  [
    { featureNaming: { pattern: 'feat-.*|fix-.*', example: 'zzz-fix-1' } },
    { featureNaming: { ...nothing, pattern: 'feat-.*|fix-.*', example: 'zzz-fix-1' } },
  ],
])('sending %j changes %j', async (settings, changed) => {
  const { project, put } = await open()
  expect(await put('checkout', settings)).toEqual(done)
  const before = { id: 'checkout', name: 'checkout', mode: 'protected', featureNaming: old }
  expect(project('checkout')).toEqual({
    ...before,
    linkTemplates: [],
    ...changed,
  })
})

const modes = '"open" or "protected" or "private"'
const whitespace = 'featureNaming.pattern: must not contain white space'
const mismatch = 'featureNaming.example: does not match the pattern'

it.each<[unknown, string]>([
  [{ mode: 'closed' }, `mode: expected ${modes}`],
  [{ mod: 'open' }, 'mod: unknown field'],
  [{ linkTemplates: [{ title: 'a' }] }, 'linkTemplates[0].urlTemplate: missing'],
  [{ featureNaming: { patern: 'a' } }, 'featureNaming.patern: unknown field'],
  [[], 'expected an object'],
  ...['a b', 'a\\tb', 'a\\sb', 'a\\nb', 'a\\rb', 'a\\fb', 'a\\vb'].map(
    (pattern): [object, string] => [{ featureNaming: { pattern } }, whitespace],
  ),
  [{ featureNaming: { example: 'a' } }, 'featureNaming: needs a pattern'],
  [{ featureNaming: { pattern: 'a', example: 'aa' } }, mismatch],
])('%j is refused with 400 and changes nothing', async (settings, problem) => {
  const { project, put } = await open()
  const before = project('checkout')
  expect(await put('checkout', settings)).toEqual(
    refusal(400, 'ValidationError', `Request validation failed: ${problem}`),
  )
  expect(project('checkout')).toEqual(before)
})
