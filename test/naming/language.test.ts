import fc from 'fast-check'
import { expect, test } from 'vitest'
import { automatonOf } from '../../src/naming/automaton.ts'
import { extentFindings } from '../../src/naming/findings/extent.ts'
import { legalCharacters } from '../../src/naming/legal.ts'
import { legalSource } from '../../src/naming/legal-source.ts'
import { OutOfReach, orElse } from '../../src/naming/limit.ts'
import { positionsOf } from '../../src/naming/positions.ts'
import { ruleSource } from '../../src/naming/rule.ts'
import { parseSource } from '../../src/naming/syntax.ts'
import { hasFewWays, heaviestBeginning } from '../../src/naming/ways.ts'
import { anyPattern, legalName, regularPattern } from './arbitraries.ts'
import { engineVerdicts } from './engine.ts'
import { subjectOf } from './subject.ts'

const someNames = fc.array(legalName, { minLength: 20, maxLength: 40 })
const manyNames = fc.sample(legalName, { numRuns: 10_000, seed: 7 })

function codes(name: string): number[] {
  return Array.from(name, (character) => character.charCodeAt(0))
}

test('the automaton accepts a name exactly when the engine matches it', () => {
  fc.assert(
    fc.property(regularPattern, someNames, (pattern, names) => {
      const automaton = automatonOf(ruleSource(pattern), 'exact')
      const verdicts = names.map((name) => automaton.test(codes(name)))
      expect(verdicts).toEqual(engineVerdicts(pattern, names) ?? verdicts)
    }),
    { numRuns: 500 },
  )
}, 60_000)

test('where the automaton is not exact, it accepts every name that the engine matches', () => {
  fc.assert(
    fc.property(anyPattern, someNames, (pattern, names) => {
      const automaton = automatonOf(ruleSource(pattern), 'wider')
      const verdicts = engineVerdicts(pattern, names)
      const matching = names.filter((_, i) => verdicts?.[i])
      expect(matching.filter((name) => !automaton.test(codes(name)))).toEqual([])
    }),
    { numRuns: 300 },
  )
}, 60_000)

test('a pattern cut down to legal characters matches the same legal names', () => {
  fc.assert(
    fc.property(anyPattern, someNames, (pattern, names) => {
      const source = ruleSource(pattern)
      const cut = legalSource(source, parseSource(source)).slice(1, -1)
      const verdicts = engineVerdicts(pattern, names)
      expect(engineVerdicts(cut, names) ?? verdicts).toEqual(verdicts)
    }),
    { numRuns: 300 },
  )
}, 60_000)

test.each([
  { code: 'unsatisfiable', verdict: false },
  { code: 'matches-everything', verdict: true },
])(
  'a pattern found $code is so for 10,000 random legal names',
  ({ code, verdict }) => {
    fc.assert(
      fc.property(anyPattern, (pattern) => {
        const found = orElse(
          () => extentFindings(subjectOf(pattern)),
          () => [],
        )
        fc.pre(found.some((finding) => finding.code === code))
        const verdicts = engineVerdicts(pattern, manyNames)
        expect(manyNames.filter((_, i) => verdicts && verdicts[i] !== verdict)).toEqual([])
      }),
      { numRuns: 30, maxSkipsPerRun: 200 },
    )
  },
  60_000,
)

test.each(['(?=a)b', '(?<!a)b', '(a)\\1'])('the language of %s is out of reach', (pattern) => {
  expect(() => automatonOf(ruleSource(pattern), 'exact')).toThrow(OutOfReach)
})

test('a pattern that is taken to be quick without recheck is quick for its heaviest names', () => {
  fc.assert(
    fc.property(regularPattern, (pattern) => {
      const positions = orElse(
        () => positionsOf(parseSource(ruleSource(pattern))),
        () => [],
      )
      fc.pre(positions.length > 0 && hasFewWays(positions))
      const names = Array.from(legalCharacters, (end) => heaviestBeginning(positions) + end)
      expect(engineVerdicts(pattern, names)).toHaveLength(names.length)
    }),
    { numRuns: 300 },
  )
}, 60_000)
