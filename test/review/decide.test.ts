import { describe, expect, it, test } from 'vitest'
import { FlagadmError } from '../../src/errors.ts'
import type { Flag } from '../../src/flags/flag.ts'
import { Reports } from '../../src/flags/silence.ts'
import { spanOf } from '../../src/flags/span.ts'
import { decide, neededSource } from '../../src/review/decide.ts'
import { type Facts, type Source, sources } from '../../src/review/facts.ts'
import type { OwnDocument } from '../../src/review/own-document.ts'
import { questions } from '../../src/review/questions.ts'
import type { Terms } from '../../src/review/terms.ts'
import { briefText } from '../../src/review/texts.ts'
import type { Verdict } from '../../src/review/verdicts.ts'
import {
  flagOf,
  hoursAgo,
  hoursOf,
  now,
  production,
  type RecordSeed,
  usageOf,
  used,
} from '../flags/seed.ts'

const terms: Terms = {
  span: spanOf(hoursOf(48), now),
  notSeenFor: { ...hoursOf(7 * 24), text: '7d' },
  limit: now - 7 * 24 * 3_600_000,
  includePermanent: false,
  clocksDiffer: 0,
  types: new Set(['release']),
  oldestSighting: undefined,
  unknownFilters: [],
  acceptSilence: undefined,
  tellsFinished: true,
  tellsUnused: false,
  days: { from: undefined, holes: [], isCertain: true },
  ahead: undefined,
  reports: new Reports([flagOf({ name: 'neighbour', ...production(1) })]),
}

/** Facts in which nothing speaks against removing the flag, but for what a case has. */
interface Case extends Partial<Omit<Facts, 'flag' | 'usage'>> {
  flag?: Partial<Flag> | null
  records?: readonly RecordSeed[]
  usage?: Facts['usage'] | null
  terms?: Partial<Terms>
}

function factsOf({ flag: fields, records = [], usage, terms: _, ...rest }: Case): Facts {
  const flag = fields === null ? undefined : flagOf(fields)
  return {
    name: 'flag',
    flag,
    absence: undefined,
    kept: undefined,
    code: undefined,
    ...(usage !== null && { usage: usage ?? usageOf(flag, records) }),
    ...(flag && { document: documentOf(flag), events: { changes: [], removals: [] } }),
    ...rest,
  }
}

/** The own document of a flag that says what the list says. */
function documentOf(flag: Flag, fields: Partial<OwnDocument> = {}): OwnDocument {
  return {
    flag,
    isArchived: false,
    children: [],
    parents: [],
    hasParents: false,
    strategies: new Map(),
    segments: new Set(),
    dates: [],
    lifecycle: { stage: 'live', enteredStageAt: hoursAgo(290 * 24) },
    createdBy: undefined,
    owner: undefined,
    ...fields,
  }
}

const decided = (seed: Case) => decide(factsOf(seed), { ...terms, ...seed.terms })

const unused = 'no usage in 48 h'
const unseen = "not seen in its project's environments (production)"
const off = ['off everywhere', unseen]
const why = [unused, 'off everywhere', 'created 9 mo ago', unseen]
const byWeb = 'last used 3 h ago by web in production'
const uses = ['4 evaluations in 3 h', byWeb]
const absence = { kind: 'not-a-flag', reason: 'not a flag of project shop' } as const
const code = { texts: ['in the code: src/a.ts:1'], absence: 'not in the code' }

const unreadable = [
  { name: 'production', type: 'production', enabled: false, lastSeenAt: 'yesterday' },
]

