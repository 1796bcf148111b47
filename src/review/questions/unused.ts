import { FlagadmError, problemText } from '../../errors.ts'
import { matcherOf } from '../../input/wildcards.ts'
import { roundedCount } from '../../output/numbers.ts'
import { orderBy } from '../../output/order.ts'
import { latest } from '../../flags/records.ts'
import { lastSeen, seenKey } from '../../flags/flag.ts'
import { periodOf } from '../../flags/span.ts'
import { type Facts, readOf, versionsOf } from '../facts.ts'
import { differenceText, isAfter, isUnreliable } from '../near.ts'
import { type Answer, goes, type Question, stays, unknown } from '../question.ts'
import type { Terms } from '../terms.ts'
import { coverText, evaluationsText, stateTexts, timeTexts, useTexts } from '../texts.ts'
import { type CoveredUsage, coveredUsage } from '../usage-evidence.ts'

/** Whether a use or a sighting was in the span, as far as one of them shows that. */
function isIn(
  time: number | undefined,
  from: number | undefined,
  terms: Terms,
): 'yes' | 'no' | 'open' {
  const { start } = terms.span
  return time === undefined ? 'no' : isAfter(time, Math.min(start, from ?? start), terms)
}

/** Whether the flag was seen in the span; a sighting does not show which application saw it. */
function isSeen(facts: Facts, from: number | undefined, terms: Terms): 'yes' | 'no' | 'open' {
  const { application, environment } = terms
  if (application) return 'no'
  const matches = environment && matcherOf(environment)
  const times = versionsOf(facts).map((flag) => lastSeen(flag, matches).time)
  return isIn(latest(times), from, terms)
}

/** Whether usage was in the span: the last one may have been at the end of its hour, or day. */
function isUsed({ lastUsed, isUsed, from }: CoveredUsage, terms: Terms): 'yes' | 'no' | 'open' {
  if (lastUsed === undefined || !isUsed) return isUsed ? 'yes' : 'no'
  const end = lastUsed + periodOf(lastUsed, terms.span)
  return isIn(end, from, terms) === 'open' ? 'open' : 'yes'
}

/** The answer for a flag that was seen: when, and whether it is on. */
function seenAnswer(facts: Facts, terms: Terms): Answer {
  const [seenLast] = versionsOf(facts).sort(orderBy((flag) => -seenKey(flag)))
  const texts = seenLast
    ? [...timeTexts(seenLast, terms).toReversed(), ...stateTexts(seenLast)]
    : []
  return stays('in-use', ...texts)
}

export const unused: Question = {
  id: 'unused',
  states: 'no usage of it was reported in the span, and it was not seen in it',
  gives: ['in-use'],
  isAboutUsage: true,
  answer(facts, terms) {
    const read = readOf(facts.usage)
    const usage = read && coveredUsage(facts.flag, read, terms)
    const seen = isSeen(facts, usage?.from, terms)
    if (!usage) {
      // The list settles it.
      if (seen === 'yes') return seenAnswer(facts, terms)
      if (!(facts.usage instanceof FlagadmError)) return 'usage'
      return unknown(`the usage could not be read: ${problemText(facts.usage)}`)
    }
    const uses = isUsed(usage, terms)
    if (uses === 'yes' || seen === 'yes') {
      if (!usage.isUsed) return seenAnswer(facts, terms)
      const rounded = evaluationsText(usage, terms.span, roundedCount)
      return { ...stays('in-use', ...useTexts(usage, terms)), rounded }
    }
    const difference = differenceText(terms)
    if (isUnreliable(terms)) return unknown(`${difference}, so no time can be relied on`)
    if (uses === 'open' || seen === 'open') {
      return unknown(`${difference}, so its last usage may or may not be in the span`)
    }
    return goes(`no usage${coverText(usage, terms.span)}`)
  },
}
