import fc from 'fast-check'
import { legalName } from '../naming/arbitraries.ts'

/** Names without blanks that could be taken for something else. */
const oddNames = `
  . .. ... .a a. - -- -a _ ~ ! * ' ( ) (a) a'b *.* ~!()* A Z9 0 007 null true constructor toString NaN
  a/b / \\ a\\b a%20b % %41 a+b a&b a=b a?b a#b a:b a;b a,b a@b $a a|b a<b "a" \`a\` [a] {a} ^a
  é e\u0301 ß ñ-1 Ａ 日本 🙂 \u{1f3f3}\ufe0f \u200b a\u200bb \u202ea \x1b[31m \x7f \u0085 \u2800 K ſ İ
  feat- fix- feat-a fix-a zzz-fix-a feat-a-zzz xfeat-a FEAT-a feat_a feat--a
`.split(/[ \n]+/)

const hostile: readonly string[] = [
  ...oddNames.filter((name) => name !== ''),
  'a b',
  ' a',
  'a ',
  '\ta',
  'a\n',
  '\n',
  'a\r\nb',
  '\ufeff',
  '\u00a0',
  '\u2028',
  'x'.repeat(99),
  'x'.repeat(100),
  'x'.repeat(101),
  'é'.repeat(50),
  'feat-'.repeat(20),
  `${'feat-'.repeat(20)}a`,
]

const wordlike = fc
  .array(fc.constantFrom('feat', 'fix', 'a', 'b1', 'team', 'X', '-', '.', '_', '--', '/', ' '), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(''))
const anything = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })

/** Unique flag names: realistic, hostile and generated ones. */
export const names: readonly string[] = [
  ...new Set([
    ...hostile,
    ...fc.sample(fc.oneof(wordlike, legalName, anything), { numRuns: 260, seed: 1 }),
  ]),
]

/** Various patterns that the service enforces. */
export const enforcedPatterns = [
  'feat-.+',
  'feat-.*|fix-.*',
  '^(feat|fix)-[a-z]+$',
  '[a-z]+(-[a-z0-9]+)*',
  '.{3,50}',
  '(?=.*-)[^-].*',
  '\\w+',
  "[\\w.!~*'()-]+",
] as const
