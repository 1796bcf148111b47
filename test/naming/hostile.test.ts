import { expect, test } from 'vitest'
import { Budget } from '../../src/naming/budget.ts'
import { relate } from '../../src/naming/relation.ts'
import type { FindingCode } from '../../src/naming/finding.ts'
import { lintProblems, lintRule } from '../../src/naming/findings.ts'
import { flagadm } from '../support/flagadm.ts'
import { verdictOn } from './engine.ts'

const { signal } = new AbortController()

interface Hostile {
  title: string
  pattern: string
  codes: FindingCode[]
}

const decided: Hostile[] = [
  { title: 'nested quantifiers', pattern: '((a*)*)*b', codes: ['catastrophic'] },
  {
    title: 'equal branches in a row',
    pattern: `${'(?:a|a)'.repeat(60)}b`,
    codes: ['catastrophic'],
  },
  {
    title: 'a slow look-ahead',
    pattern: '(?=(a+)+$)a.*',
    codes: ['catastrophic'],
  },
  {
    title: 'a slow back-reference',
    pattern: '(a*)*\\1b',
    codes: ['catastrophic', 'cannot-decide'],
  },
  { title: 'huge counts', pattern: '(?:a{1,100000}b){1,100000}', codes: [] },
  { title: 'a huge least count', pattern: '(?:[a-z]{3}){1000000}', codes: ['unsatisfiable'] },
  { title: 'ten kilobytes of text', pattern: 'x'.repeat(10_000), codes: ['unsatisfiable'] },
  {
    title: 'an automaton of a million states',
    pattern: '[ab]*a[ab]{20}',
    codes: ['cannot-decide'],
  },
  { title: 'a class of nine kilobytes', pattern: `[${'a-z'.repeat(3000)}]+`, codes: [] },
  { title: 'Unicode classes', pattern: '[\\p{L}\\p{N}]+', codes: ['foreign-notation'] },
  { title: '3,000 open groups', pattern: '(a|'.repeat(3000), codes: ['no-compile'] },
  {
    title: '5,000 nested groups',
    pattern: `${'('.repeat(5000)}a${')'.repeat(5000)}`,
    codes: ['cannot-decide'],
  },
]

test.each(decided)('a pattern of $title has exactly the findings $codes', async (it) => {
  const { findings } = await lintRule({ pattern: it.pattern, description: 'why' }, signal)
  const codes = findings.map(({ code }) => code)
  expect(codes.filter((code) => code !== 'no-example')).toEqual(it.codes)
})

const heavy: Hostile[] = [
  {
    title: '200 nested quantifiers',
    pattern: `${'('.repeat(200)}a${')*'.repeat(200)}b`,
    codes: ['catastrophic', 'cannot-decide'],
  },
  {
    title: 'counts of counts of counts',
    pattern: '(((((a?){30}){30}){30}){30}){30}',
    codes: ['catastrophic', 'cannot-decide'],
  },
  {
    title: 'ten kilobytes of optional characters',
    pattern: '[a-z]?'.repeat(1700),
    codes: ['catastrophic', 'cannot-decide'],
  },
  {
    title: 'ten kilobytes of branches',
    pattern: Array.from({ length: 150 }, (_, i) => `${'long-team-'.repeat(6)}${i}-.*`).join('|'),
    codes: ['loose-alternation', 'cannot-decide'],
  },
  {
    title: 'ten kilobytes of word boundaries',
    pattern: '(?:\\b|a)*'.repeat(1000),
    codes: ['catastrophic', 'cannot-decide'],
  },
  {
    title: '500 nested look-aheads',
    pattern: `${'(?='.repeat(500)}a${')'.repeat(500)}`,
    codes: ['unsatisfiable', 'cannot-decide'],
  },
  {
    title: '50,000 nested groups',
    pattern: `${'(?:'.repeat(50_000)}a${')'.repeat(50_000)}`,
    codes: ['no-compile', 'cannot-decide'],
  },
]

