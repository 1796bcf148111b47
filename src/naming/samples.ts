import { orElse } from './engine/budget.ts'
import type { Condition } from './engine/comparison.ts'
import { isLegalName } from '../input/flag-names.ts'
import { capitalized } from './engine/token.ts'
import type { ExaminedRule } from './engine/examined-rule.ts'

const wanted = 3

/** Names that illustrate a rule. */
export interface Samples {
  accepts: string[]
  rejects: string[]
}

/** Typical mistakes in writing a name. */
const mistakes: readonly ((name: string) => string)[] = [
  capitalized,
  (name) => name.replaceAll('-', '_'),
  (name) => name.replace(/^[A-Za-z0-9]+[^A-Za-z0-9]/, ''),
  (name) => name.replaceAll('_', '-'),
  (name) => name.replace(/[^A-Za-z0-9][A-Za-z0-9]+$/, ''),
  (name) => name.toLowerCase(),
  (name) => name.replaceAll('.', '-'),
  (name) => `${name}-`,
  (name) => `my-${name}`,
  (name) => name.toUpperCase(),
  (name) => name.slice(0, -1),
  (name) => `${name}!`,
]

/** Up to three legal names that pass, the example first, and up to three near misses. */
export async function samplesOf({ rule, comparison, matcher }: ExaminedRule): Promise<Samples> {
  /** The legal names among these that have the verdict. */
  async function having(verdict: boolean, names: readonly string[]): Promise<string[]> {
    const legal = [...new Set(names)].filter(isLegalName)
    const verdicts = await matcher().match(legal)
    return legal.filter((_, i) => verdicts[i] === verdict)
  }

  /** For each mistake, its result for the first accepted name that then fails. */
  async function nearMisses(accepts: readonly string[]): Promise<string[]> {
    const misses = await Promise.all(
      mistakes.map(async (mistake) => (await having(false, accepts.map(mistake))).slice(0, 1)),
    )
    return [...new Set(misses.flat())].slice(0, wanted)
  }

  async function found(isWanted: Condition): Promise<string[]> {
    const all = await orElse(comparison(), undefined)
    const names = all?.names(isWanted, wanted) ?? []
    if (!all || names.length === wanted) return names
    return [...names, ...(await all.guesses(isWanted, wanted))]
  }

  const { example = '' } = rule
  const others = await found(([accepted]) => accepted === true)
  const accepts = (await having(true, [example, ...others])).slice(0, wanted)
  const near = await nearMisses(accepts)
  if (near.length === wanted) return { accepts, rejects: near }
  const rest = await having(false, await found(([accepted]) => accepted === false))
  return { accepts, rejects: [...new Set([...near, ...rest])].slice(0, wanted) }
}
