import { describe, expect, it, test } from 'vitest'
import type { Evidence, Row } from '../../src/review/evidence.ts'
import type { Flag } from '../../src/flags/selection.ts'
import { spanOf } from '../../src/flags/span.ts'
import { decide, decideDependents, type Terms } from '../../src/review/verdict.ts'
import {
  flagOf,
  hoursAgo,
  hoursOf,
  now,
  production,
  type RecordSeed,
  usageOf,
  used,
  zeros,
} from '../flags/seed.ts'

const terms: Terms = {
  span: spanOf(hoursOf(48), now),
  notSeenFor: { ...hoursOf(7 * 24), text: '7d' },
  clocksDiffer: 0,
  types: new Map([['release', 40]]),
  whyKept: () => undefined,
}

interface Case extends Partial<Omit<Evidence, 'flag'>> {
  flag?: Partial<Flag> | null
  records?: readonly RecordSeed[]
  terms?: Partial<Terms>
}

function evidenceOf({ flag: fields, records = [], terms: _, ...rest }: Case): Evidence {
  const flag = fields === null ? undefined : flagOf(fields)
  const usage = usageOf(flag, records)
  return { name: 'flag', flag, absence: undefined, usage, code: undefined, doubts: [], ...rest }
}

const decided = (seed: Case) => decide(evidenceOf(seed), { ...terms, ...seed.terms })

const unused = 'no usage in 48 h'
const unseen = "not seen in its project's environments (production)"
const off = ['off everywhere', unseen]
const why = [unused, 'off everywhere', 'created 9 mo ago', unseen]
const byWeb = 'last used 3 h ago by web in production'
const uses = ['4 evaluations in 3 h', byWeb]
const absence = { kind: 'not-a-flag', reason: 'not a flag of project shop' } as const
const code = { texts: ['in the code: src/a.ts:1'], absence: 'not in the code' }

const unreadable = [{ name: 'production', enabled: false, lastSeenAt: 'yesterday' }]

test.each<[string, Case, string, string[]]>([
  ['was never seen', {}, 'removable, unused', why],
  [
    'was last seen long ago, but is on',
    { flag: production(8 * 24, true) },
    'removable, unused',
    [
      'on in production, where no SDK asked for it in 48 h: check why',
      unused,
      'created 9 mo ago',
      'last seen 8 d ago in production',
    ],
  ],
  [
    'is a kill switch, with --include-permanent',
    { flag: { type: 'kill-switch' }, terms: { includePermanent: true } },
    'removable, unused',
    why,
  ],
  ['is used', { records: [used(3)] }, 'in-use, used', uses],
  [
    'was only seen in the span',
    { flag: production(47.9) },
    'in-use, used',
    ['last seen 47 h ago in production', 'off everywhere'],
  ],
  [
    'has been on everywhere for long',
    { flag: production(3, true), records: [...zeros(), used(3, { no: 0 })] },
    'in-use, used',
    ['on everywhere, 9 mo old: make it permanent in code', '3 evaluations in 48 h', byWeb],
  ],
  ['is used, but not in a list', { flag: null, records: [used(3)] }, 'in-use, used', uses],
  [
    'is a kill switch',
    { flag: { type: 'kill-switch' } },
    'permanent, unused',
    ['type kill-switch'],
  ],
  [
    'is a permission in use',
    { flag: { type: 'permission' }, records: [used(3)] },
    'permanent, used',
    ['type permission'],
  ],
  [
    'was seen within --not-seen-for',
    { flag: production(5 * 24, true) },
    'unclear, unused',
    [
      'too recent until 2026-11-22 16:40 UTC (--not-seen-for 7d)',
      'on in production',
      'last seen 5 d ago in production',
    ],
  ],
  [
    'was created in the span',
    { flag: { createdAt: hoursAgo(3) } },
    'unclear, unclear',
    [
      'younger than the 48 h looked at',
      'too recent until 2026-11-27 13:40 UTC (--not-seen-for 7d)',
      'off everywhere',
      'created 3 h ago',
      unseen,
    ],
  ],
  [
    'has an unknown age',
    { flag: { createdAt: undefined } },
    'unclear, unused',
    ['the service does not report when it was created', ...off],
  ],
  [
    'has sightings that are not reported',
    { flag: production(undefined), usage: usageOf(flagOf(), []) },
    'unclear, unused',
    ['the service does not report when it was last seen', 'off everywhere'],
  ],
  [
    'has an unknown type',
    { flag: { type: undefined } },
    'unclear, unused',
    ['the service does not report its type', ...off],
  ],
  [
    'has a type that the service does not have',
    { flag: { type: 'Kill-Switch' } },
    'unclear, unused',
    ['the service has no type Kill-Switch', ...off],
  ],
  [
    'has a sighting that cannot be read',
    { flag: { environments: unreadable, lastSeenAt: hoursAgo(300) }, usage: usageOf(flagOf(), []) },
    'unclear, unused',
    ['the time when it was last seen cannot be read', 'off everywhere', 'last seen 12 d ago'],
  ],
  ['is in the code', { code }, 'unclear, unused', ['in the code: src/a.ts:1', ...off]],
  [
    'is in no list',
    { flag: null, usage: usageOf(undefined, [], { asked: 24 }) },
    'unclear, unclear',
    ['the service does not list its flags, so it may not exist'],
  ],
  [
    'is archived, but used and in the code',
    {
      flag: null,
      records: [used(3)],
      absence: { kind: 'archived', reason: 'archived in project shop' },
      code,
    },
    'archived, unclear',
    ['archived in project shop', ...uses, 'in the code: src/a.ts:1'],
  ],
  [
    'is used, but not a flag',
    { flag: null, records: [used(3)], absence },
    'not-a-flag, unclear',
    ['not a flag of project shop', ...uses],
  ],
])('the verdict on a flag that %s is %s', (_, seed, expected, reasons) => {
  const { verdict, usageState, reasons: found } = decided(seed)
  expect([`${verdict}, ${usageState}`, found]).toEqual([expected, reasons])
})

