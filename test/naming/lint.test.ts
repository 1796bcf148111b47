import { expect, test } from 'vitest'
import type { Finding } from '../../src/naming/finding-kinds.ts'
import { lintProblems, lintRule } from '../../src/naming/findings.ts'
import { engineVerdicts } from './engine.ts'
import { findings } from './true-findings.ts'

const { signal } = new AbortController()

/** Patterns, and below each its findings with what they suggest. */
const texts = String.raw`feat-[a-z
  error no-compile: the pattern is not a valid regular expression (unterminated character class near character 9): the service would accept it and enforce nothing
feat-[a-z ]+
  error whitespace: the pattern contains a space at character 10: the service rejects it -> feat-[a-z]+
feat/.+
  error unsatisfiable: no legal flag name can match: a name cannot contain "/"
^$
  error unsatisfiable: no legal flag name can match: it matches only the empty name
  info redundant-anchor: the service adds ^ and $ itself
[^ -~]+
  error whitespace: the pattern contains a space at character 3: the service rejects it
  error unsatisfiable: no legal flag name can match: none of its matches is a legal name
[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*
  error catastrophic: the name 'a'.repeat(99) + '0' takes 3,315,248,846 steps to match
/feat-.*/i
  error unsatisfiable: no legal flag name can match: a name cannot contain "/" -> feat-.*
  warning delimiters: the pattern has slashes around it: the service takes a bare pattern and sets no flags -> feat-.*
(?i)feat-.*
  error no-compile: the pattern is not a valid regular expression (invalid group near character 2): the service would accept it and enforce nothing -> feat-.*
  warning delimiters: the pattern has flags: the service takes a bare pattern and sets no flags -> feat-.*
.*
  warning matches-everything: every legal flag name matches
[a-z0-9.-_]+
  warning suspicious-range: the range .-_ also matches A-Z and does not match "-": write .\-_ -> [a-z0-9.\-_]+
[a-zA-z]+
  warning suspicious-range: the range A-z also matches _: write A-Z -> [a-zA-Z]+
[a-z+-z]+
  warning suspicious-range: the range +-z also matches . 0-9 A-Z _: write +\-z -> [a-z+\-z]+
[0-z]+
  warning suspicious-range: the range 0-z also matches A-Z _: write 0-9a-z -> [0-9a-z]+
^(^feat|fix)-.+$
  info redundant-anchor: the service adds ^ and $ itself -> (feat|fix)-.+
(?!(.*)x\1$)x
  info cannot-decide: unsatisfiable, matches-everything could not be decided: a back-reference cannot be analysed
a|b\
  error trailing-backslash: the last backslash escapes the $ that the service adds, so the end of a name is not anchored -> (?:a|b)
(?:a+ ?)+
  error whitespace: the pattern contains a space at character 6: the service rejects it
  error catastrophic: the name 'a'.repeat(47) + 'b' takes 562,949,953,421,310 steps to match
\A\p{Lu}[[:alnum:]]*\z
  error unsatisfiable: no legal flag name can match: a name cannot contain "{"
  warning foreign-notation: \A matches the letter A: it is not an anchor here; \p{Lu} is not a character class here: write [A-Z]; [:alnum:] is not a character class here: write A-Za-z0-9; \z matches the letter z: it is not an anchor here -> [A-Z][A-Za-z0-9]*
[\p{Ll}0-9-]+
  warning foreign-notation: \p{Ll} is not a character class here: write a-z -> [a-z0-9-]+
[^[:upper:]\p{N}]+
  error unsatisfiable: no legal flag name can match: a name cannot contain "{"
  warning foreign-notation: [:upper:] is not a character class here: write A-Z; \p{N} is not a character class here: write 0-9 -> [^A-Z0-9]+
feat-*
  warning foreign-notation: the pattern is written as a glob, but * repeats the character before it here: write .* for any text -> feat-.*
*-feat
  error no-compile: the pattern is not a valid regular expression (nothing to repeat near character 2): the service would accept it and enforce nothing
  warning foreign-notation: the pattern is written as a glob, but * repeats the character before it here: write .* for any text -> .*-feat
\Qfeat-.\E[a-z]+
  warning foreign-notation: \Q matches the letter Q, and quotes no text here: write feat-\. -> feat-\.[a-z]+
\Gfeat-\K\X+
  warning foreign-notation: \G matches the letter G: it is not an anchor here; \K matches the letter K: it is not the start of the match here; \X matches the letter X: it is not any character here -> feat-.+
feat-\x{41}\N+
  warning foreign-notation: \x{41} is not a character here: write \x41; \N matches the letter N: it is not any character here -> feat-\x41.+
[\h\x{61}-f]+\R
  error no-compile: the pattern is not a valid regular expression (range out of order in character class near character 12): the service would accept it and enforce nothing
  warning foreign-notation: \h matches the letter h: it is not a space here; \x{61} is not a character here: write \x61; \R matches the letter R: it is not a line break here
(?R)-x
  error no-compile: the pattern is not a valid regular expression (invalid group near character 2): the service would accept it and enforce nothing
  warning foreign-notation: (?R) is a recursion, which does not exist here
(?:feat-[a-z]+|fix-[a-z]{,20})
  warning foreign-notation: {,20} is literal text here: write {0,20} -> (?:feat-[a-z]+|fix-[a-z]{0,20})
  warning dead-branch: no legal name reaches the branch fix-[a-z]{,20} at character 16: a name cannot contain "{"
team.web-[a-z]+
  info unescaped-dot: the dot at character 5 matches any character: write \. for a dot -> team\.web-[a-z]+
`

