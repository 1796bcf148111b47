// Decides about a flag from the answers to all questions.
import { type Flag, isOnSomewhere } from '../flags/flag.ts'
import { keptText } from './kept-flags.ts'
import { type Facts, readOf, type Source, sources } from './facts.ts'
import type { Answer, Outcome, Question } from './question.ts'
import { questions } from './questions.ts'
import { dependents } from './questions/dependents.ts'
import { listed } from './questions/listed.ts'
import { unused } from './questions/unused.ts'
import { isFiltered, type Terms } from './terms.ts'
import { coveredFor, stateTexts, timeTexts } from './texts.ts'
import { coveredUsage } from './usage-evidence.ts'
import { factsOfVerdict, going, type Verdict } from './verdicts.ts'

/** An answer for programs, and for people who look at one flag. */
interface GivenAnswer extends Pick<Answer, 'says' | 'texts'> {
  /** The id of the question. */
  question: string
}

export interface Decision {
  verdict: Verdict
  /** What usage alone says about the span. */
  usageState: 'used' | 'unused' | 'unclear'
  /** The decisive one first: a table shows only that. */
  reasons: readonly string[]
  /** The decisive reason with rounded counts, if it has a count. */
  rounded?: string | undefined
  /** The answers that were needed, in the order of the questions. */
  answers: readonly GivenAnswer[]
  /** What a finished flag answers. */
  outcome?: Outcome | undefined
}

/** A question and what the facts say to it: an answer, or the source that it needs. */
interface Asked {
  question: Question
  answer: Answer | Source
}

/** Nothing else is asked about a name that is in no list. */
function ask(facts: Facts, terms: Terms, asked = questions): Asked[] {
  const those = facts.absence ? [listed] : asked
  return those.map((question) => ({ question, answer: question.answer(facts, terms) }))
}

interface Answered {
  question: Question
  answer: Answer
}

const isAnswered = (asked: Asked): asked is Answered => typeof asked.answer === 'object'

function verdictOf({ question, answer }: Answered): Verdict {
  if (answer.says !== 'stays') return answer.says === 'unknown' ? 'unclear' : 'removable'
  const { verdict } = answer
  // What a question gives decides what is read.
  if (question.gives?.includes(verdict)) return verdict
  throw new Error(`the question ${question.id} gives ${verdict}, but does not say so`)
}

const strengthOf = (verdict: Verdict) => factsOfVerdict(verdict).strength

const stronger = (one: Verdict, other: Verdict) =>
  strengthOf(other) > strengthOf(one) ? other : one

/** The verdict if no answer is stronger; a part of the usage proves nothing unused. */
function weakest({ flag }: Facts, terms: Terms): Verdict {
  if (isFiltered(terms)) return 'unclear'
  return flag && isOnSomewhere(flag) ? 'still-on' : 'removable'
}

function strongest(facts: Facts, answered: readonly Answered[], terms: Terms): Verdict {
  return answered.map(verdictOf).reduce(stronger, weakest(facts, terms))
}

/** Whether an answer leaves it possible that the flag is not used. */
const mayBeUnused = ({ question, answer }: Answered) =>
  !question.isAboutUsage || answer.says === 'goes' || answer.says === 'skipped'

/** The cheapest source that an open question needs which matters: what it says may decide. */
export function neededSource(facts: Facts, terms: Terms): Source | undefined {
  const all = ask(facts, terms)
  const answered = all.filter(isAnswered)
  const strength = strengthOf(strongest(facts, answered, terms))
  const isUsageOpen = terms.tellsUnused && answered.every(mayBeUnused)
  const needed = all.flatMap(({ question, answer }) => {
    if (typeof answer === 'object') return []
    const possible: Verdict[] = ['unclear', ...(question.gives ?? [])]
    const isStronger = possible.some((verdict) => strengthOf(verdict) > strength)
    return isStronger || (isUsageOpen && question.isAboutUsage) ? [answer] : []
  })
  return sources.find((source) => needed.includes(source))
}

/** What the questions about usage in the span say; an open one proves nothing. */
function usageStateOf({ flag }: Facts, asked: readonly Asked[]): Decision['usageState'] {
  const about = asked.filter(({ question }) => question.isAboutUsage)
  const answers = about.filter(isAnswered).map(({ answer }) => answer.says)
  if (answers.includes('stays')) return 'used'
  const isOpen = answers.length < about.length || answers.includes('unknown')
  return !flag || isOpen ? 'unclear' : 'unused'
}

