import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Budget } from '../../src/naming/analysis/budget.ts'
import { relate } from '../../src/naming/analysis/relation.ts'
import { isLegalName } from '../../src/input/flag-names.ts'
import type { FindingCode } from '../../src/naming/finding-kinds.ts'
import { lintProblems, lintRule } from '../../src/naming/findings.ts'
import { createNameMatcher } from '../../src/naming/rule.ts'
import { anyPattern } from './arbitraries.ts'
import { flagadm } from '../support/flagadm.ts'
import { engineVerdicts, verdictOn, wronglyShown } from './engine.ts'

const { signal } = new AbortController()

async function findingsOf(pattern: string) {
  const { findings } = await lintRule({ pattern, description: 'why' }, signal)
  return findings.filter(({ code }) => code !== 'no-example')
}

const branches = Array.from({ length: 150 }, (_, i) => `${'long-team-'.repeat(6)}${i}-.*`)

type Hostile = [title: string, pattern: string, ...codes: FindingCode[]]

const decided: Hostile[] = [
  ['nested quantifiers', '((a*)*)*b', 'catastrophic'],
  ['a slow back-reference', '(a*)*\\1b', 'catastrophic'],
  ['huge counts', '(?:a{1,100000}b){1,100000}'],
  ['a huge least count', '(?:[a-z]{3}){1000000}', 'unsatisfiable'],
  ['ten kilobytes of text', 'x'.repeat(10_000), 'unsatisfiable'],
  ['an automaton of a million states', '[ab]*a[ab]{20}', 'cannot-decide'],
  ['3,000 open groups', '(a|'.repeat(3000), 'no-compile'],
  ['5,000 nested groups', `${'('.repeat(5000)}a${')'.repeat(5000)}`, 'cannot-decide'],
  ['1,900 nested look-behinds', `${'(?<='.repeat(1900)}a${')'.repeat(1900)}b`, 'cannot-decide'],
]

test.each(decided)('a pattern of %s has exactly its findings', async (_, pattern, ...codes) => {
  expect((await findingsOf(pattern)).map(({ code }) => code)).toEqual(codes)
})

// Some depend on the version of the engine.
const heavy: Hostile[] = [
  [
    '200 nested quantifiers',
    `${'('.repeat(200)}a${')*'.repeat(200)}b`,
    'catastrophic',
    'cannot-decide',
  ],
  ['counts of counts', '(((((a?){30}){30}){30}){30}){30}', 'catastrophic', 'cannot-decide'],
  ['long branches', branches.join('|'), 'loose-alternation', 'cannot-decide'],
  ['500 look-aheads', `${'(?='.repeat(500)}a${')'.repeat(500)}`, 'unsatisfiable', 'cannot-decide'],
  ['groups', `${'(?:'.repeat(50_000)}a${')'.repeat(50_000)}`, 'no-compile', 'cannot-decide'],
]

test.each(heavy)('a pattern of %s is judged or undecided', async (_, pattern, ...codes) => {
  const found = (await findingsOf(pattern)).map(({ code }) => code)
  expect(found.filter((code) => codes.includes(code))).not.toEqual([])
})

test.each([...decided, ...heavy])('a diff with a pattern of %s ends', async (_, pattern) => {
  const { relation } = await relate(pattern, '', new Budget(signal))
  expect(['wider', 'equal', 'undecided']).toContain(relation)
})

test('a check of many names with a pattern that hangs ends, and every name has a reason', async () => {
  const names = Array.from({ length: 1000 }, (_, i) => `${'a'.repeat(50)}!${i}`)
  const argv = ['naming', 'check', '--names-from', '-', '--pattern', '(a+)+', '--json']
  const { stdout } = await flagadm(argv, { stdin: names.join('\n') })
  const { undecided } = JSON.parse(stdout)
  expect(undecided).toHaveLength(1000)
  expect(undecided.at(-1).reasons).toEqual(['could not be matched with ^(a+)+$ in time'])
  expect(await verdictOn('(a*)*'.repeat(20_000), 'a')).toBe('timeout')
})

const long = '[ab]{20}a[ab]{20}'

