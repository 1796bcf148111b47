import type { AST } from '@eslint-community/regexpp'
import { isLegalName } from '../input/flag-names.ts'
import { capitalized } from '../input/spelling.ts'
import { type Budget, decide, Undecided } from './budget.ts'
import { realisticNames, type Survey } from './language.ts'
import { literalPrefix, type NameMatcher, type NamingRule } from './rule.ts'

const words = ['checkout', 'search', 'banner', 'login', '42', '123']
function withWords(start: string): string[] {
  const others = words.filter((word) => !start.includes(word))
  return [...others, ...others.map(capitalized)].map((word) => start + word)
}

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

/** A rule that is examined; its pattern compiles. */
export interface ExaminedRule {
  rule: NamingRule
  pattern: string
  matcher: NameMatcher
  budget: Budget
  /** @throws Undecided if the syntax is not known */
  tree(): AST.Pattern
  /** The verdicts on legal names. @throws Undecided */
  survey(): Promise<Survey>
}

/** Up to three legal names that pass, the example first, and up to three near misses. */
export async function samplesOf(it: ExaminedRule): Promise<Samples> {
  const { rule, pattern, matcher } = it
  const survey = await decide(() => it.survey())
  const derived = (verdict: boolean) =>
    survey instanceof Undecided ? [] : (survey.names.get(`${verdict}`) ?? [])

  /** The legal names among these that have the verdict. */
  async function having(verdict: boolean, names: readonly string[]): Promise<string[]> {
    const legal = [...new Set(names)].filter(isLegalName)
    const verdicts = await matcher(legal)
    return legal.filter((_, i) => verdicts[i] === verdict)
  }

  const [shortest = ''] = derived(true)
  const starts = [literalPrefix(pattern), shortest.slice(0, -1), shortest]
  const fitting = realisticNames.includes(shortest) ? starts.slice(0, 1) : starts
  const names = fitting.flatMap(withWords)
  const candidates = [rule.example ?? '', ...realisticNames, ...names, shortest]
  const accepts = (await having(true, candidates)).slice(0, 3)
  const misses = mistakes.map(async (of) => (await having(false, accepts.map(of))).slice(0, 1))
  const near = (await Promise.all(misses)).flat()
  const rest = await having(false, [...realisticNames, ...derived(false)])
  return { accepts, rejects: [...new Set([...near, ...rest])].slice(0, 3) }
}
