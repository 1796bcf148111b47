import type { ReportItem } from '../../output/problems/text.ts'
import type { Sanitizer } from '../../output/text.ts'
import type { UnreadLookups } from '../../projects/missing.ts'
import { unreadText } from '../../projects/report/missing.ts'

/** Items for lookups in source code that could not be read. */
export function unreadItems(unread: readonly UnreadLookups[], { text }: Sanitizer): ReportItem[] {
  return unread.map((one) => ({
    code: 'unresolved',
    severity: 'warning',
    message: unreadText(one, text),
  }))
}
