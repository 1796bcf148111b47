import { FlagadmError } from '../errors.ts'

/** Counts the steps back in matching, so that rules made to take long end the run. */
export interface Budget {
  steps: number
}

const MOST_STEPS = 300_000_000

/** Steps for one run: some seconds at most, and far more than real rules need. */
export function createBudget(): Budget {
  return { steps: MOST_STEPS }
}

function spend(budget: Budget): void {
  if (budget.steps-- > 0) return
  throw new FlagadmError('usage', '.gitignore: matching its rules takes too many steps', {
    hint: 'use fewer wildcards in the rules',
  })
}

/**
 * Whether tokens match items, where a token is `'*'` for any number of items or a test of one. Going
 * back to the last star suffices, so the time is at most the product of both lengths.
 */
export function matchesAll<Token>(
  tokens: readonly (Token | '*')[],
  length: number,
  matches: (token: Token, index: number) => boolean,
  budget: Budget,
): boolean {
  let [token, item, star, retry] = [0, 0, -1, 0]
  while (item < length) {
    const current = tokens[token]
    if (current === '*') {
      star = token++
      retry = item
    } else if (current !== undefined && matches(current, item)) {
      token++
      item++
    } else if (star >= 0) {
      spend(budget)
      token = star + 1
      item = ++retry
    } else {
      return false
    }
  }
  while (tokens[token] === '*') token++
  return token === tokens.length
}