test.each<[string, Partial<Flag>, RecordSeed, Partial<Terms>?]>([
  [
    'a flag of which a filter leaves out usage',
    production(3, true),
    { no: 0 },
    { application: ['web'] },
  ],
  ['a young flag', { ...production(3, true), createdAt: hoursAgo(39 * 24) }, { no: 0 }],
  ['a flag of another type', { ...production(3, true), type: 'experiment' }, { no: 0 }],
  ['a flag that is off somewhere', production(3, false), { no: 0 }],
  ['a flag that was off in an evaluation', production(3, true), {}],
])('making it permanent is not advised for %s', (_, flag, fields, some) => {
  expect(
    decided({ flag, records: [...zeros(), used(3, fields)], ...(some && { terms: some }) })
      .isOnEverywhere,
  ).toBe(false)
  expect(decided({ flag: production(3, true), records: [used(3, { no: 0 })] }).isOnEverywhere).toBe(
    false,
  )
})

describe('flags that depend on each other', () => {
  const archived: Case = { flag: null, absence: { kind: 'archived', reason: 'archived' } }
  const inUse = { records: [used(3)] }

  function judged(seeds: Record<string, Case>): Record<string, Row> {
    const rows = new Map(
      Object.entries(seeds).map(([name, seed]): [string, Row] => {
        const evidence = { ...evidenceOf(seed), name }
        return [name, { ...evidence, ...decide(evidence, terms) }]
      }),
    )
    decideDependents(rows)
    return Object.fromEntries(rows)
  }

  it('go together if all are removable', () => {
    const { parent, a } = judged({ parent: { dependents: ['a', 'b'] }, a: {}, b: {} })
    expect(parent).toMatchObject({ verdict: 'removable', usageState: 'unused' })
    expect(parent?.reasons.at(-1)).toBe('a, b depend on it: archive them together')
    expect(a?.reasons).toEqual(why)
  })

  it('go together in a circle', () => {
    const { a } = judged({ a: { dependents: ['b'] }, b: { dependents: ['a'] } })
    expect(a?.verdict).toBe('removable')
    expect(a?.reasons.at(-1)).toBe('b depends on it: archive them together')
  })

  it.each<[string, Record<string, Case>, string]>([
    ['in use', { child: inUse }, 'child depends on it and is in use'],
    ['unclear', { child: { usage: undefined } }, 'child depends on it and is unclear'],
    ['unknown', {}, 'child depends on it and is unclear'],
    [
      'permanent',
      { child: { flag: { type: 'permission' } } },
      'child depends on it and is permanent',
    ],
  ])('stay while one is %s', (_, child, reason) => {
    const flag = production(8 * 24, true)
    const { parent } = judged({ parent: { flag, dependents: ['child'] }, ...child })
    expect(parent).toMatchObject({
      verdict: 'unclear',
      usageState: 'unused',
      isOn: false,
    })
    expect(parent?.reasons[0]).toBe(reason)
  })

  it.each<[string, Record<string, Case>, string[]]>([
    [
      'stay while several are in use',
      { a: { dependents: ['b', 'c'] }, b: inUse, c: inUse },
      ['unclear', 'in-use', 'in-use'],
    ],
    [
      'stay along a chain',
      { a: { dependents: ['b'] }, b: { dependents: ['c'] }, c: inUse },
      ['unclear', 'unclear', 'in-use'],
    ],
    [
      'go without those that are archived',
      { a: { dependents: ['b'] }, b: archived },
      ['removable', 'archived'],
    ],
  ])('%s', (_, seeds, verdicts) => {
    const rows = Object.values(judged(seeds))
    expect(rows.map(({ verdict }) => verdict)).toEqual(verdicts)
  })
})
