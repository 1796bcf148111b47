import { counted } from '../../output/phrases.ts'
import type { RowField } from '../../output/rows.ts'
import { safe } from '../../output/text.ts'
import type { UnknownName } from '../unknown.ts'

export const unknownFields: readonly RowField<UnknownName>[] = [
  { name: 'name', title: safe`Name`, value: ({ name }) => name },
  { name: 'application', title: safe`Application`, value: ({ application }) => application },
  { name: 'environment', title: safe`Environment`, value: ({ environment }) => environment },
  { name: 'seenAt', title: safe`Last seen`, value: ({ seenAt }) => seenAt, kind: 'date' },
]

/** The last row: how many names there are. */
export function unknownTotal(rows: readonly UnknownName[]): UnknownName {
  const count = new Set(rows.map(({ name }) => name)).size
  return { name: counted(count, 'unknown name'), application: '', environment: '', seenAt: '' }
}
