import fc from 'fast-check'
import { expect } from 'vitest'
import { Budget, orUndecided, Undecided } from '../../src/naming/analysis/budget.ts'
import { relate } from '../../src/naming/analysis/relation.ts'
import { deadBranchFindings } from '../../src/naming/dead-branches.ts'
import { examinedRule } from '../../src/naming/examined-rule.ts'
import { anyPattern, regularPattern } from './arbitraries.ts'

const { signal } = new AbortController()

/** The messages about dead branches of a pattern. */
export async function deadBranches(pattern: string): Promise<string[]> {
  const rule = examinedRule({ pattern }, pattern, new Budget(signal))
  const findings = await deadBranchFindings(rule)
  return findings.map(({ message }) => message)
}

const separator = fc.constantFrom('', '-', '(?=.)', '(?<!-)', '\\b')

/** A branch that needs an illegal character is dead, whatever is around it. */
export const illegalBranchIsDead = fc.asyncProperty(
  regularPattern,
  separator,
  regularPattern,
  async (before, mark, branch) => {
    const pattern = `(?:${before})${mark}(?:x|(?:${branch})/)+`
    const { relation } = await relate(pattern, '[]', new Budget(signal))
    fc.pre(relation === 'narrower')
    expect(await deadBranches(pattern)).not.toEqual([])
  },
)

/** A pattern without the part that a message is about; undefined if the message shows only its start. */
function without(pattern: string, message: string): string | undefined {
  const { part = '', place = '' } =
    /(?<part>\S+) at character (?<place>\d+)/.exec(message)?.groups ?? {}
  if (part.endsWith('…')) return undefined
  const start = Number(place) - 1
  expect(pattern.slice(start, start + part.length)).toBe(part)
  const nothing = message.includes('optional part') ? '' : '[]'
  return `${pattern.slice(0, start)}${nothing}${pattern.slice(start + part.length)}`
}

/** A pattern accepts the same names without a dead branch. */
export const deadBranchIsNotNeeded = fc.asyncProperty(anyPattern, async (text) => {
  const pattern = `(?:${text})`
  const messages = await orUndecided(() => deadBranches(pattern))
  for (const message of messages instanceof Undecided ? [] : messages) {
    const rest = without(pattern, message)
    if (rest === undefined) continue
    const { relation } = await relate(pattern, rest, new Budget(signal))
    expect(['equal', 'undecided'], `${pattern} and ${rest}`).toContain(relation)
  }
})