test.each<[string, Case, string, unknown[]]>([
  ['was never seen', {}, 'removable, unused', why],
  [
    'was last seen long ago, but is on',
    { flag: production(8 * 24, true) },
    'still-on, unused',
    ['unused 48 h, on in production', 'created 9 mo ago', 'last seen 8 d ago in production'],
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
    ['when it was created is not reported', ...off],
  ],
  [
    'has sightings that are not reported',
    { flag: production(undefined), usage: usageOf(flagOf(), []) },
    'unclear, unused',
    ['when it was last seen is not reported', 'off everywhere'],
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
    'unclear, unclear',
    [
      'a sighting cannot be read (in its own document)',
      'its last sighting cannot be read',
      'off everywhere',
      'last seen 12 d ago',
    ],
  ],
  ['is in the code', { code }, 'unclear, unused', ['in the code: src/a.ts:1', ...off]],
  [
    'is in no list',
    { flag: null, usage: usageOf(undefined, [], { asked: 24 }) },
    'unclear, unclear',
    [
      'the service does not list its flags, so it may not exist',
      expect.stringContaining('the hourly figures begin'),
    ],
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
  // The part that a table shows.
  expect(briefText(found[0] ?? '').length).toBeLessThanOrEqual(40)
})

const depending = (verdict: Verdict): Case => {
  const document = documentOf(flagOf(), { children: ['child'] })
  return { document, dependents: [{ name: 'child', verdict }] }
}

test.each<[Verdict, string, string]>([
  ['removable', 'removable', 'child depends on it: archive them together'],
  ['still-on', 'removable', 'child depends on it: archive them together'],
  ['archived', 'removable', unused],
  ['in-use', 'unclear', 'child depends on it and is in use'],
  ['unclear', 'unclear', 'child depends on it and is unclear'],
  ['permanent', 'unclear', 'child depends on it and is permanent'],
])('a flag on which one that is %s depends is %s', (own, expected, reason) => {
  const { verdict, usageState, reasons } = decided(depending(own))
  expect([verdict, usageState]).toEqual([expected, 'unused'])
  expect(reasons).toContain(reason)
})

describe('a source that was not read', () => {
  const complete = factsOf({ ...depending('removable'), flag: production(60 * 24, true) })

  it('decides nothing if it is there', () => {
    expect(decide(complete, terms)).toMatchObject({ verdict: 'still-on' })
    expect(neededSource(complete, terms)).toBe(undefined)
  })

  // The others are only for flags of which something else is known.
  test.each(sources.filter((source) => source !== 'service' && source !== 'state'))(
    'is asked for: %s',
    (source) => {
      const { [source]: _, ...rest } = complete
      expect(neededSource(rest, terms)).toBe(source)
      expect(decide(rest, terms).verdict).toBe('unclear')
    },
  )

  test.each<[Source, object]>([
    ['usage', { usage: new FlagadmError('unavailable', 'the database is down') }],
    ['document', { document: new FlagadmError('unavailable', 'the database is down') }],
    ['events', { events: new FlagadmError('unavailable', 'the database is down') }],
  ])('or could not be, leaves the flag unclear: %s', (_, failed) => {
    const facts = { ...complete, ...failed }
    const { verdict, reasons } = decide(facts, terms)
    expect(verdict).toBe('unclear')
    expect(reasons[0]).toMatch(/could not be read: the database is down$/)
    expect(neededSource(facts, terms)).toBe(undefined)
  })
})

test.each(questions)(
  'without any source, the answer to $id is not a "goes" that needs one',
  (question) => {
    const { answer } = question
    const bare = { ...factsOf({}), flag: flagOf() }
    const withAll = answer(factsOf(depending('removable')), terms)
    const nothing = {
      name: 'flag',
      flag: bare.flag,
      absence: undefined,
      kept: undefined,
      code: undefined,
    }
    const alone = answer(nothing, terms)
    const needs = typeof alone === 'string'
    // Those that the list or the code answers say the same with all sources.
    if (!needs) expect(alone).toEqual(withAll)
    else expect(sources).toContain(alone)
  },
)

test('what the list settles needs nothing else', () => {
  const { usage: _, document: __, events: ___, ...list } = factsOf({ flag: production(3) })
  const untold = { ...terms, tellsFinished: false }
  expect(neededSource(list, untold)).toBe(undefined)
  expect(neededSource(list, terms)).toBe('usage')
  expect(decide(list, untold)).toMatchObject({
    verdict: 'in-use',
    reasons: ['last seen 3 h ago in production', 'off everywhere'],
  })
})

test('an answer that was not needed is missing', () => {
  const { usage: _, document: __, events: ___, ...list } = factsOf({ flag: production(3) })
  expect(decide(list, terms).answers).toEqual([
    { question: 'listed', says: 'goes', texts: [] },
    { question: 'type', says: 'goes', texts: [] },
    { question: 'arrives', says: 'goes', texts: [] },
    {
      question: 'unused',
      says: 'stays',
      texts: ['last seen 3 h ago in production', 'off everywhere'],
    },
    {
      question: 'untouched',
      says: 'unknown',
      texts: [expect.stringContaining('too recent until')],
    },
    { question: 'code', says: 'skipped', texts: ['no code was given'] },
  ])
})

describe('whether usage arrives', () => {
  const token = {
    projects: ['shop'],
    environment: 'production',
    expiresAt: undefined,
    seenAt: undefined,
  }
  const silent = {
    ...terms,
    reports: new Reports([
      flagOf({ name: 'other', ...production(30 * 24) }),
      flagOf({ name: 'reporting', projectId: 'pay', ...production(1) }),
    ]),
  }
  const on = { flag: production(40 * 24, true) }
  const doubt = 'no flag of project shop was seen there: its SDKs may not report usage'
  const service = { tokens: [token], seesAllTokens: true, gotUsage: undefined }

  it('needs what the service shows where no flag was seen', () => {
    expect(neededSource(factsOf(on), silent)).toBe('service')
    expect(neededSource(factsOf(on), terms)).toBe(undefined)
  })

  it('shows the time as it was asked for', () => {
    const hours = { ...silent, notSeenFor: { ...terms.notSeenFor, text: '168h' } }
    const { reasons } = decide(factsOf({ ...on, service }), hours)
    expect(reasons[0]).toBe('production silent for 168 h')
  })

  test.each<[string, object, string, string[]]>([
    ['a token is not used', {}, 'unclear', ['production silent for 7 d', doubt]],
    [
      'no token can be read',
      { tokens: undefined },
      'unclear',
      ['production silent for 7 d', doubt],
    ],
    [
      'a token is used',
      { tokens: [{ ...token, seenAt: now - 2 * 3_600_000 }] },
      'unclear',
      [
        'production silent for 7 d',
        doubt,
        'something asked there 2 h ago, although nothing is reported',
      ],
    ],
    ['a token is for all projects', { tokens: [{ ...token, projects: ['*'] }] }, 'unclear', []],
    ['no token is left', { tokens: [] }, 'still-on', []],
    ['all tokens have expired', { tokens: [{ ...token, expiresAt: now - 1 }] }, 'still-on', []],
    ['no token is seen, but maybe not all', { tokens: [], seesAllTokens: false }, 'unclear', []],
    ['tokens are for others', { tokens: [{ ...token, projects: ['pay'] }] }, 'still-on', []],
  ])('of a flag that is on: %s', (_, fields, verdict, texts) => {
    const decision = decide(factsOf({ ...on, service: { ...service, ...fields } }), silent)
    expect(decision.verdict).toBe(verdict)
    expect(decision.usageState).toBe(verdict === 'unclear' ? 'unclear' : 'unused')
    expect(decision.reasons.slice(0, texts.length)).toEqual(texts)
  })

  test.each<[string, boolean | undefined, string]>([
    ['it got usage yesterday', true, 'removable'],
    ['it got none', false, 'unclear'],
    ['that is not known', undefined, 'unclear'],
  ])('of a flag that is off, on a service without sightings: %s', (_, gotUsage, verdict) => {
    const none = { ...terms, reports: new Reports([flagOf()]) }
    expect(neededSource(factsOf({}), none)).toBe('service')
    expect(decide(factsOf({ service: { ...service, gotUsage } }), none).verdict).toBe(verdict)
  })

  it('is not asked where silence is accepted', () => {
    const accepted = { ...silent, acceptSilence: ['sh*'] }
    expect(decide(factsOf(on), accepted).verdict).toBe('still-on')
  })

  const places = (fields: Record<string, { enabled: boolean; seen: number | null }>) =>
    Object.entries(fields).map(([name, { enabled, seen }]) => {
      const lastSeenAt = seen === null ? null : hoursAgo(seen)
      return { name, type: name, enabled, lastSeenAt }
    })

  test.each<[string, boolean, boolean, string]>([
    ['development is silent, but production reports', false, true, 'still-on'],
    ['production is silent, but development reports', true, false, 'unclear'],
    ['both are silent', false, false, 'unclear'],
  ])('in two environments: %s', (_, development, reporting, verdict) => {
    const seen = {
      production: { enabled: true, seen: reporting ? 1 : null },
      development: { enabled: true, seen: development ? 1 : null },
    }
    const reports = new Reports([flagOf({ name: 'other', environments: places(seen) })])
    const environments = places({
      production: { enabled: true, seen: 40 * 24 },
      development: { enabled: true, seen: null },
    })
    const facts = factsOf({ flag: { environments }, service })
    expect(decide(facts, { ...terms, reports }).verdict).toBe(verdict)
  })
})

describe('a sighting', () => {
  const environments = ['development', 'production'].map((name, index) => {
    return { name, type: name, enabled: false, lastSeenAt: hoursAgo([47.9, 100][index] ?? 0) }
  })
  test.each<[string, Partial<Flag>, Partial<Terms>, string]>([
    ['is usage in the part of the span without hours', production(47.9), {}, 'used'],
    ['is not usage before the span', production(48.1), {}, 'unused'],
    [
      'of the flag itself is usage',
      { ...production(undefined), lastSeenAt: hoursAgo(1) },
      {},
      'used',
    ],
    ['is usage in the environment asked for', production(1), { environment: ['p*'] }, 'used'],
    ['is not usage in another environment', production(1), { environment: ['dev'] }, 'unused'],
    ['is usage in any environment', { environments }, {}, 'used'],
  ])('%s', (_, flag, some, usageState) => {
    expect(decided({ flag, terms: some }).usageState).toBe(usageState)
  })
})
