// The fields of a review: in JSON and CSV, in tables, and on the page.
import { type Flag, lastSeen, typeText } from '../flags/selection.ts'
import { field, type RowField } from '../output/fields.ts'
import { orderBy } from '../output/order.ts'
import { isoText } from '../output/time.ts'
import type { ListedRow } from './comparison.ts'
import { projectOf, type ReviewOrder } from './order.ts'
import { factsOfVerdict, verdictText } from './verdicts.ts'

/**
 * The environments in which a flag is, or was used, by name; usage without an environment is last. When the flag was seen there is as the
 * service wrote it: null for never, undefined if that is not reported.
 */
export function usageByEnvironment({ flag, usage }: ListedRow) {
  const known = new Map(flag?.environments.map((one) => [one.name, one]))
  const used = new Map(usage?.byEnvironment.map((one) => [one.name, one]))
  const none = usage ? 0 : null
  const environments = Array.from(new Set([...known.keys(), ...used.keys()]), (name) => {
    const { enabled = null, lastSeenAt } = known.get(name ?? '') ?? {}
    const { lastUsed, enabled: yes = none, disabled: no = none } = used.get(name) ?? {}
    return { name: name ?? null, enabled, lastSeenAt, lastUsed: isoText(lastUsed) ?? null, yes, no }
  })
  return environments.sort(orderBy(({ name }) => name ?? '\uffff'))
}

/** What to do with a flag, for programs; null for nothing. */
function adviceOf({ verdict, isOnEverywhere }: ListedRow): 'remove' | 'make-permanent' | null {
  if (verdict === 'removable') return 'remove'
  return isOnEverywhere ? 'make-permanent' : null
}

/** Where the searched code has a flag; undefined if that is not known. */
function referencesOf({ code }: ListedRow) {
  return code?.places?.map(({ file, line, column }) => ({ file, line, column }))
}

/** The other repositories that have a flag; undefined if that is not known. */
function repositoriesOf({ code }: ListedRow) {
  return code?.repositories?.map(({ repository, places, place }) => {
    return { repository, places, ...place }
  })
}

/** When a flag was last seen; `?` if that is not known. */
function sightingCell(flag: Flag): string | undefined {
  const { time, isReported } = lastSeen(flag)
  return isoText(time) ?? (isReported ? undefined : '?')
}

/** What the verdict was, and whether it has changed. */
const comparisonFields: readonly RowField<ListedRow>[] = [
  field.word('before', 'Before', ({ before }) => before, {
    cell: ({ before }) => (before ? verdictText(before) : 'new'),
    before: 'lastSeenAt',
  }),
  field.data('changed', ({ isChanged }) => isChanged),
]

interface FieldChoice {
  withProjects: boolean
  /** Whether to show only the decisive reason of each flag. */
  isBrief: boolean
  /** Whether to round the counts in it. */
  isRounded: boolean
  /** Whether the review is compared with an earlier one. */
  isCompared: boolean
  sort: ReviewOrder
}

export function reviewFields(
  now: number,
  { withProjects, isBrief, isRounded, isCompared, sort }: FieldChoice,
): RowField<ListedRow>[] {
  const decisive = ({ reasons, rounded }: ListedRow) =>
    (isRounded ? rounded : undefined) ?? reasons[0]
  return [
    field.key('flag', 'Flag', ({ name }) => name),
    field.name('project', withProjects ? 'Project' : undefined, (row) => projectOf(row) || null, {
      dropOrder: 3,
    }),
    field.word('verdict', 'Verdict', ({ verdict }) => verdict, {
      cell: ({ verdict, isOn }) => verdictText(verdict) + (isOn ? ' (on)' : ''),
      // One that is on where no SDK asked for it is not as certain as the others.
      style: ({ verdict, isOn }) => {
        if (isOn) return 'magenta'
        return verdict ? factsOfVerdict(verdict).style : 'dim'
      },
    }),
    field.time('lastSeenAt', 'Last seen', ({ flag }) => flag && isoText(lastSeen(flag).time), {
      cell: ({ flag }) => flag && sightingCell(flag),
      dropOrder: 2,
    }),
    field.word('type', 'Type', ({ flag }) => flag?.type, {
      cell: ({ flag }) => flag && typeText(flag),
      dropOrder: 1,
    }),
    field.text('reasons', isBrief ? 'Reason' : 'Reasons', ({ reasons }) => reasons, {
      cell: (row) => (isBrief ? decisive(row) : row.reasons.join('; ')),
    }),
    field.data('usage', ({ usageState }) => usageState),
    field.data('stale', ({ flag }) => flag?.stale),
    field.time('createdAt', sort === 'age' ? 'Created' : undefined, ({ flag }) => flag?.createdAt, {
      before: 'lastSeenAt',
    }),
    field.data('lastUsed', ({ usage }) => isoText(usage?.lastUsed)),
    field.data('from', ({ usage }) => isoText(usage?.from)),
    field.data('to', () => isoText(now)),
    field.data('lifecycle', ({ lifecycle }) => lifecycle),
    field.data('yes', ({ usage }) => usage?.totals.enabled),
    field.data('no', ({ usage }) => usage?.totals.disabled),
    field.data('dependents', ({ dependents }) => dependents),
    field.data('references', referencesOf),
    field.data('environments', usageByEnvironment),
    field.data('createdBy', ({ createdBy }) => createdBy),
    field.data('advice', adviceOf),
    field.data('repositories', repositoriesOf),
    field.data('answers', ({ answers }) => answers),
    ...(isCompared ? comparisonFields : []),
  ]
}