test.each(heavy)(
  'a pattern of $title is judged or reported as undecided',
  async ({ pattern, codes }) => {
    const { findings } = await lintRule({ pattern, example: 'aaaa' }, signal)
    expect(findings.filter(({ code }) => codes.includes(code))).not.toEqual([])
  },
)

test.each([...decided, ...heavy])('a diff with a pattern of $title ends', async ({ pattern }) => {
  const { relation } = await relate(pattern, '', new Budget(signal))
  expect(['narrower', 'wider', 'equal', 'undecided']).toContain(relation)
})

test('a check of many names with a pattern that hangs ends, and every name has a reason', async () => {
  const names = Array.from({ length: 1000 }, (_, i) => `${'a'.repeat(50)}!${i}`)
  const argv = ['naming', 'check', '--names-from', '-', '--pattern', '(a+)+', '--json']
  const { stdout } = await flagadm(argv, { stdin: names.join('\n') })
  const { undecided } = JSON.parse(stdout)
  expect(undecided).toHaveLength(1000)
  expect(undecided.at(-1).reasons).toEqual(['could not be matched with ^(a+)+$ in time'])
})

const long = '[ab]{20}a[ab]{20}'

test.each([
  ['lint', (signal: AbortSignal) => lintRule({ pattern: long }, signal)],
  [
    'the check before settings are sent',
    (signal: AbortSignal) => lintProblems({ pattern: long }, signal),
  ],
  ['diff', (signal: AbortSignal) => relate(long, `${long}x`, new Budget(signal))],
])('a signal stops %s', async (_, work) => {
  await expect(work(AbortSignal.abort(new Error('interrupted')))).rejects.toThrow('interrupted')
})

const missed = [
  ...['(?:\\w+\\W?)+', '(?:[^-]+-?)+', 'team-(?:[^-]+-?)+', '(?:(?:-+.){2,})+', '^([^.]+\\.?)+$'],
  ...['(?:a?){12}[a-z]*[a-z]*[a-z]*-', '(?:\\w{0,3}){6}.*.*.*x', '(?:x|xy|y)*z', '(a*)*\\1b'],
  ...['(?:(a+)+b|[^]*)', '(?:(?:\\w|-)+(?=-))+x', '(?:(?<=-)\\w|\\w|-)*!'],
  ...['(?:[0-9a-f]{2,}[-_.]\\w{2,})*-', '(?!.*([-_.])\\1)[a-z]+(?:[-_.]?[a-z]+)*'],
]

test.each(missed)('%s is reported as catastrophic', async (pattern) => {
  const { findings } = await lintRule({ pattern }, signal)
  expect(findings.map(({ code }) => code)).toContain('catastrophic')
})

const groups = '(a*)*'.repeat(20_000)

test('a pattern with thousands of groups is not run and cannot be decided', async () => {
  expect(await verdictOn(groups, 'a')).toBe('timeout')
  const { findings } = await lintRule({ pattern: groups }, signal)
  expect(findings.map(({ code }) => code)).toContain('cannot-decide')
})

test.each(['(?:', '(?=', '(?<=', '(?!'])('1,900 nested %s cannot be decided', async (open) => {
  const pattern = `${open.repeat(1900)}a${')'.repeat(1900)}b`
  const { findings } = await lintRule({ pattern }, signal)
  expect(findings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('could not be decided: its groups are nested too deeply'),
  )
})

test.each([
  '[a-z]*[a-z]*[a-z]*',
  '.*.*.*.*x',
  '(?=(a+))b*',
  '(?:[a-z]{1,20}-?){1,3}',
  '\\w+[\\w.-]{2,80}',
  '[a-z]+.*\\..*-v\\d+',
])('%s is not reported as catastrophic', async (pattern) => {
  const { findings } = await lintRule({ pattern }, signal)
  const codes = findings.map(({ code }) => code)
  expect(codes.filter((code) => code === 'catastrophic' || code === 'cannot-decide')).toEqual([])
})
