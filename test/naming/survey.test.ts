import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RuleAutomaton } from '../../src/naming/analysis/automaton.ts'
import { Budget } from '../../src/naming/analysis/budget.ts'
import { Formulas } from '../../src/naming/analysis/formulas.ts'
import { survey } from '../../src/naming/analysis/survey.ts'
import { ruleSource } from '../../src/naming/rule.ts'
import { anyPattern, legalName } from './arbitraries.ts'
import { engineVerdicts } from './engine.ts'

const { signal } = new AbortController()

const piece = fc.constantFrom(
  ...['a', 'b', '-', '[ab]', '.', 'a*', 'b+', '(?:ab?)*', '(?:a|b-)+', '-?', '.*', '[^-]{1,2}'],
  ...['(?=a)', '(?!b)', '(?=.*-)', '(?!.*--)', '(?<=a)', '(?<!-)', '(?<!b.*)', '(?<=^a.*)'],
  ...['(?=(?!a).)', '(?!(?<=-)b)', '(?:(?=a)|b)*', '(?<=(?<!a)-)', '(?<=a(?=b))', '(?<!-(?!.*b))'],
  ...['\\b', '\\B', '^', '$', '(?!.{4})', '(?:a{0,3}?b)+', '(?:|a){2,}', '(?<=(?=.-)[^]{2})'],
)
const looking = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
const lookingPattern = fc
  .array(looking, { minLength: 1, maxLength: 2 })
  .map((them) => them.join('|'))

const shortName = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'A', '.'), minLength: 1 })
const someNames = fc.array(fc.oneof(shortName, legalName), { minLength: 20, maxLength: 30 })

test('the automaton of a rule accepts the names that the engine matches', () => {
  const pattern = fc.oneof(lookingPattern, anyPattern).filter((text) => !text.includes('\\1'))
  fc.assert(
    fc.property(pattern, someNames, (pattern, names) => {
      const budget = new Budget(signal)
      const formulas = new Formulas(budget)
      const automaton = new RuleAutomaton(formulas, [formulas.read(pattern)], budget)
      const verdicts = names.map((name) => {
        const end = [...name].reduce((from, next) => automaton.step(from, next), automaton.start)
        return automaton.verdicts(end)[0]
      })
      expect([pattern, verdicts]).toEqual([pattern, engineVerdicts(pattern, names)])
    }),
    { numRuns: 80, seed: 40 },
  )
})

const letters = ['a', 'b', '-']
const shortNames = [1, 2, 3, 4, 5].reduce<string[]>(
  (names, _) => ['', ...names.flatMap((name) => letters.map((letter) => name + letter))],
  [''],
)

const combinations = [
  { left: false, right: false },
  { left: false, right: true },
  { left: true, right: false },
  { left: true, right: true },
]

test('the survey of two rules finds the combinations of verdicts that short names have', async () => {
  await fc.assert(
    fc.asyncProperty(lookingPattern, lookingPattern, async (left, right) => {
      // Only the names that the test can list.
      const limited = (pattern: string) => `(?=[ab-]{1,5}$)(?:${pattern})`
      const patterns = { left: limited(left), right: limited(right) }
      const verdictsOn = (name: string) => ({
        left: new RegExp(ruleSource(patterns.left)).test(name),
        right: new RegExp(ruleSource(patterns.right)).test(name),
      })
      const { examples } = await survey(patterns, new Budget(signal))
      const found = combinations.filter((verdicts) => examples(verdicts).length > 0)
      const all = [{ left: false, right: false }, ...shortNames.map(verdictsOn)]
      const expected = combinations.filter((one) =>
        all.some((other) => isDeepStrictEqual(one, other)),
      )
      expect([patterns, found]).toEqual([patterns, expected])
      for (const verdicts of combinations) {
        for (const name of examples(verdicts)) expect(verdictsOn(name)).toEqual(verdicts)
      }
    }),
    { numRuns: 40, seed: 5 },
  )
})

test.each([
  ['[A-Z]{2,5}-x\\d{1,6}', ['AA-x0'], ['checkout', 'search', 'banner-login']],
  ['x{100,}', ['x'.repeat(100)], ['checkout', 'search', 'banner-login']],
  // Not `.` and `..`, which are not legal.
  ['\\.+', ['...'], ['checkout', 'search', 'banner-login']],
  ['\\.{1,2}', [], ['checkout', 'search', 'banner-login']],
  ['[a-z]+', ['checkout', 'search'], ['banner-login', 'search-2', 'banner_login']],
])(
  'the survey of %s has realistic names, or a shortest one',
  async (pattern, accepted, rejected) => {
    const { examples } = await survey({ rule: pattern }, new Budget(signal))
    expect(examples({ rule: true })).toEqual(accepted)
    expect(examples({ rule: false })).toEqual(rejected)
  },
)
