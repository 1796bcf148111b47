import { describe, expect, it, test } from 'vitest'
import { FlagadmError } from '../../src/errors.ts'
import type { Evidence, FlagDetails } from '../../src/feature/evidence.ts'
import type { Flag } from '../../src/feature/flags.ts'
import { decide, type Row, type Terms, withDependents } from '../../src/feature/verdict.ts'
import { flagOf, HOUR, hoursAgo, now, production, type RecordSeed, used, usageOf } from './seed.ts'

const DAY = 24 * HOUR
const terms: Terms = { now, notSeenFor: 7 * DAY }

interface Case extends Partial<Omit<Evidence, 'flag'>> {
  flag?: Partial<Flag> | null
  records?: readonly RecordSeed[]
  terms?: Partial<Terms>
}

function evidenceOf({ flag: fields, records = [], ...rest }: Case): Evidence {
  const flag = fields === null ? undefined : flagOf(fields)
  const usage = usageOf(flag, records)
  return {
    ...{ name: 'flag', flag, absence: undefined, usage, details: undefined, code: undefined },
    ...rest,
  }
}

const decided = ({ terms: own, ...seed }: Case) => decide(evidenceOf(seed), { ...terms, ...own })

const unused = 'no usage since 2026-11-18 17:00 UTC'
const unseen = "not seen in its project's environments (production)"
const off = `off everywhere, ${unseen}`
const aged = `off everywhere, created 300d ago, ${unseen}`
const useText =
  '4 evaluations, last used in the hour from 2026-11-20 13:00 UTC by web in production'
const unavailable = new FlagadmError('unavailable', 'database is down')

test.each<[string, Case, ReturnType<typeof decide>['verdict'], string, string[]]>([
  ['never seen', {}, 'removable', 'unused', [aged, unused]],
  [
    'last seen long ago',
    { flag: production(8 * 24, true) },
    'removable',
    'unused',
    [
      'on in production, created 300d ago, last seen 8d ago in production',
      'check why it is on where no SDK asked for it',
      unused,
    ],
  ],
  [
    'not in the code',
    { code: { places: [], doubts: [] } },
    'removable',
    'unused',
    [aged, 'not in the code', unused],
  ],
  [
    'a kill switch, included',
    { flag: { type: 'kill-switch' }, terms: { includePermanent: true } },
    'removable',
    'unused',
    [aged, unused],
  ],
  ['used', { records: [used(3)] }, 'in use', 'used', [useText]],
  ['used and too recent', { flag: production(3), records: [used(3)] }, 'in use', 'used', [useText]],
  [
    'seen in the span only',
    { flag: production(47.9) },
    'in use',
    'used',
    ['off everywhere, last seen 47h ago in production'],
  ],
  [
    'on everywhere for long',
    { flag: production(3, true), records: [used(3, { no: 0 })] },
    'in use',
    'used',
    [
      '3 evaluations, last used in the hour from 2026-11-20 13:00 UTC by web in production',
      'on everywhere, 300d old: make it permanent in code',
    ],
  ],
  [
    'used without an entry in a list',
    { flag: null, records: [used(3)] },
    'in use',
    'used',
    [useText],
  ],
  ['a kill switch', { flag: { type: 'kill-switch' } }, 'permanent', 'unused', ['type kill-switch']],
  [
    'a permission in use',
    { flag: { type: 'permission' }, records: [used(3)] },
    'permanent',
    'used',
    ['type permission'],
  ],
  [
    'seen within --not-seen-for',
    { flag: production(5 * 24, true) },
    'unclear',
    'unused',
    [
      'too recent until 2026-11-22 16:40 UTC (--not-seen-for 7d)',
      'on in production, last seen 5d ago in production',
    ],
  ],
  [
    'young',
    { flag: { createdAt: hoursAgo(60) } },
    'unclear',
    'unused',
    [
      'too recent until 2026-11-25 04:40 UTC (--not-seen-for 7d)',
      `off everywhere, created 2d ago, ${unseen}`,
    ],
  ],
  [
    'created in the span',
    { flag: { createdAt: hoursAgo(3) } },
    'unclear',
    'unclear',
    [
      'created 3h ago, after the start of the 48h requested',
      'too recent until 2026-11-27 13:40 UTC (--not-seen-for 7d)',
      `off everywhere, created 3h ago, ${unseen}`,
    ],
  ],
  [
    'of an unknown age',
    { flag: { createdAt: undefined } },
    'unclear',
    'unused',
    ['the service does not report when it was created', off],
  ],
  [
    'whose usage cannot be read',
    { usage: unavailable },
    'unclear',
    'unclear',
    ['the usage could not be read: database is down', off],
  ],
  [
    'whose dependencies cannot be read',
    { details: unavailable },
    'unclear',
    'unused',
    ['the flags that depend on it could not be read: database is down', off],
  ],
  [
    'in the code',
    {
      code: {
        places: [1, 2, 3, 4].map((line) => ({ file: 'src/a.ts', line })),
        doubts: ['1 file could not be read'],
      },
    },
    'unclear',
    'unused',
    ['in the code: src/a.ts:1, src/a.ts:2, src/a.ts:3 and 1 more', off],
  ],
  [
    'perhaps in the code',
    { code: { places: [], doubts: ['1 file could not be read: src/a.ts'] } },
    'unclear',
    'unused',
    ['1 file could not be read: src/a.ts', off],
  ],
  [
    'in no list',
    { flag: null, usage: usageOf(undefined, [], { asked: 24 }) },
    'unclear',
    'unclear',
    ['the service does not list its flags, so it may not exist'],
  ],
  [
    'reviewed for a part of its usage',
    { terms: { isFiltered: true } },
    'unclear',
    'unused',
    ['--app and --environment leave out other usage', off],
  ],
  [
    'archived',
    {
      flag: null,
      records: [used(3)],
      absence: { kind: 'archived', reason: 'archived' },
      code: { places: [{ file: 'a.ts', line: 1 }], doubts: [] },
    },
    'archived',
    'unclear',
    ['archived', 'in the code: a.ts:1'],
  ],
  [
    'not a flag',
    { flag: null, absence: { kind: 'not a flag', reason: 'not a flag of project shop' } },
    'not a flag',
    'unclear',
    ['not a flag of project shop'],
  ],
  [
    'in no list, but in use',
    { flag: null, records: [used(3)], absence: { kind: 'not a flag', reason: 'no' } },
    'in use',
    'used',
    [useText],
  ],
])('a flag that is %s', (_, seed, verdict, usage, reasons) => {
  expect(decided(seed)).toMatchObject({ verdict, usage, reasons })
})