const FILTERED = '--app and --environment leave out usage'

/** Why nothing keeps a flag: that it is not used comes first and, if it is on, where, because someone should find out why. */
function whyItGoes(facts: Facts, flag: Flag, answered: readonly Answered[], terms: Terms) {
  const going = answered.filter(({ answer }) => answer.says === 'goes')
  const textsOf = (some: readonly Answered[]) => some.flatMap(({ answer }) => answer.texts)
  const others = textsOf(going.filter(({ question }) => question !== unused))
  const state = stateTexts(flag)
  const times = timeTexts(flag, terms, { hasAge: true })
  if (!isOnSomewhere(flag)) {
    const usage = textsOf(going.filter(({ question }) => question === unused))
    return [...usage, ...others, ...state, ...times]
  }
  const usage = readOf(facts.usage)
  const covered = usage && coveredFor(coveredUsage(flag, usage, terms), terms.span)
  const unusedFor = covered === undefined ? 'unused' : `unused ${covered}`
  return [[unusedFor, ...state].join(', '), ...others, ...times]
}

function reasonsOf(
  facts: Facts,
  { verdict, answered, open }: { verdict: Verdict; answered: readonly Answered[]; open: Asked[] },
  terms: Terms,
): string[] {
  const { flag } = facts
  const givers = answered.filter((one) => verdictOf(one) === verdict)
  const textsOf = (says: Answer['says']) =>
    answered.flatMap(({ answer }) => (answer.says === says ? answer.texts : []))
  switch (verdict) {
    case 'removable':
    case 'still-on':
      return flag ? whyItGoes(facts, flag, answered, terms) : []
    case 'finished': {
      const [kept = '', ...remarks] = givers.flatMap(({ answer }) => answer.texts)
      const uses = answered.filter((one) => verdictOf(one) === 'in-use')
      return [kept, ...uses.flatMap(({ answer }) => answer.texts), ...remarks]
    }
    case 'unclear':
      return [
        // Several questions may need a source that could not be read.
        ...new Set(textsOf('unknown')),
        ...(isFiltered(terms) ? [FILTERED] : []),
        ...open.map(({ answer }) => `its ${answer} could not be asked for`),
        ...(flag ? [...stateTexts(flag), ...timeTexts(flag, terms)] : []),
        ...(facts.kept?.hasExpired ? [keptText(facts.kept)] : []),
      ]
    default:
      return givers.flatMap(({ answer }) => answer.texts)
  }
}

const outcomeOf = (answered: readonly Answered[]) =>
  answered.flatMap(({ answer }) => (answer.says === 'stays' ? (answer.outcome ?? []) : []))[0]

const roundedOf = (answered: readonly Answered[]) =>
  answered.flatMap(({ answer }) => (answer.says === 'stays' ? (answer.rounded ?? []) : []))[0]

/** Folds the answers: the strongest one decides, and a question that is open proves nothing. */
function fold(facts: Facts, asked: readonly Asked[], terms: Terms): Decision {
  const answered = asked.filter(isAnswered)
  const settled = strongest(facts, answered, terms)
  // An open question is of no interest where a stronger answer decides.
  const open = going.has(settled) ? asked.filter((one) => !isAnswered(one)) : []
  const verdict = open.length > 0 ? 'unclear' : settled
  return {
    verdict,
    usageState: usageStateOf(facts, asked),
    reasons: reasonsOf(facts, { verdict, answered, open }, terms),
    rounded: verdict === 'in-use' ? roundedOf(answered) : undefined,
    answers: answered.map(({ question, answer: { says, texts } }) => {
      return { question: question.id, says, texts }
    }),
    outcome: verdict === 'finished' ? outcomeOf(answered) : undefined,
  }
}

export function decide(facts: Facts, terms: Terms): Decision {
  return fold(facts, ask(facts, terms), terms)
}

const others = questions.filter((question) => question !== dependents)

/** The verdict on a flag, whatever depends on it. */
export function ownVerdict(facts: Facts, terms: Terms): Verdict {
  return fold(facts, ask(facts, terms, others), terms).verdict
}
