// Whether production has answered a flag in the same way for long enough to do without it in code.
import { FlagadmError, problemText } from '../../errors.ts'
import { isObject } from '../../input/json.ts'
import { timeOf } from '../../input/time.ts'
import { totalOf } from '../../flags/records.ts'
import type { Flag } from '../../flags/flag.ts'
import { askedText } from '../../flags/span.ts'
import type { Strategy } from '../../service/schema.ts'
import { listed } from '../../output/incomplete.ts'
import { DAY_MS } from '../../output/time.ts'
import type { Facts, Source } from '../facts.ts'
import { isAfter } from '../near.ts'
import type { OwnDocument } from '../own-document.ts'
import { type Answer, goes, type Outcome, type Question, skipped, stays } from '../question.ts'
import { answerChange, type RecentChanges } from '../recent-changes.ts'
import { isFiltered, type Terms } from '../terms.ts'
import { type CoveredUsage, coveredUsage, type Served } from '../usage-evidence.ts'
import { occasionText } from '../texts.ts'
import { figures } from './figures.ts'

// A monthly job, or a busy afternoon, shows nothing that lasts.
const MIN_DAYS = 8
const WEEK_MS = 7 * DAY_MS

/** What SDKs call the variant of a flag that has none. */
const NO_VARIANT = 'disabled'

/** The environments whose answers count: those of type production, or where the flag is on if there are none. */
function countedEnvironments({ environments }: Flag) {
  const production = environments.filter(({ type }) => type === 'production')
  return production.length > 0 ? production : environments.filter(({ enabled }) => enabled)
}

/** What was answered where answers count; an environment without a name may be one of those. */
function countedAnswers(flag: Flag, served: readonly Served[]): Served[] {
  const names = countedEnvironments(flag).map(({ name }) => name)
  return served.filter(
    ({ environment }) => environment === undefined || names.includes(environment),
  )
}

/** The one thing that answers were. */
type Value = Pick<Outcome, 'answer' | 'variant'>

/** The one thing that some answers have in common; undefined if they differ, or if there are none. */
function commonAnswer(answers: readonly Served[]): Value | undefined {
  const { enabled, disabled } = totalOf(answers)
  const [variant = NO_VARIANT, ...others] = new Set(answers.flatMap(({ variants }) => variants))
  if (others.length > 0 || enabled > 0 === disabled > 0) return undefined
  if (variant === NO_VARIANT) return { answer: enabled > 0 ? 'on' : 'off' }
  return enabled > 0 ? { answer: 'variant', variant } : undefined
}

/** Everything that the flag answered, and the one thing that it always was; undefined if it differs. */
interface Answered {
  value: Value
  answers: readonly Served[]
}

function answeredAlike(flag: Flag, served: readonly Served[]): Answered | undefined {
  const ownAnswers = countedAnswers(flag, served)
  const value = commonAnswer(ownAnswers)
  if (value && value.answer !== 'off') return { value, answers: ownAnswers }
  // On in development and off in production: it was not launched yet.
  const isOff = flag.environments.every(({ enabled }) => enabled === false)
  const common = isOff ? commonAnswer(served) : undefined
  return common?.answer === 'off' ? { value: common, answers: served } : undefined
}

/** Whether the service keeps days, and has them from the first week of the time looked at on. */
function hasDays({ from }: CoveredUsage, { limit, span }: Terms): boolean {
  return span.firstDay !== undefined && from !== undefined && from <= limit + WEEK_MS
}

/** Whether so many days are covered that answers should be on enough of them. */
function showsDays({ from }: CoveredUsage, { span }: Terms): boolean {
  return span.firstDay !== undefined && from !== undefined && from <= span.now - MIN_DAYS * DAY_MS
}

/** Whether there were answers on enough days, and in the last week. */
function areRegular(answers: readonly Served[], { span }: Terms): boolean {
  const days = new Set(answers.flatMap((one) => one.days))
  const isLate = [...days].some((day) => day + DAY_MS > span.now - WEEK_MS)
  return days.size >= MIN_DAYS && isLate
}

/** Whether there were answers in the first week of the time looked at. */
function areEarly(answers: readonly Served[], { limit }: Terms): boolean {
  return answers.some(({ days }) => days.some((day) => day <= limit + WEEK_MS))
}

/** How the flag was created or changed since the time looked at, or may have been: `changed 2 h ago by ada`. */
function changeText(flag: Flag, { changes = [] }: RecentChanges, terms: Terms): string | undefined {
  const isOld = (time: number | undefined) =>
    time !== undefined && isAfter(time, terms.limit, terms) === 'no'
  const event = answerChange(changes)
  if (event && !isOld(timeOf(event.createdAt))) {
    return `changed ${occasionText(event, terms.span.now)}`
  }
  return isOld(timeOf(flag.createdAt)) ? undefined : 'created too recently'
}

function isForEveryone({ name, parameters, constraints, segments }: Strategy): boolean {
  const { rollout } = parameters ?? {}
  const isWhole =
    name === 'default' || (name === 'flexibleRollout' && (rollout === '100' || rollout === 100))
  return isWhole && !constraints?.length && !segments?.length
}

function variantNames({ variants }: Strategy): string[] {
  return (variants ?? []).map((variant) => {
    const { name } = isObject(variant) ? variant : {}
    return typeof name === 'string' ? name : 'without a name'
  })
}

