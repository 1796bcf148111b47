import { expect, test } from 'vitest'
import { done, put, refusal, withSandbox } from './support.ts'

const checkout = { id: 'checkout', name: 'checkout', linkTemplates: [] }
const checkoutRule = {
  pattern: 'checkout-.+',
  example: 'checkout-pay',
  description: 'Team first',
}

test('a new mode gets 200 without a body, and keeps the naming rule', () =>
  withSandbox(async (sandbox) => {
    expect(await put(sandbox, 'checkout', { mode: 'private' })).toEqual(done)
    expect(sandbox.project('checkout')).toEqual({
      ...checkout,
      mode: 'private',
      featureNaming: checkoutRule,
    })
  }))

test('a new naming rule keeps the mode', () =>
  withSandbox(async (sandbox) => {
    const featureNaming = { pattern: 'a+', example: 'aa', description: 'one\ntwo' }
    expect(await put(sandbox, 'checkout', { featureNaming })).toEqual(done)
    expect(sandbox.project('checkout')).toEqual({
      ...checkout,
      mode: 'protected',
      featureNaming,
    })
  }))

test.each([
  [{}, checkoutRule],
  [{ featureNaming: {} }, checkoutRule],
  [{ featureNaming: { pattern: 'x-.+' } }, { pattern: 'x-.+', example: null, description: null }],
  [
    { featureNaming: { pattern: 'x-.+', example: 'x-1' } },
    { pattern: 'x-.+', example: 'x-1', description: null },
  ],
  [
    { featureNaming: { pattern: '', example: '', description: '' } },
    { pattern: '', example: '', description: '' },
  ],
  [
    { featureNaming: { pattern: 'x-.+', example: '', description: '' } },
    { pattern: 'x-.+', example: null, description: null },
  ],
  [
    { featureNaming: { pattern: '' } },
    { pattern: '', example: 'checkout-pay', description: 'Team first' },
  ],
])('a project with a rule that is sent %j keeps %j', (settings, kept) =>
  withSandbox(async (sandbox) => {
    expect(await put(sandbox, 'checkout', settings)).toEqual(done)
    expect(sandbox.project('checkout')?.featureNaming).toEqual(kept)
  }),
)

test('a pattern that does not compile is accepted without an example', () =>
  withSandbox(async (sandbox) => {
    expect(await put(sandbox, 'default', { featureNaming: { pattern: '[a-' } })).toEqual(done)
    expect(sandbox.project('default')?.featureNaming.pattern).toBe('[a-')
  }))

test('an example may match one half of a pattern with a top-level alternative', () =>
  withSandbox(async (sandbox) => {
    const featureNaming = { pattern: 'feat-.*|fix-.*', example: 'zzz-fix-1' }
    expect(await put(sandbox, 'default', { featureNaming })).toEqual(done)
  }))

test('a literal tab in a pattern is accepted, as in the service', () =>
  withSandbox(async (sandbox) => {
    expect(await put(sandbox, 'default', { featureNaming: { pattern: 'a\tb' } })).toEqual(done)
  }))

const modes = '("open" | "protected" | "private")'
const whitespace = 'featureNaming.pattern: must not contain white space'

test.each([
  [{ mode: 'closed' }, `mode: expected ${modes}`],
  [{ mode: 3 }, `mode: expected ${modes}`],
  [{ mode: null }, `mode: expected ${modes}`],
  [{ mod: 'open' }, 'mod: unknown field'],
  [{ linkTemplates: null }, 'linkTemplates: expected Array'],
  [{ linkTemplates: {} }, 'linkTemplates: expected Array'],
  [{ linkTemplates: ['a'] }, 'linkTemplates[0]: expected an object'],
  [{ linkTemplates: [{ title: 'a' }] }, 'linkTemplates[0].urlTemplate: missing'],
  [{ linkTemplates: [{ urlTemplate: null }] }, 'linkTemplates[0].urlTemplate: expected string'],
  [{ linkTemplates: [{ urlTemplate: 'a', url: 'b' }] }, 'linkTemplates[0].url: unknown field'],
  [{ featureNaming: { patern: 'a' } }, 'featureNaming.patern: unknown field'],
  [{ featureNaming: 'a' }, 'featureNaming: expected an object'],
  [{ featureNaming: null }, 'featureNaming: expected an object'],
  [{ featureNaming: ['a'] }, 'featureNaming: expected an object'],
  [{ featureNaming: { pattern: 1 } }, 'featureNaming.pattern: expected string'],
  [{ featureNaming: { example: null } }, 'featureNaming.example: expected string'],
  [{ featureNaming: { description: {} } }, 'featureNaming.description: expected string'],
  [[], 'expected an object'],
  ['open', 'expected an object'],
  [null, 'expected an object'],
  [{ featureNaming: { pattern: 'a b' } }, whitespace],
  [{ featureNaming: { pattern: 'a\\tb' } }, whitespace],
  [{ featureNaming: { pattern: 'a\\sb' } }, whitespace],
  [{ featureNaming: { pattern: 'a\\nb' } }, whitespace],
  [{ featureNaming: { pattern: 'a\\rb' } }, whitespace],
  [{ featureNaming: { pattern: 'a\\fb' } }, whitespace],
  [{ featureNaming: { pattern: 'a\\vb' } }, whitespace],
  [{ featureNaming: { example: 'a' } }, 'featureNaming: needs a pattern'],
  [{ featureNaming: { pattern: '', example: 'a' } }, 'featureNaming: needs a pattern'],
  [{ featureNaming: { description: 'a' } }, 'featureNaming: needs a pattern'],
  [
    { featureNaming: { pattern: 'a', example: 'aa' } },
    'featureNaming.example: does not match the pattern',
  ],
  [
    { featureNaming: { pattern: '[a-', example: 'a' } },
    'featureNaming.example: does not match the pattern',
  ],
])('%j is refused with 400 and changes nothing', (settings, problem) =>
  withSandbox(async (sandbox) => {
    const before = sandbox.project('checkout')
    expect(await put(sandbox, 'checkout', settings)).toEqual(
      refusal(400, 'ValidationError', `Request validation failed: ${problem}`),
    )
    expect(sandbox.project('checkout')).toEqual(before)
  }),
)

test.each(['__proto__', 'constructor', 'toString'])(
  'a property called %s is refused like any unknown one',
  (name) =>
    withSandbox(async (sandbox) => {
      const settings = Object.fromEntries([[name, 'open']])
      expect(await put(sandbox, 'default', settings)).toEqual(
        refusal(400, 'ValidationError', `Request validation failed: ${name}: unknown field`),
      )
    }),
)

test('a project id is percent-decoded', () =>
  withSandbox(async (sandbox) => {
    expect(await put(sandbox, 'team%20a%2Fb', { mode: 'private' })).toEqual(done)
    expect(sandbox.project('team a/b')?.mode).toBe('private')
  }))
