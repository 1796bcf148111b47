import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Finding, findingKinds } from '../../src/naming/finding.ts'
import { isLegalName } from '../../src/input/flag-names.ts'
import { lintProblems, lintRule } from '../../src/naming/findings.ts'
import type { NamingRule } from '../../src/naming/rule.ts'
import { legalName } from './arbitraries.ts'
import { engineVerdicts, verdictOn, wronglyShown } from './engine.ts'
import { patterns } from './patterns.ts'

const { signal } = new AbortController()

/** The findings about a pattern itself. */
async function findings(pattern: string): Promise<Finding[]> {
  const report = await lintRule({ pattern, description: 'why' }, signal)
  return report.findings.filter(({ code }) => code !== 'no-example')
}

async function codes(rule: NamingRule) {
  const report = await lintRule(rule, signal)
  return report.findings.map(({ code }) => code)
}

const cases = patterns.map(([pattern, ...expected]) => ({ pattern, expected }))
const faulty = cases.filter(({ expected }) => expected.length > 0)

test.each(cases)(
  'the pattern $pattern has exactly the findings $expected, and the engine confirms its samples',
  async ({ pattern, expected }) => {
    const report = await lintRule({ pattern, description: 'why' }, signal)
    const found = report.findings.map(({ code }) => code)
    expect(found.filter((code) => code !== 'no-example')).toEqual(expected)
    expect(wronglyShown(pattern, report)).toEqual([])
  },
)

test.each(faulty)(
  'the suggestion for $pattern compiles and does not have the finding',
  async (it) => {
    for (const { code, suggestion } of await findings(it.pattern)) {
      if (suggestion === undefined) continue
      expect(() => new RegExp(`^${suggestion}$`)).not.toThrow()
      expect((await findings(suggestion)).map((finding) => finding.code)).not.toContain(code)
    }
  },
)

test.each(faulty)(
  'the pre-check of $pattern finds the errors of the lint and no more',
  async (it) => {
    const errors = await lintProblems({ pattern: it.pattern }, signal)
    const expected = it.expected.filter(
      (code) => code === 'cannot-decide' || findingKinds[code].severity === 'error',
    )
    expect(errors.map(({ code }) => code)).toEqual(expected)
  },
)

const texts = [
  {
    pattern: 'feat-[a-z',
    severity: 'error',
    code: 'no-compile',
    message:
      'the pattern is not a valid regular expression (unterminated character class near character 9): the service would accept it and enforce nothing',
  },
  {
    pattern: 'feat-**',
    severity: 'error',
    code: 'no-compile',
    message:
      'the pattern is not a valid regular expression (nothing to repeat near character 7): the service would accept it and enforce nothing',
  },
  {
    pattern: 'feat-\\s?[a-z]+',
    severity: 'error',
    code: 'whitespace',
    message: 'the pattern contains \\s at character 6: the service rejects it',
    suggestion: 'feat-[a-z]+',
  },
  {
    pattern: 'feat-[a-z ]+',
    severity: 'error',
    code: 'whitespace',
    message: 'the pattern contains a space at character 10: the service rejects it',
    suggestion: 'feat-[a-z]+',
  },
  {
    pattern: '^schema ',
    severity: 'info',
    code: 'redundant-anchor',
    message: 'the service adds ^ and $ itself',
  },
  {
    pattern: '(x)(\\1|\\s\\1\\1)',
    severity: 'error',
    code: 'whitespace',
    message: 'the pattern contains \\s at character 8: the service rejects it',
  },
  {
    pattern: 'feat/.+',
    severity: 'error',
    code: 'unsatisfiable',
    message: 'no legal flag name can match: a name cannot contain "/"',
  },
  {
    pattern: '[a-z]{101,}',
    severity: 'error',
    code: 'unsatisfiable',
    message: 'no legal flag name can match: every match is longer than 100 characters',
  },
  {
    pattern: '^$',
    severity: 'error',
    code: 'unsatisfiable',
    message: 'no legal flag name can match: it matches only the empty name',
  },
  {
    pattern: '[^ -~]+',
    severity: 'error',
    code: 'unsatisfiable',
    message: 'no legal flag name can match: none of its matches is a legal name',
  },
  {
    pattern: '^feat-.*|fix-.*$',
    severity: 'error',
    code: 'loose-alternation',
    message: '^ and $ bind only to the outer branches: "zzz-fix-checkout" passes',
    suggestion: '(?:feat-.*|fix-.*)',
    witness: 'zzz-fix-checkout',
  },
  {
    pattern: '(a+)+',
    severity: 'error',
    code: 'catastrophic',
    message: "the name 'a'.repeat(47) + 'b' takes 422,212,465,065,983 steps to match",
    witness: `${'a'.repeat(47)}b`,
  },
  {
    pattern: '[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*',
    severity: 'error',
    code: 'catastrophic',
    message: "the name 'a'.repeat(99) + '0' takes 3,315,248,846 steps to match",
    witness: `${'a'.repeat(99)}0`,
  },
  {
    pattern: '/feat-.*/i',
    severity: 'warning',
    code: 'delimiters',
    message:
      'the pattern has slashes around it: the service takes a bare pattern and sets no flags',
    suggestion: 'feat-.*',
  },
  {
    pattern: '(?i)feat-.*',
    severity: 'warning',
    code: 'delimiters',
    message: 'the pattern has flags: the service takes a bare pattern and sets no flags',
    suggestion: 'feat-.*',
  },
  {
    pattern: '.*',
    severity: 'warning',
    code: 'matches-everything',
    message: 'every legal flag name matches',
  },
  {
    pattern: '[a-z0-9.-_]+',
    severity: 'warning',
    code: 'suspicious-range',
    message: 'the range .-_ also matches A-Z and does not match "-": write .\\-_',
    suggestion: '[a-z0-9.\\-_]+',
  },
  {
    pattern: '[a-zA-z]+',
    severity: 'warning',
    code: 'suspicious-range',
    message: 'the range A-z also matches _: write A-Z',
    suggestion: '[a-zA-Z]+',
  },
  {
    pattern: '[a-z+-z]+',
    severity: 'warning',
    code: 'suspicious-range',
    message: 'the range +-z also matches . 0-9 A-Z _: write +\\-z',
    suggestion: '[a-z+\\-z]+',
  },
  {
    pattern: '[A-Za-zA-z]+',
    severity: 'warning',
    code: 'suspicious-range',
    message: 'the range A-z also matches _: leave it out',
    suggestion: '[A-Za-z]+',
  },
  {
    pattern: '^(^feat|fix)-.+$',
    severity: 'info',
    code: 'redundant-anchor',
    message: 'the service adds ^ and $ itself',
    suggestion: '(feat|fix)-.+',
  },
  {
    pattern: '(?!(.*)x\\1$)x',
    severity: 'info',
    code: 'cannot-decide',
    message:
      'unsatisfiable, matches-everything could not be decided: a back-reference cannot be analysed',
  },
]