/** Whether the state of a flag may be to answer everyone in the same way, as far as the list of the project shows that. */
function mayBeSettled(flag: Flag, { value }: Answered): boolean {
  const counted = countedEnvironments(flag)
  const isPlain = counted.every(({ enabled, variantCount }) => enabled && variantCount === 0)
  return value.answer !== 'off' && isPlain
}

/** What the state of a flag makes it answer to everyone in production; undefined if that differs. */
function settledState(flag: Flag, { hasParents, strategies }: OwnDocument): Value | undefined {
  const counted = countedEnvironments(flag)
  const served = counted.map(({ name }) => {
    const [strategy, ...others] = strategies.get(name) ?? []
    const variants = strategy ? variantNames(strategy) : []
    const isOne = strategy && others.length === 0 && variants.length <= 1
    return isOne && isForEveryone(strategy) ? (variants[0] ?? NO_VARIANT) : undefined
  })
  const [first, ...others] = new Set(served)
  if (hasParents || first === undefined || others.length > 0) return undefined
  return first === NO_VARIANT ? { answer: 'on' } : { answer: 'variant', variant: first }
}

/** What both the state and the usage of two days say; an application that asks only whether the flag is on gets no variant. */
function confirmed(state: Value | undefined, { value }: Answered): Value | undefined {
  const isSame = state?.variant === value.variant || value.answer === 'on'
  return isSame ? state : undefined
}

/** What matters before the check of a flag is taken out of code. */
function remarksOf({ children = [], lifecycle }: OwnDocument): string[] {
  const texts: string[] = []
  if (children.length > 0) {
    texts.push(`${listed(children)} ${children.length === 1 ? 'depends' : 'depend'} on it`)
  }
  if (lifecycle?.stage === 'completed') texts.push('its stage in Unleash is completed')
  return texts
}

/** @param how `on for all 30 d in production` */
function finished(value: Value, how: string, document: OwnDocument, { limit }: Terms): Answer {
  const what = value.variant ? `variant ${value.variant}` : value.answer
  const kept = `keep ${what}: ${how}`
  const answer = stays('finished', kept, ...remarksOf(document))
  return { ...answer, outcome: { ...value, since: limit } }
}

/** Where the answers were given: `production` */
const placesText = ({ answers }: Answered) =>
  listed(answers.map(({ environment }) => environment ?? 'an unknown environment'))

/** `always on in production` */
function alwaysText(answered: Answered): string {
  const { answer, variant } = answered.value
  return `always ${variant ?? answer} in ${placesText(answered)}`
}

/** The answer where the figures cover the time looked at. */
function answerByDays({ document }: Facts, answered: Answered, terms: Terms): Answer | Source {
  if (document === undefined) return 'document'
  if (document instanceof FlagadmError) return skipped('its own document could not be read')
  const state = answered.value.answer === 'off' ? 'off' : 'on'
  const how = `${state} for all ${askedText(terms.notSeenFor)} in ${placesText(answered)}`
  return finished(answered.value, how, document, terms)
}

/** The answer where the service has figures of a few days only: the state of the flag has to say the same. */
function answerByState(
  { document, state }: Facts,
  flag: Flag,
  answered: Answered,
  terms: Terms,
): Answer | Source {
  if (state === 'left') return skipped('its strategies were not read')
  if (document === undefined) return 'state'
  if (document instanceof FlagadmError) return skipped('its own document could not be read')
  const value = confirmed(settledState(flag, document), answered)
  if (!value) return goes()
  const how = `on for everyone in ${placesText(answered)}, unchanged for ${askedText(terms.notSeenFor)}`
  return finished(value, how, document, terms)
}

export const outcome: Question = {
  id: 'outcome',
  states: 'production does not always give the same answer',
  gives: ['finished'],
  answer(facts, terms) {
    const { flag, usage, document, events } = facts
    if (!terms.tellsFinished) return skipped('this run does not look for finished flags')
    if (usage === undefined) return 'usage'
    if (!flag || usage instanceof FlagadmError) return skipped('its usage is not known')
    if (isFiltered(terms)) return skipped('--app and --environment leave out other usage')
    const answered = answeredAlike(flag, usage.served)
    const figuresAnswer = figures.answer(facts, terms)
    const isCertain = typeof figuresAnswer === 'object' && figuresAnswer.says === 'goes'
    if (!answered || !isCertain) return goes()
    const covered = coveredUsage(flag, usage, terms)
    const coversTime = hasDays(covered, terms)
    const { answers } = answered
    const isRare = (coversTime || showsDays(covered, terms)) && !areRegular(answers, terms)
    if (isRare || (coversTime && !areEarly(answers, terms))) {
      return goes(`${alwaysText(answered)}, but on too few days`)
    }
    if (!coversTime && !mayBeSettled(flag, answered)) return goes()
    // The events are also those of the segments that it uses, which its document has.
    if (coversTime && document === undefined) return 'document'
    if (events === undefined) return 'events'
    if (events instanceof FlagadmError) {
      return skipped(`its recent changes could not be read: ${problemText(events)}`)
    }
    if (!events.changes) return skipped('the service does not show changes of flags')
    const change = changeText(flag, events, terms)
    if (change) return goes(`${alwaysText(answered)}, but ${change}`)
    return coversTime
      ? answerByDays(facts, answered, terms)
      : answerByState(facts, flag, answered, terms)
  },
}
