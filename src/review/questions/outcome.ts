import { FlagadmError } from '../../errors.ts'
import { timeOf } from '../../input/time.ts'
import { ageText, DAY_MS } from '../../output/time.ts'
import { goes, type Question, stays } from '../question.ts'
import { isFiltered } from '../terms.ts'
import { coveredUsage } from '../usage-evidence.ts'

export const outcome: Question = {
  id: 'outcome',
  states: 'it is not on in every evaluation, past the lifetime of its type',
  gives: ['in-use'],
  answer({ flag, usage }, terms) {
    if (usage === undefined) return 'usage'
    if (!flag || usage instanceof FlagadmError) return goes()
    const { totals } = usage
    const { doubts } = coveredUsage(flag, usage, terms)
    if (isFiltered(terms) || doubts.length > 0 || terms.unknownFilters.length > 0) return goes()
    const { now } = terms.span
    const { type, environments } = flag
    const age = now - (timeOf(flag.createdAt) ?? now)
    const isOn = environments.length > 0 && environments.every(({ enabled }) => enabled)
    const lifetime = terms.types.get(type ?? '') ?? null
    const isOld = lifetime !== null && age > lifetime * DAY_MS
    if (!isOld || !isOn || totals.enabled === 0 || totals.disabled !== 0) return goes()
    return stays('in-use', `on everywhere, ${ageText(age)} old: make it permanent in code`)
  },
}