it('is listed apart if it is removable but on, or on everywhere', () => {
  expect(decided({ flag: production(8 * 24, true) }).isOn).toBe(true)
  expect(decided({}).isOn).toBe(false)
  const always = { flag: production(3, true), records: [used(3, { no: 0 })] }
  expect(decided(always).isOnEverywhere).toBe(true)
  expect(decided({ ...always, terms: { isFiltered: true } }).isOnEverywhere).toBe(false)
})

it('has no advice for a young flag, another type, or one that is off somewhere', () => {
  const records = [used(3, { no: 0 })]
  const on = production(3, true)
  for (const flag of [
    { ...on, createdAt: hoursAgo(39 * 24) },
    { ...on, type: 'experiment' },
    production(3, false),
  ]) {
    expect(decided({ flag, records }).reasons).toHaveLength(1)
  }
})

it('mentions the limit of applications beside totals', () => {
  const records = Array.from({ length: 100 }, (_, index) => used(3, { appName: `app-${index}` }))
  expect(decided({ records }).reasons[0]).toContain(
    '; the service reports only 100 applications of this flag, so there may be more',
  )
})

describe('flags that depend on each other', () => {
  const details = (...dependents: string[]): FlagDetails => {
    return { isArchived: false, dependents, lifecycle: undefined }
  }

  function rowsOf(seeds: Record<string, Case>): Map<string, Row> {
    return new Map(
      Object.entries(seeds).map(([name, seed]) => {
        const evidence = { ...evidenceOf(seed), name }
        return [name, { ...decide(evidence, terms), evidence }]
      }),
    )
  }

  const verdictsOf = (seeds: Record<string, Case>) =>
    Array.from(withDependents(rowsOf(seeds)), ([name, { verdict }]) => [name, verdict])

  const inUse = { records: [used(3)] }

  it('go together if all are removable', () => {
    const rows = withDependents(
      rowsOf({ parent: { details: details('a', 'b') }, a: { details: details() }, b: {} }),
    )
    expect(Array.from(rows.values(), ({ verdict }) => verdict)).toEqual([
      'removable',
      'removable',
      'removable',
    ])
    expect(rows.get('parent')?.reasons.at(-1)).toBe('a, b depend on it: archive them together')
    expect(rows.get('a')?.reasons).toHaveLength(2)
  })

  it.each<[string, Case, string]>([
    ['in use', inUse, 'child depends on it and is in use'],
    ['unclear', { usage: unavailable }, 'child depends on it and is unclear'],
    ['permanent', { flag: { type: 'permission' } }, 'child depends on it and is permanent'],
  ])('stay while one is %s', (_, child, reason) => {
    const rows = withDependents(rowsOf({ parent: { details: details('child') }, child }))
    expect(rows.get('parent')).toMatchObject({ verdict: 'unclear', usage: 'unused' })
    expect(rows.get('parent')?.reasons[0]).toBe(reason)
  })

  it('stay if one is not known', () => {
    expect(verdictsOf({ parent: { details: details('gone') } })).toEqual([['parent', 'unclear']])
  })

  it('go without those that are archived', () => {
    const archived: Case = { flag: null, absence: { kind: 'archived', reason: 'archived' } }
    const rows = withDependents(rowsOf({ parent: { details: details('child') }, child: archived }))
    expect(rows.get('parent')).toMatchObject({ verdict: 'removable' })
    expect(rows.get('parent')?.reasons).toHaveLength(2)
  })

  it('stay along a chain', () => {
    const chain = {
      top: { details: details('middle') },
      middle: { details: details('bottom') },
      bottom: inUse,
    }
    expect(verdictsOf(chain)).toEqual([
      ['top', 'unclear'],
      ['middle', 'unclear'],
      ['bottom', 'in use'],
    ])
  })

  it('go together in a circle', () => {
    const circle = { a: { details: details('b') }, b: { details: details('a') } }
    expect(verdictsOf(circle)).toEqual([
      ['a', 'removable'],
      ['b', 'removable'],
    ])
  })
})
