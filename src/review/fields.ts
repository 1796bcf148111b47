// The fields of a review: in JSON and CSV, in tables, and on the page.
import { type Flag, lastSeen, typeText } from '../flags/flag.ts'
import { timeOf } from '../input/time.ts'
import { addressCell } from '../output/addresses.ts'
import { field, type RowField } from '../output/fields.ts'
import { orderBy } from '../output/order.ts'
import { ageText, isoText } from '../output/time.ts'
import type { ListedRow } from './comparison.ts'
import { projectOf, rankOf, type ReviewOrder } from './order.ts'
import {
  changeText,
  codeLines,
  codeText,
  createdLines,
  environmentLine,
  evaluationCount,
  hourShares,
  onText,
  reasonText,
  type ReviewTimes,
  usageLines,
  usageText,
} from './page/views.ts'
import { briefText } from './texts.ts'
import { verdictStyle, verdictText } from './verdicts.ts'

/**
 * The environments in which a flag is, or was used, by name; usage without an environment is last. When the flag was seen there is as the
 * service wrote it: null for never, undefined if that is not reported.
 */
function usageByEnvironment({ flag, usage }: ListedRow) {
  const stateByName = new Map(flag?.environments.map((one) => [one.name, one]))
  const used = new Map(usage?.byEnvironment.map((one) => [one.name, one]))
  const none = usage ? 0 : null
  const environments = Array.from(new Set([...stateByName.keys(), ...used.keys()]), (name) => {
    const { enabled = null, lastSeenAt } = stateByName.get(name ?? '') ?? {}
    const { lastUsed, enabled: yes = none, disabled: no = none } = used.get(name) ?? {}
    return { name: name ?? null, enabled, lastSeenAt, lastUsed: isoText(lastUsed) ?? null, yes, no }
  })
  return environments.sort(orderBy(({ name }) => name ?? '\uffff'))
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
    cell: ({ before, isBySpan }) => {
      return before ? verdictText(before) + (isBySpan ? ' (shorter span)' : '') : 'new'
    },
    before: 'lastSeenAt',
  }),
  field.data('changed', ({ isChanged }) => isChanged),
  field.data('changedBySpan', ({ isBySpan }) => isBySpan),
]

interface FieldChoice {
  withProjects: boolean
  /** Whether to show only the decisive reason of each flag. */
  isBrief: boolean
  /** Whether to round the counts in it. */
  isRounded: boolean
  /** Whether to leave out what explains it. */
  isShort: boolean
  /** Whether the review is compared with an earlier one. */
  isCompared: boolean
  /** Those of the flags; a column needs one. */
  owners: readonly ListedRow['owner'][]
  sort: ReviewOrder
}

function ageCell(createdAt: string | undefined, now: number): string | undefined {
  const created = timeOf(createdAt)
  return created === undefined ? undefined : ageText(now - created)
}

/** How old something is in minutes, for sorting. */
function minutesSince(time: number | undefined, now: number): number | undefined {
  return time === undefined ? undefined : Math.floor((now - time) / 60_000)
}

/** The flag and the answer about it: the columns of every table. */
function answerFields(
  { now }: ReviewTimes,
  { withProjects, isBrief, isRounded, isShort, sort }: FieldChoice,
): RowField<ListedRow>[] {
  const decisive = ({ reasons, rounded }: ListedRow) => {
    const reason = (isRounded ? rounded : undefined) ?? reasons[0]
    return reason !== undefined && isShort ? briefText(reason) : reason
  }
  return [
    field.key('flag', 'Flag', ({ name }) => name, { page: {} }),
    field.name('project', withProjects ? 'Project' : undefined, (row) => projectOf(row) || null, {
      dropOrder: 3,
      page: { title: 'Project', unfiltered: 'All projects' },
    }),
    field.word('verdict', 'Verdict', ({ verdict }) => verdict, {
      cell: ({ verdict }) => verdictText(verdict),
      style: ({ verdict }) => verdictStyle(verdict),
      page: { note: changeText, key: rankOf },
    }),
    field.time('lastSeenAt', 'Last seen', ({ flag }) => flag && isoText(lastSeen(flag).time), {
      cell: ({ flag }) => flag && sightingCell(flag),
      dropOrder: sort === 'last-seen' ? undefined : 2,
      page: { key: ({ flag }) => minutesSince(flag && lastSeen(flag).time, now) },
    }),
    field.word('type', 'Type', ({ flag }) => flag?.type, {
      cell: ({ flag }) => flag && typeText(flag),
      dropOrder: 1,
      page: {
        cell: ({ flag }) => flag?.type,
        note: ({ flag }) => (flag?.stale ? 'stale' : undefined),
        unfiltered: 'All types',
      },
    }),
    field.text('reasons', isBrief ? 'Reason' : 'Reasons', ({ reasons }) => reasons, {
      cell: (row) => (isBrief ? decisive(row) : row.reasons.join('; ')),
      isDitto: isBrief,
      page: {
        title: 'Reason',
        cell: (row) => reasonText(row, now),
        details: { title: 'Reasons', lines: ({ reasons }) => reasons },
      },
    }),
  ]
}

