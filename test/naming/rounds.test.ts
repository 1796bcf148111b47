// Rounds of loops whose body may be empty: engines give up an optional round that has read nothing.
import { expect, test } from 'vitest'
import { RuleAutomaton } from '../../src/naming/analysis/automaton.ts'
import { Budget } from '../../src/naming/analysis/budget.ts'
import { Formulas } from '../../src/naming/analysis/formulas.ts'
import { StepCounter } from '../../src/naming/analysis/step-count.ts'

/** All names of up to four of the characters `a` and `b`. */
const names = ['']
for (const name of names) if (name.length < 4) names.push(`${name}a`, `${name}b`)

test.each([
  // A round must read something.
  ['(?:a?)*b', ['b', 'ab', 'aab', 'aaab']],
  ['(?:a*)*', ['', 'a', 'aa', 'aaa', 'aaaa']],
  ['(?:|a)+', ['', 'a', 'aa', 'aaa', 'aaaa']],
  // Required rounds may read nothing.
  ['(?:a?){2}b', ['b', 'ab', 'aab']],
  ['(?:a?b?){2,3}', undefined],
  // A round inside a round: both end with the same character.
  ['(?:(?:a?)*b?)*', undefined],
  ['(?:(?:a|b?)*a)*', undefined],
  // Where the order of the branches decides what a round reads.
  ['(?:|a|ab)*b', undefined],
  ['(?:a*?b??)*?a', undefined],
  // Look-arounds read nothing.
  ['(?:(?=a)|b)*a', ['a', 'ba', 'bba', 'bbba']],
  ['(?:(?<=a)b?|a)*', undefined],
])('%s accepts the names that V8 accepts', (pattern, expected) => {
  const budget = new Budget(new AbortController().signal)
  const formulas = new Formulas(budget)
  const start = formulas.read(pattern)
  const automaton = new RuleAutomaton(formulas, [start], budget)
  const accepted = names.filter((name) => {
    const state = [...name].reduce((from, next) => automaton.step(from, next), automaton.start)
    return automaton.verdicts(state)[0]
  })
  const rule = new RegExp(`^${pattern}$`)
  expect(accepted).toEqual(names.filter((name) => rule.test(name)))
  const matched = names.filter((name) => new StepCounter(formulas, name, budget).run(start).matches)
  expect(matched).toEqual(accepted)
  if (expected) expect(accepted).toEqual(expected)
})