test.each([
  ['lint', (signal: AbortSignal) => lintRule({ pattern: long }, signal)],
  ['the check of settings', (signal: AbortSignal) => lintProblems({ pattern: long }, signal)],
  ['diff', (signal: AbortSignal) => relate(long, `${long}x`, new Budget(signal))],
])('a signal stops %s', async (_, work) => {
  await expect(work(AbortSignal.abort(new Error('interrupted')))).rejects.toThrow('interrupted')
})

test.each([
  '(a+)+',
  '([a-z]+-?)+',
  '(?:a|a)*b',
  '(x+x+)+y',
  '(?=(a+)+$)a.*',
  '(\\w+-?)+',
  '(?:\\w+\\W?)+',
  '(?:[^-]+-?)+',
  'team-(?:[^-]+-?)+',
  '(?:(?:-+.){2,})+',
  '^([^.]+\\.?)+$',
  '(?:a?){12}[a-z]*[a-z]*[a-z]*-',
  '(?:\\w{0,3}){6}.*.*.*x',
  '(?:x|xy|y)*z',
  '(?:(a+)+b|[^]*)',
  '(?:(?:\\w|-)+(?=-))+x',
  '(?:(?<=-)\\w|\\w|-)*!',
  '(a*)*\\1b',
  '(?:[0-9a-f]{2,}[-_.]\\w{2,})*-',
  '(?!.*([-_.])\\1)[a-z]+(?:[-_.]?[a-z]+)*',
  '([a-z]{1,20}-?){1,10}',
  '(.+)+x',
  '(\\S+)+x',
  '(?:.+)+-x',
  '(?:\\S+)+-x',
])('%s is catastrophic, and the name reported stalls the engine', async (pattern) => {
  const found = (await findingsOf(pattern)).find(({ code }) => code === 'catastrophic')
  expect(isLegalName(found?.witness ?? '')).toBe(true)
  expect(engineVerdicts(pattern, [found?.witness ?? ''], 200)).toBe(undefined)
})

test.each([
  '[a-z]*[a-z]*[a-z]*',
  '.*.*.*.*x',
  '(?=(a+))b*',
  '(?:[a-z]{1,20}-?){1,3}',
  '\\w+[\\w.-]{2,80}',
  '[a-z]+.*\\..*-v\\d+',
])('%s is not reported as catastrophic', async (pattern) => {
  const codes = (await findingsOf(pattern)).map(({ code }) => code)
  expect(codes).not.toContain('catastrophic')
  expect(codes).not.toContain('cannot-decide')
})

test('the engine confirms the samples of any pattern', async () => {
  await fc.assert(
    fc.asyncProperty(anyPattern, async (pattern) => {
      expect(wronglyShown(pattern, await lintRule({ pattern }, signal))).toEqual([])
    }),
    { numRuns: 15 },
  )
})

test('a name that hangs the engine times out, and the names around it have verdicts', async () => {
  const names = ['a', `${'a'.repeat(60)}!`, 'b', 'aaa']
  const verdicts = await createNameMatcher('(a+)+', signal)(names)
  expect(verdicts).toEqual([true, 'timeout', false, true])
})

test('names that are only slow together all have verdicts', async () => {
  const names = Array.from({ length: 900 }, (_, i) => `${'a'.repeat(90)}!${i}`)
  const verdicts = await createNameMatcher('[a-z]*[a-z]*[a-z]*', signal)(names)
  expect(new Set(verdicts)).toEqual(new Set([false]))
})

test('naming check reports names that could not be matched in time as undecided', async () => {
  const name = `${'a'.repeat(60)}!`
  const argv = ['naming', 'check', 'aa', name, '--pattern', '(a+)+', '-o', 'markdown']
  const { code, stdout, stderr } = await flagadm(argv)
  expect({ code, stdout, stderr }).toEqual({
    code: 9,
    stdout: `<!-- flagadm naming check -->
? 2 names checked: none failed, 1 undecided

| Name | Problem |
| --- | --- |
| \`${name}\` | \`could not be matched with ^(a+)+$ in time\` |
`,
    stderr:
      'error: inconclusive: 1 of 2 names could not be matched in time\nhint: naming lint with the same rule shows why\n',
  })
})