test('a finding is a sentence, what it suggests has no errors, and the check of settings has the errors', async () => {
  let found = ''
  for (const pattern of texts.split('\n').filter((line) => /^\S/.test(line))) {
    const all = await findings(pattern)
    found += `${pattern}\n`
    for (const { severity, code, message, suggestion } of all) {
      const isCorrected = suggestion !== undefined
      found += `  ${severity} ${code}: ${message}${isCorrected ? ` -> ${suggestion}` : ''}\n`
      if (isCorrected) expect(await lintProblems({ pattern: suggestion }, signal)).toEqual([])
    }
    const isProblem = ({ code, severity }: Finding) =>
      code === 'cannot-decide' || severity === 'error'
    expect(await lintProblems({ pattern }, signal)).toEqual(all.filter(isProblem))
  }
  expect(found).toBe(texts)
})

const description = 'd'
const cleared = 'project settings set keeps the stored one, but other clients clear it'

test.each([
  [
    { pattern: 'feat-[a-z]+', example: 'Feat_Login', description },
    ['example-mismatch: the example "Feat_Login" does not match ^feat-[a-z]+$ (feat-login)'],
  ],
  [
    { pattern: 'feat[^]login', example: 'feat login', description },
    [
      `example-illegal: the example contains a character that is not one of A-Z a-z 0-9 - _ . ! ~ * ' ( ): " " (feat-login)`,
    ],
  ],
  [
    { pattern: 'a', example: 'x'.repeat(101), description },
    ['example-illegal: the example is longer than 100 characters'],
  ],
  [{ pattern: '(a|b)-\\1', example: 'a-a', description }, []],
  [
    { example: 'a', description },
    [
      'missing-pattern: the rule has an example and a description but no pattern: the service rejects it',
    ],
  ],
  [
    { pattern: 'feat-[a-z]+' },
    [
      `no-example: the rule has no example: ${cleared}`,
      `no-description: the rule has no description: ${cleared}`,
    ],
  ],
  [
    { pattern: '', example: '', description: '' },
    ['matches-everything: there is no pattern: every legal name passes'],
  ],
])('the rule %j has the findings %j', async (rule, expected) => {
  const { findings } = await lintRule(rule, signal)
  const texts = findings.map(({ code, message, suggestion }) => {
    return `${code}: ${message}${suggestion === undefined ? '' : ` (${suggestion})`}`
  })
  expect(texts).toEqual(expected)
})

test('an example that cannot be matched is undecided, and its pattern is still examined', async () => {
  const rule = { pattern: `${'()'.repeat(1001)}(a+)+`, example: 'a', description }
  const { findings } = await lintRule(rule, signal)
  expect(findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "catastrophic: the name 'a'.repeat(47) + 'b' takes 422,212,465,065,983 steps to match",
    'cannot-decide: example-mismatch, example-illegal could not be decided: it takes too long',
  ])
})

test('a pattern that only newer engines support is not reported as invalid', async () => {
  const pattern = '(?i:feat)-[a-z]+'
  const message =
    'the pattern is not supported by this version of Node.js (invalid group near character 2): whether the service enforces it depends on its Node.js'
  // Node.js 24 knows it, 20 does not.
  const isKnown = engineVerdicts(pattern, ['feat-a']) !== undefined
  const tooNew = { code: 'no-compile', severity: 'error', message }
  expect(await findings(pattern)).toEqual(isKnown ? [] : [tooNew])
})
