import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePattern } from '../../src/naming/analysis/syntax.ts'
import { Trial } from '../../src/naming/analysis/trial.ts'

const FEW_STEPS = 20_000

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    '-',
    '[ab]',
    '.',
    '(a)',
    '(a|b)',
    '(a+)',
    '(b?)',
    '([ab]*)',
    '(?<n>a|-)',
    '((a)|b)',
  ],
  ...[
    '\\1',
    '\\2',
    '(?:\\1|b)',
    '(\\1)',
    '(?=(a))',
    '(?!(a)\\1)',
    '(?<=(a))',
    '(?<=\\1(a))',
    '\\b',
  ],
  ...['(?i:\\1)', '(?:(a)|b\\1)', '(?:a|(b))', '$', '^'],
)
const quantifier = fc.constantFrom('', '', '', '+', '*', '?', '+?', '{2}', '{1,3}')
const pattern = fc
  .array(
    fc.tuple(piece, quantifier).map(([part, count]) => {
      return /^[$^\\]b?$|^\(\?[=!<]/.test(part) && !part.startsWith('(?<n>') ? part : part + count
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => {
    try {
      return new RegExp(`^${text}$`).source !== ''
    } catch {
      return false
    }
  })
const name = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'A'), maxLength: 7 })

test('a trial matches the names that V8 matches, also with back-references', () => {
  fc.assert(
    fc.property(pattern, fc.array(name, { minLength: 10 }), (text, names) => {
      const trial = new Trial(parsePattern(text), FEW_STEPS)
      const rule = new RegExp(`^${text}$`)
      const wrong = names.filter((one) => {
        const { matches, steps } = trial.run(one)
        return steps <= FEW_STEPS && matches !== rule.test(one)
      })
      expect([text, wrong]).toEqual([text, []])
    }),
    { numRuns: 3000, seed: 71 },
  )
})

test('a trial gives up after its limit of steps', () => {
  const trial = new Trial(parsePattern('(a)(a|\\1)+b'), FEW_STEPS)
  expect(trial.run('aaaab')).toEqual({ matches: true, steps: 13 })
  expect(trial.run('a'.repeat(40))).toEqual({ matches: false, steps: FEW_STEPS + 1 })
})