test.each(texts)(
  '$code of $pattern is reported in one sentence',
  async ({ pattern, ...expected }) => {
    const found = await findings(pattern)
    expect(found.find(({ code }) => code === expected.code)).toEqual(expected)
  },
)

test('an example that does not match is an error, with an example that would', async () => {
  const { findings } = await lintRule(
    { pattern: 'feat-[a-z]+', example: 'Feat_Login', description: 'd' },
    signal,
  )
  expect(findings).toEqual([
    {
      code: 'example-mismatch',
      severity: 'error',
      message: 'the example "Feat_Login" does not match ^feat-[a-z]+$',
      suggestion: 'feat-login',
    },
  ])
})

test('an example that is not a legal name is an error even if it matches', async () => {
  const { findings } = await lintRule(
    { pattern: 'feat[^]login', example: 'feat login', description: 'd' },
    signal,
  )
  expect(findings).toEqual([
    {
      code: 'example-illegal',
      severity: 'error',
      message: `the example contains a character that is not one of A-Z a-z 0-9 - _ . ! ~ * ' ( ): " "`,
      suggestion: 'feat-login',
    },
  ])
})

test('an illegal example is found although the pattern does not compile', async () => {
  const rule = { pattern: '[', example: 'x'.repeat(101), description: 'd' }
  expect(await codes(rule)).toEqual(['no-compile', 'example-illegal'])
})

test('an example that would take too long to match cannot be decided', async () => {
  const rule = { pattern: '(a+)+', example: `${'a'.repeat(60)}!`, description: 'd' }
  const { findings } = await lintRule(rule, signal)
  expect(findings.map(({ code, message }) => [code, message])).toEqual([
    ['catastrophic', "the name 'a'.repeat(47) + 'b' takes 422,212,465,065,983 steps to match"],
    ['cannot-decide', 'example-mismatch, example-illegal could not be decided: it takes too long'],
  ])
})

test('a rule with a back-reference is not reported as unsatisfiable if its example matches', async () => {
  expect(await codes({ pattern: '(a|b)-\\1', example: 'a-a', description: 'd' })).toEqual([])
})

