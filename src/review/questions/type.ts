import { readOf } from '../facts.ts'
import { keptText } from '../kept-flags.ts'
import { goes, type Question, skipped, stays, unknown } from '../question.ts'

// Flags of these types stay.
const permanentTypes: readonly (string | undefined)[] = ['kill-switch', 'permission']

export const type: Question = {
  id: 'type',
  states: 'flags of its type go, and no configuration keeps it',
  gives: ['permanent'],
  answer({ flag, kept, document }, { includePermanent, types }) {
    if (!flag) return skipped('the service does not list it')
    if (includePermanent) return goes()
    const flagType = flag.type
    if (kept && !kept.hasExpired) return stays('permanent', keptText(kept))
    if (permanentTypes.includes(flagType)) return stays('permanent', `type ${flagType}`)
    if (!flagType) return unknown('the service does not report its type')
    if (!types.has(flagType)) return unknown(`the service has no type ${flagType}`)
    const other = readOf(document)?.flag.type ?? flagType
    if (other !== flagType) return unknown(`its own document has the type ${other}`)
    return kept ? goes(keptText(kept)) : goes()
  },
}
