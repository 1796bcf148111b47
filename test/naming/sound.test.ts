import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findingKinds } from '../../src/naming/finding.ts'
import { lintProblems } from '../../src/naming/rule-findings.ts'
import { isPlainlySound } from '../../src/naming/engine/sound.ts'
import { anyPattern, legalName } from './arbitraries.ts'
import { patterns } from './patterns.ts'

const { signal } = new AbortController()

test.each([
  'feat-[a-z]+',
  '[a-z]+(-[a-z]+)*',
  '[a-z][a-z0-9-]{2,48}[a-z0-9]',
  '(feat|fix|chore)-[a-z0-9-]+',
  'team-(web|api|ios)-(exp|ops|perm)-.+',
  '[a-z]+\\.[a-z]+\\.[a-z0-9-]+',
  '(?:billing|search|login|cart|home)(?:-[a-z0-9]+){1,4}',
  '^feat-[a-z]+$',
  'feat-.*-.*',
  '(?:a{1000000000})?b',
  '(?:a{1000000000}){0}b',
])('%s plainly has no errors', async (pattern) => {
  expect(await isPlainlySound({ pattern }, signal)).toBe(true)
})

test.each([
  { rule: { pattern: 'feat-[a-z]+', example: 'fix-a' } },
  { rule: { pattern: 'feat.[a-z]+', example: 'feat/a' } },
  { rule: { pattern: 'feat- ?' } },
  { rule: { pattern: '[a-z]+\\\\' } },
  { rule: { pattern: 'feat-.*|fix-.*' } },
  { rule: { pattern: '(?:[a-z]+)+' } },
  { rule: { pattern: '(?:a?)+' } },
  { rule: { pattern: '(?:a|a)'.repeat(60) } },
  { rule: { pattern: '[a-z]*[a-z]*[a-z]*' } },
  { rule: { pattern: `${'(?:'.repeat(200)}a${'){2}'.repeat(200)}` } },
  { rule: { pattern: '(?:a{60000}){60000}' } },
  { rule: { pattern: 'a{101}' } },
  { rule: { pattern: 'a('.repeat(400) } },
  { rule: { pattern: 'feat/a' } },
  { rule: { pattern: '\\.{1,2}' } },
  { rule: { pattern: '(?=b)[a-z]+' } },
  { rule: { pattern: '(a|-)\\1' } },
  { rule: { pattern: '' } },
])('only the lint can judge $rule', async ({ rule }) => {
  expect(await isPlainlySound(rule, signal)).toBe(false)
})

test.each(patterns)(
  'the lint finds no error in %s if it is plainly sound',
  async (pattern, ...codes) => {
    const errors = codes.filter((code) => findingKinds[code].severity === 'error')
    if (await isPlainlySound({ pattern }, signal)) expect(errors).toEqual([])
  },
)

const part = fc.constantFrom(
  ...[
    'a',
    'feat',
    '-',
    '_',
    '\\.',
    '.',
    '7',
    'é',
    '[a-z]',
    '[A-Z]',
    '[a-z0-9-]',
    '[^-]',
    '\\d',
    '\\w',
  ],
  ...['(?:feat|fix)', '(?:a|ab)', '(?:-|)', '(?:-[a-z]+)', '(?:[a-z]-)', '(?:a?b)', '(?:a{2}|b+)'],
)
const quantifier = fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}', '{0,200}', '*?', '{101}')
const simplePattern = fc
  .array(
    fc.tuple(part, quantifier).map(([text, count]) => `(?:${text})${count}`),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(''))

test('the lint finds no error in any rule that is plainly sound', async () => {
  let sound = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(simplePattern, anyPattern), legalName, async (pattern, example) => {
      for (const rule of [{ pattern }, { pattern, example }]) {
        if (!(await isPlainlySound(rule, signal))) continue
        sound++
        expect(await lintProblems(rule, signal)).toEqual([])
      }
    }),
    { numRuns: 400 },
  )
  expect(sound).toBeGreaterThan(30)
})
