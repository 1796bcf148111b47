import { isLegalName } from '../input/flag-names.ts'
import { capitalized } from '../input/spelling.ts'
import { orUndecided, Undecided } from './analysis/budget.ts'
import { realisticNames } from './analysis/survey.ts'
import type { ExaminedRule } from './examined-rule.ts'
import { literalPrefix } from './rule.ts'

const words = ['checkout', 'search', 'banner', 'login', '42', '123']

function withWords(start: string): string[] {
  const others = words.filter((word) => !start.includes(word))
  return [...others, ...others.map(capitalized)].map((word) => start + word)
}

export interface Samples {
  accepts: string[]
  rejects: string[]
}

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

const MAX_SAMPLES = 3

/** Up to three legal names that pass, the example first, and up to three near misses. */
export async function samplesOf(it: ExaminedRule): Promise<Samples> {
  const { rule, pattern, matcher } = it
  const survey = await orUndecided(() => it.survey())
  const derived = (verdict: boolean) =>
    survey instanceof Undecided ? [] : survey.examples({ rule: verdict })

  async function having(verdict: boolean, names: readonly string[]): Promise<string[]> {
    const legal = [...new Set(names)].filter(isLegalName)
    const verdicts = await matcher(legal)
    return legal.filter((_, index) => verdicts[index] === verdict)
  }

  const [shortest = ''] = derived(true)
  const prefix = literalPrefix(pattern)
  const isRealistic = realisticNames.includes(shortest)
  const starts = isRealistic ? [prefix] : [prefix, shortest.slice(0, -1), shortest]
  const names = starts.flatMap(withWords)
  const candidates = [rule.example ?? '', ...realisticNames, ...names, shortest]
  const accepts = (await having(true, candidates)).slice(0, MAX_SAMPLES)
  const rejects = new Set<string>()
  for (const mistake of mistakes) {
    const [miss] = await having(false, accepts.map(mistake))
    if (miss !== undefined) rejects.add(miss)
  }
  for (const name of await having(false, [...realisticNames, ...derived(false)])) rejects.add(name)
  return { accepts, rejects: [...rejects].slice(0, MAX_SAMPLES) }
}
