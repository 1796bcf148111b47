import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Budget, orUndecided } from '../../src/naming/analysis/budget.ts'
import { isSafe } from '../../src/naming/analysis/slow-names.ts'
import { BacktrackingEngine } from './backtracking.ts'
import { findSlowName, loopPattern } from './slow-search.ts'

const { signal } = new AbortController()

// Calibrated once, with V8 11.3 in Node.js 20 on one core of a server: for 16 patterns such as `(a+)+`, `(.+)+x`,
// `(?:.{1,5}){1,20}-`, `(?!(?:a+)+b)-` and `.*.*.*.*.*x`, V8 needs 70 to 580 ms for as many steps as this.
const SLOW_STEPS = 1e8

const FEW_STEPS = 10_000

const shortName = fc.string({ unit: fc.constantFrom('a', 'x', '-', 'b', '~'), maxLength: 8 })

test('the plain engine matches the names that V8 matches', () => {
  fc.assert(
    fc.property(loopPattern, fc.array(shortName, { minLength: 10 }), (pattern, names) => {
      const engine = new BacktrackingEngine(pattern)
      const matches = names.map((name) => ({ name, ...engine.match(name, FEW_STEPS) }))
      const quick = matches.filter(({ steps }) => steps < FEW_STEPS)
      const rule = new RegExp(`^${pattern}$`)
      const wrong = quick.filter(({ name, matches }) => matches !== rule.test(name))
      expect([pattern, wrong]).toEqual([pattern, []])
    }),
    { numRuns: 2000, seed: 55 },
  )
})

test.each(['(.+)+x', '(\\S+)+x', '(?:.+)+-x', '(?:\\S+)+-x'])(
  'the search finds a slow name for %s, which is not said to have none',
  async (pattern) => {
    expect(findSlowName(pattern, SLOW_STEPS)).toBeDefined()
    expect(await isSafe(pattern, new Budget(signal))).toBe(false)
  },
)

test('where no name is said to be slow, the search finds none', async () => {
  await fc.assert(
    fc.asyncProperty(loopPattern, async (pattern) => {
      const isProven = await orUndecided(() => isSafe(pattern, new Budget(signal)))
      const found = isProven === true ? findSlowName(pattern, SLOW_STEPS) : undefined
      expect([pattern, found]).toEqual([pattern, undefined])
    }),
    // A failure is not made smaller, because each attempt takes seconds.
    { numRuns: 20_000, seed: 55, endOnFailure: true },
  )
}, 600_000)