/** What is known about the state and the usage of a flag. */
function stateFields(times: ReviewTimes, { sort }: FieldChoice): RowField<ListedRow>[] {
  const { now } = times
  return [
    field.word('usage', undefined, ({ usageState }) => usageState, {
      before: 'reasons',
      page: {
        title: 'Usage',
        cell: usageText,
        key: evaluationCount,
        isGreatestFirst: true,
        chart: (row) => hourShares(row, times),
        details: { title: 'Usage', lines: (row) => usageLines(row, times) },
      },
    }),
    field.data('stale', ({ flag }) => flag?.stale),
    field.time('createdAt', sort === 'age' ? 'Created' : undefined, ({ flag }) => flag?.createdAt, {
      before: 'lastSeenAt',
      page: {
        title: 'Age',
        cell: ({ flag }) => ageCell(flag?.createdAt, now),
        key: ({ flag }) => minutesSince(timeOf(flag?.createdAt), now),
        details: { title: 'Created', lines: (row) => createdLines(row, now) },
      },
    }),
    field.data('lastUsed', ({ usage }) => isoText(usage?.lastUsed)),
    field.data('from', ({ usage }) => isoText(usage?.from)),
    field.data('to', () => isoText(now)),
    field.data('lifecycle', ({ lifecycle }) => lifecycle),
    field.data('yes', ({ usage }) => usage?.totals.enabled),
    field.data('no', ({ usage }) => usage?.totals.disabled),
  ]
}

function evidenceFields({ now }: ReviewTimes, { owners }: FieldChoice): RowField<ListedRow>[] {
  const shortOwner = addressCell(owners)
  const hasOwners = owners.some((owner) => owner != null)
  const isOnIn = (row: ListedRow) => usageByEnvironment(row).filter(({ enabled }) => enabled).length
  return [
    field.data('dependents', ({ dependents }) => dependents),
    field.word('references', undefined, referencesOf, {
      page: { title: 'Code', cell: codeText, details: { title: 'Code', lines: codeLines } },
    }),
    field.name('environments', undefined, usageByEnvironment, {
      before: 'lastSeenAt',
      page: {
        title: 'On in',
        cell: (row) => onText(usageByEnvironment(row)),
        key: isOnIn,
        details: {
          title: 'Environments',
          lines: (row) => usageByEnvironment(row).map((one) => environmentLine(one, now)),
        },
      },
    }),
    field.data('createdBy', ({ createdBy }) => createdBy),
    field.data('outcome', ({ outcome }) => outcome?.answer),
    field.data('outcomeVariant', ({ outcome }) => outcome?.variant),
    field.data('settledSince', ({ outcome }) => isoText(outcome?.since)),
    field.name('owner', hasOwners ? 'Owner' : undefined, ({ owner }) => owner, {
      before: 'reasons',
      cell: ({ owner }) => shortOwner(owner),
      dropOrder: 2,
      page: {
        title: 'Owner',
        unfiltered: 'All owners',
        details: {
          title: 'Owner',
          lines: ({ owner }) => (owner && owner !== shortOwner(owner) ? [owner] : []),
        },
      },
    }),
    field.data('repositories', repositoriesOf),
    field.data('answers', ({ answers }) => answers),
  ]
}

/** The fields in the order of the columns of CSV. */
export function reviewFields(times: ReviewTimes, choice: FieldChoice): RowField<ListedRow>[] {
  return [
    ...answerFields(times, choice),
    ...stateFields(times, choice),
    ...evidenceFields(times, choice),
    ...(choice.isCompared ? comparisonFields : []),
  ]
}
