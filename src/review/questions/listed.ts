import { FlagadmError } from '../../errors.ts'
import { readOf } from '../facts.ts'
import { type Answer, goes, type Question, stays, unknown } from '../question.ts'
import { useTexts } from '../texts.ts'
import { coveredUsage } from '../usage-evidence.ts'

export const listed: Question = {
  id: 'listed',
  states: 'the service lists it as a flag of a project',
  gives: ['archived', 'not-a-flag'],
  answer({ flag, absence, usage, document, code }, terms): Answer {
    if (absence) {
      const { kind, reason } = absence
      const read = readOf(usage)
      const knownUsage = read && coveredUsage(flag, read, terms)
      // Services before Unleash 7 have usage of names that do not exist.
      const uses = knownUsage?.isUsed ? useTexts(knownUsage, terms) : []
      const texts = [reason, ...uses, ...(code?.texts ?? [])]
      return kind === 'unclear' ? unknown(...texts) : stays(kind, ...texts)
    }
    if (!flag) return unknown('the service does not list its flags, so it may not exist')
    const isArchived = !(document instanceof FlagadmError) && document?.isArchived
    return isArchived ? unknown('its own document says that it is archived') : goes()
  },
}