test.each([
  ['a|b\\', 'trailing-backslash', '(?:a|b)'],
  ['feat-[ a-z]*|fix-.*', 'whitespace', '(?:feat-[a-z]*|fix-.*)'],
  ['/feat-.*|fix-.*/', 'delimiters', '(?:feat-.*|fix-.*)'],
  ['(?:a+ ?)+', 'whitespace', undefined],
  ['\\A\\p{Lu}[[:alnum:]]*\\z', 'foreign-notation', '[A-Z][A-Za-z0-9]*'],
  ['[\\p{Ll}0-9-]+', 'foreign-notation', '[a-z0-9-]+'],
  ['[[:alnum:]_-]+', 'foreign-notation', '[A-Za-z0-9_-]+'],
  ['[^[:upper:]\\p{N}]+', 'foreign-notation', '[^A-Z0-9]+'],
  ['[0-z]+', 'suspicious-range', '[0-9a-z]+'],
  ['team.web-[a-z]+', 'unescaped-dot', 'team\\.web-[a-z]+'],
])(
  '%s has the finding %s with the suggestion %s, which has no errors',
  async (pattern, code, suggestion) => {
    const found = (await findings(pattern)).find((finding) => finding.code === code)
    expect([found?.code, found?.suggestion]).toEqual([code, suggestion])
    if (suggestion !== undefined)
      expect(await lintProblems({ pattern: suggestion }, signal)).toEqual([])
  },
)

test('an example or a description without a pattern is an error', async () => {
  const { findings } = await lintRule({ example: 'a', description: 'b' }, signal)
  expect(findings).toEqual([
    {
      code: 'missing-pattern',
      severity: 'error',
      message: 'the rule has an example and a description but no pattern: the service rejects it',
    },
  ])
})

test('a rule that clears the stored one accepts every name', async () => {
  const rule = { pattern: '', example: '', description: '' }
  expect(await lintRule(rule, signal)).toEqual({
    rule,
    findings: [
      {
        code: 'matches-everything',
        severity: 'warning',
        message: 'there is no pattern: every legal name passes',
      },
    ],
    accepts: [],
    rejects: [],
  })
})

test('a pattern that only newer engines support is not reported as invalid', async () => {
  const pattern = '(?i:feat)-[a-z]+'
  const tooNew = {
    code: 'no-compile',
    severity: 'error',
    message:
      'the pattern is not supported by this version of Node.js (invalid group near character 2): whether the service enforces it depends on its Node.js',
  }
  // Node.js 24 knows it, 20 does not.
  const isKnown = engineVerdicts(pattern, ['feat-a']) !== undefined
  expect(await findings(pattern)).toEqual(isKnown ? [] : [tooNew])
})

test('a missing example and a missing description are information', async () => {
  const { findings } = await lintRule({ pattern: 'feat-[a-z]+' }, signal)
  expect(findings).toEqual([
    {
      code: 'no-example',
      severity: 'info',
      message:
        'the rule has no example: project settings set keeps the stored one, but other clients clear it',
    },
    {
      code: 'no-description',
      severity: 'info',
      message:
        'the rule has no description: project settings set keeps the stored one, but other clients clear it',
    },
  ])
})

test('escaped text and classes that look like flags are not reported', async () => {
  expect(await findings('\\(?i\\)|[(?i)]x')).not.toContainEqual(
    expect.objectContaining({ code: 'delimiters' }),
  )
})

const loose = cases.filter(({ expected }) => expected.includes('loose-alternation'))

test.each(loose)('the name reported for $pattern passes it and not the correction', async (it) => {
  const [found] = await findings(it.pattern)
  const { witness = '', suggestion = '' } = found ?? {}
  expect(isLegalName(witness)).toBe(true)
  expect(new RegExp(`^${it.pattern}$`).test(witness)).toBe(true)
  expect(new RegExp(`^${suggestion}$`).test(witness)).toBe(false)
})

const exponential = ['(a+)+', '([a-z]+-?)+', '(?:a|a)*b', '(x+x+)+y', '(?=(a+)+$)a.*']

test.each(exponential)(
  'the name reported for the slow pattern %s hangs the engine',
  async (pattern) => {
    const [found] = await findings(pattern)
    const { witness = '' } = found ?? {}
    expect(isLegalName(witness)).toBe(true)
    expect(await verdictOn(pattern, witness)).toBe('timeout')
  },
)

const unsatisfiable = cases.filter(({ expected }) => expected.includes('unsatisfiable'))
const manyNames = fc.sample(legalName, { numRuns: 1000, seed: 42 })

test.each(unsatisfiable)(
  'none of 1,000 legal names matches the unsatisfiable pattern $pattern',
  ({ pattern }) => {
    const rule = new RegExp(`^${pattern}$`)
    expect(manyNames.filter((name) => rule.test(name))).toEqual([])
  },
)

test('any text is linted without a crash', async () => {
  const scrap = fc.constantFrom(
    ...'()[]{}|^$*+?.\\-,:=!<>/ \n\0kuxcpPbBdDsSwW019aé'.split(''),
    '\ud800',
    '😀',
  )
  const text = fc.array(scrap, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(text, fc.option(text, { nil: '' }), async (pattern, example) => {
      const { findings } = await lintRule({ pattern, example }, signal)
      expect(findings.every(({ code, severity }) => findingKinds[code].severity === severity)).toBe(
        true,
      )
    }),
    { numRuns: 120 },
  )
})
