import { expect, it } from 'vitest'
import { done, open, refusal } from './support.ts'

const old = { pattern: 'checkout-.+', example: 'checkout-pay', description: 'Team first' }
const nothing = { pattern: null, example: null, description: null }

it.each([
  [{}, {}],
  [{ mode: 'private' }, { mode: 'private' }],
  [{ featureNaming: {} }, {}],
  [{ featureNaming: { pattern: 'x-.+' } }, { featureNaming: { ...nothing, pattern: 'x-.+' } }],
  [
    { featureNaming: { pattern: 'x-.+', example: 'x-1', description: '' } },
    { featureNaming: { ...nothing, pattern: 'x-.+', example: 'x-1' } },
  ],
  [
    { featureNaming: { pattern: '', example: '', description: '' } },
    { featureNaming: { pattern: '', example: '', description: '' } },
  ],
  [{ featureNaming: { pattern: '' } }, { featureNaming: { ...old, pattern: '' } }],
  // A broken pattern without an example, and a literal tab, are accepted, as in the service.
  [{ featureNaming: { pattern: '[a-' } }, { featureNaming: { ...nothing, pattern: '[a-' } }],
  [{ featureNaming: { pattern: 'a\tb' } }, { featureNaming: { ...nothing, pattern: 'a\tb' } }],
  // An example may match one half of a pattern with a top-level alternative.
  [
    { featureNaming: { pattern: 'feat-.*|fix-.*', example: 'zzz-fix-1' } },
    { featureNaming: { ...nothing, pattern: 'feat-.*|fix-.*', example: 'zzz-fix-1' } },
  ],
  [{ linkTemplates: [{ urlTemplate: 'u' }] }, { linkTemplates: [{ urlTemplate: 'u' }] }],
])('sending %j changes %j', async (settings, changed) => {
  const { project, put } = await open()
  expect(await put('checkout', settings)).toEqual(done)
  const before = { id: 'checkout', name: 'checkout', mode: 'protected', featureNaming: old }
  expect(project('checkout')).toEqual({ ...before, linkTemplates: [], ...changed })
})

it('an update without link templates removes them', async () => {
  const { project, put } = await open()
  await put('checkout', { linkTemplates: [{ title: 't', urlTemplate: 'u' }] })
  await put('checkout', { mode: 'open' })
  expect(project('checkout')?.linkTemplates).toEqual([])
})

const modes = '("open" | "protected" | "private")'
const whitespace = 'featureNaming.pattern: must not contain white space'
const mismatch = 'featureNaming.example: does not match the pattern'

it.each<[unknown, string]>([
  [{ mode: 'closed' }, `mode: expected ${modes}`],
  [{ mode: null }, `mode: expected ${modes}`],
  [{ mod: 'open' }, 'mod: unknown field'],
  [JSON.parse('{"__proto__":"open"}'), '__proto__: unknown field'],
  [{ linkTemplates: null }, 'linkTemplates: expected Array'],
  [{ linkTemplates: [{ title: 'a' }] }, 'linkTemplates[0].urlTemplate: missing'],
  [{ linkTemplates: [{ urlTemplate: 'a', url: 'b' }] }, 'linkTemplates[0].url: unknown field'],
  [{ featureNaming: { patern: 'a' } }, 'featureNaming.patern: unknown field'],
  [{ featureNaming: null }, 'featureNaming: expected an object'],
  [{ featureNaming: ['a'] }, 'featureNaming: expected an object'],
  [{ featureNaming: { example: null } }, 'featureNaming.example: expected string'],
  [[], 'expected an object'],
  ['open', 'expected an object'],
  ...['a b', 'a\\tb', 'a\\sb', 'a\\nb', 'a\\rb', 'a\\fb', 'a\\vb'].map(
    (pattern): [object, string] => [{ featureNaming: { pattern } }, whitespace],
  ),
  [{ featureNaming: { example: 'a' } }, 'featureNaming: needs a pattern'],
  [{ featureNaming: { pattern: '', description: 'a' } }, 'featureNaming: needs a pattern'],
  [{ featureNaming: { pattern: 'a', example: 'aa' } }, mismatch],
  [{ featureNaming: { pattern: '[a-', example: 'a' } }, mismatch],
])('%j is refused with 400 and changes nothing', async (settings, problem) => {
  const { project, put } = await open()
  const before = project('checkout')
  expect(await put('checkout', settings)).toEqual(
    refusal(400, 'ValidationError', `Request validation failed: ${problem}`),
  )
  expect(project('checkout')).toEqual(before)
})
