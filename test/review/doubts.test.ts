import { describe, expect, it, test } from 'vitest'
import {
  daysAgo,
  feature,
  type EventSeed,
  type FeatureWorld,
  type FlagSeed,
  type Projects,
} from '../flags/service.ts'

const HOUR = 3_600_000

const review = (argv: readonly string[], seed: Projects, world: FeatureWorld = {}) =>
  feature(
    ['review', '--not-seen-for', '7d', ...argv, '--project', 'shop', '--retries', '0'],
    seed,
    world,
  )

/** The review of a flag that would be removable. */
async function reviewed(seed: FlagSeed = {}, world: FeatureWorld = {}, argv: string[] = []) {
  const outcome = await review(['flag', '--json', ...argv], { shop: { flag: seed } }, world)
  const { flags, incomplete } = JSON.parse(outcome.stdout)
  const [{ verdict, usage, reasons }] = flags
  return { ...outcome, verdict, usage, reasons, incomplete }
}

interface ReviewedFlag {
  flag: string
  verdict: string
  reasons: string[]
}

const eventAt = (days: number, type: string, fields: Partial<EventSeed> = {}) => ({
  type,
  featureName: 'flag',
  createdAt: daysAgo(days),
  ...fields,
})

const tooRecent = (until: string) => `too recent until ${until} (--not-seen-for 7d)`

const withoutRemovals = [
  {
    message:
      'the service does not show which environments projects had before, where flags may have been seen',
    names: [],
  },
]

describe('a change of a flag', () => {
  it.each([
    'feature-revived',
    'feature-environment-enabled',
    'feature-strategy-add',
    'feature-strategy-update',
    'feature-variants-updated',
    'feature-environment-variants-updated',
    'feature-dependency-added',
    'feature-project-change',
    'feature-stale-off',
    'feature-uncompleted',
    'feature-import',
    'strategy-order-changed',
    'release-plan-added',
    'release-plan-milestone-started',
    'safeguard-triggered',
  ])('makes it unclear: %s', async (type) => {
    const events = [eventAt(1, 'feature-tagged'), eventAt(2, type)]
    const { verdict, usage, reasons } = await reviewed({}, { events }, ['--expect', 'unused'])
    expect([verdict, usage]).toEqual(['unclear', 'unused'])
    expect(reasons[0]).toBe(
      `changed 2 d ago by ada (${type}): ${tooRecent('2026-11-25 16:10 UTC')}`,
    )
  })

  it('is shown with its environment, and without an author or a time that are not known', async () => {
    const on = eventAt(2, 'feature-environment-enabled', { environment: 'production' })
    expect((await reviewed({}, { events: [on] })).reasons[0]).toMatch(
      /^changed 2 d ago by ada \(feature-environment-enabled in production\): /,
    )
    const unknown = { ...on, createdAt: 1795021200000, createdBy: null }
    expect((await reviewed({}, { events: [unknown], isFaulty: true })).reasons[0]).toBe(
      'changed at an unknown time (feature-environment-enabled in production)',
    )
  })

  it('of a type that is not known makes it unclear', async () => {
    const events = [eventAt(2, 'a-type-of-a-later-version')]
    const { reasons } = await reviewed({}, { events, isFaulty: true })
    expect(reasons[0]).toContain('(a-type-of-a-later-version)')
  })

  it.each([
    'feature-environment-disabled',
    'feature-strategy-remove',
    'feature-dependency-removed',
    'feature-stale-on',
    'feature-completed',
    'feature-tagged',
    'feature-link-added',
    'feature-favorited',
    'feature-metadata-updated',
  ])('that goes with removing it, or changes nothing, does not count: %s', async (type) => {
    expect(await reviewed({}, { events: [eventAt(2, type)] })).toMatchObject({
      verdict: 'removable',
    })
  })

  it('before the time of --not-seen-for does not count', async () => {
    const events = [eventAt(7.01, 'feature-revived')]
    expect(await reviewed({}, { events })).toMatchObject({ verdict: 'removable' })
    const longer = await reviewed({}, { events }, ['--not-seen-for', '8d'])
    expect(longer.verdict).toBe('unclear')
  })

  it('is asked for with one request for 50 flags, a day early, and only for candidates', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `flag-${index}`)
    const used = { usage: [{ hoursAgo: 1, yes: 1, no: 0 }] }
    const own = { createdBy: { id: 1, name: 'ada', imageUrl: '' } }
    const seeds = Object.fromEntries(names.map((name) => [name, { own }]))
    const { asked } = await review([], { shop: { ...seeds, used } })
    const searches = asked.filter((path) => path.includes('events'))
    // Those of segments and imports, and of environments, are read once.
    expect(searches).toHaveLength(4)
    expect(searches[0]).toMatch(/^search\/events\?feature=IS_ANY_OF:flag-0%2Cflag-1%2C/)
    expect(searches[0]).toContain('&from=IS:2026-11-12&limit=1000&offset=0')
    expect(searches.join()).not.toContain('used')
  })

  it('is one of a segment that its strategies use, for which all flags need one request', async () => {
    const seed = { flag: withSegments(3), other: withSegments(3), without: {} }
    const events = [segmentUpdated(1, 4), segmentUpdated(2, 3)]
    const { stdout, asked } = await review(['--json'], { shop: seed }, { events })
    const verdicts = JSON.parse(stdout).flags.map(({ flag, verdict, reasons }: ReviewedFlag) => {
      return [flag, verdict, reasons[0]]
    })
    const reason = `changed 2 d ago by ada (segment-updated): ${tooRecent('2026-11-25 16:10 UTC')}`
    expect(verdicts).toEqual([
      ['without', 'removable', expect.anything()],
      ['flag', 'unclear', reason],
      ['other', 'unclear', reason],
      ['neighbour-shop', 'in-use', expect.anything()],
    ])
    expect(asked.filter((path) => path.includes('segment-updated'))).toHaveLength(1)
    const unused = await reviewed(withSegments(3), { events: [segmentUpdated(1, 4)] })
    expect(unused.verdict).toBe('removable')
  })

  it('may be an import into its project, whose event has no flag', async () => {
    const imported = (project: string) =>
      eventAt(2, 'features-imported', { featureName: null, project, environment: 'production' })
    const { verdict, reasons } = await reviewed({}, { events: [imported('shop')] })
    expect([verdict, reasons[0]]).toEqual([
      'unclear',
      `changed 2 d ago by ada (features-imported in production): ${tooRecent('2026-11-25 16:10 UTC')}`,
    ])
    const other = await reviewed({}, { events: [imported('other')] })
    expect(other.verdict).toBe('removable')
  })

  it('may be on a further page', async () => {
    const tags = Array.from({ length: 1000 }, () => eventAt(1, 'feature-tagged'))
    const events = [...tags, eventAt(2, 'feature-revived')]
    expect((await reviewed({}, { events })).reasons[0]).toContain('(feature-revived)')
  })

  it('is read for each flag from a service that cannot search for events', async () => {
    const events = [eventAt(2, 'feature-revived')]
    const outcome = await reviewed({}, { events, missing: /search\/events|events\/search/ })
    expect(outcome.reasons[0]).toContain('(feature-revived)')
    expect(outcome.incomplete).toEqual(withoutRemovals)
  })

  it('that could not be read leaves the flag unclear', async () => {
    const outcome = await reviewed({}, { lostEvents: 1 })
    expect(outcome).toMatchObject({
      code: 8,
      verdict: 'unclear',
    })
    const problem = 'the service returned 0 of 1 events'
    expect(outcome.reasons[0]).toBe(`its recent changes could not be read: ${problem}`)
    expect(outcome.stderr).toContain(problem)
  })

  it('is not known without events: said once, and the verdicts rest on the rest', async () => {
    const seed = { shop: { a: {}, b: {} } }
    const { code, stdout } = await review([], seed, { missing: /events/ })
    expect(code).toBe(0)
    expect(stdout).toContain('\n3 flags: 2 removable,')
    expect(stdout.match(/Incomplete: recent changes of flags are not known/g)).toHaveLength(1)
  })
})

/** A flag whose strategy uses segments. */
const withSegments = (...segments: number[]): FlagSeed => {
  const strategies = [{ name: 'flexibleRollout', segments }]
  return { own: { environments: [{ name: 'production', enabled: false, strategies }] } }
}

const segmentUpdated = (days: number, id: number) =>
  eventAt(days, 'segment-updated', { featureName: null, project: null, data: { id } })

describe('before 6.1, a change of several flags', () => {
  const missing = /search\/events/
  // The key of an editor sees them, too.
  const old = { missing, env: { FLAGADM_API_KEY: 'user:0123456789abcdef' } }

  test.each<[string, EventSeed, string]>([
    ['is one of a segment', segmentUpdated(2, 3), '(segment-updated): '],
    ['is an import', eventAt(2, 'features-imported', { featureName: null }), '(features-imported)'],
  ])('%s', async (_, event, reason) => {
    const { code, reasons, incomplete } = await reviewed(withSegments(3), {
      ...old,
      events: [event],
    })
    expect([code, incomplete]).toEqual([0, withoutRemovals])
    expect(reasons[0]).toContain(reason)
  })

  it('is found on a further page, which is not read if it is too old', async () => {
    const young = Array.from({ length: 150 }, () => segmentUpdated(1, 4))
    const events = [...young, segmentUpdated(2, 3), segmentUpdated(300, 3)]
    const isPage = (url: string) => url === 'events/search'
    const { reasons, asked } = await reviewed(withSegments(3), { ...old, events })
    expect(reasons[0]).toContain('(segment-updated): ')
    expect(asked.filter(isPage)).toHaveLength(3)
    const past = Array.from({ length: 150 }, () => segmentUpdated(300, 3))
    const short = await reviewed(withSegments(3), { ...old, events: past })
    expect([short.verdict, short.asked.filter(isPage).length]).toEqual(['removable', 2])
  })
})

describe('changes of segments that the key does not see', () => {
  const hidden = 'only root admins see changes of segments of all projects, which flags use'
  const editor = {
    env: { FLAGADM_API_KEY: 'user:0123456789abcdef' },
    permissions: ['UPDATE_FEATURE'],
  }
  const segments = [
    { id: 3, name: 'beta' },
    { id: 4, name: 'own', project: 'shop' },
  ]
  const seed = {
    global: withSegments(4, 3),
    own: withSegments(4),
    none: {},
    recent: { ...withSegments(3), production: { seen: 3 } },
    changed: withSegments(3),
  }
  const events = [eventAt(1, 'feature-strategy-add', { featureName: 'changed' })]

  test.each<[string, FeatureWorld, string[] | undefined]>([
    ['an editor', { ...editor, segments }, ['global']],
    ['an editor who may not see the segments', editor, ['global', 'own']],
    ['a root admin', { ...editor, permissions: ['ADMIN'], segments }, undefined],
    ['an admin token', { segments }, undefined],
  ])('are said of flags that would go: %s', async (_, world, names) => {
    const { code, stdout } = await review(['--json'], { shop: seed }, { ...world, events })
    const { flags, incomplete = [] } = JSON.parse(stdout)
    const verdictOf = new Map(flags.map((row: ReviewedFlag) => [row.flag, row.verdict]))
    expect([code, verdictOf.get('global')]).toEqual([0, 'removable'])
    const gap = incomplete.find(({ message }: { message: string }) => message === hidden)
    expect(gap?.names).toEqual(names)
  })

  it('are said if no event of segments and imports is shown', async () => {
    const world = { forbidden: /segment-updated/ }
    expect(await reviewed({}, world)).toMatchObject({
      code: 0,
      verdict: 'removable',
      incomplete: [
        { message: 'the service does not show changes of segments, and imports', names: ['flag'] },
      ],
    })
  })
})

describe('events of which only a part can be read', () => {
  const revived = eventAt(2, 'feature-revived')

  it('count, although those of environments are refused', async () => {
    const world = { events: [revived], forbidden: /environment-deleted/ }
    const { code, reasons, incomplete } = await reviewed({}, world)
    expect(code).toBe(0)
    expect(reasons[0]).toContain('(feature-revived)')
    expect(incomplete).toHaveLength(1)
  })

  it('leave a flag unclear if those of environments fail', async () => {
    const world = { failing: /environment-deleted/ }
    const { code, verdict, reasons } = await reviewed({}, world)
    expect([code, verdict]).toEqual([8, 'unclear'])
    expect(reasons[0]).toBe('its recent changes could not be read: 500: database is down')
    expect(await reviewed({ production: { seen: 20 } }, world)).toMatchObject({
      code: 8,
      verdict: 'unclear',
    })
  })

  it('leave the flags of a further request unclear if that is refused', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `flag-${index}`)
    const seeds = Object.fromEntries(names.map((name) => [name, { production: { seen: 20 } }]))
    const last = names.toSorted().at(-1)
    const world = { forbidden: new RegExp(`events.*${last}`) }
    const { stdout } = await review([], { shop: seeds }, world)
    expect(stdout).toContain('\n61 flags: 50 removable, 1 in use, 10 unclear, 0 permanent\n')
  })

  it('may be of any flag if they do not name one', async () => {
    const events = [{ ...revived, featureName: null }]
    const { verdict } = await reviewed({}, { events, ignoresNames: true })
    expect(verdict).toBe('unclear')
  })

  it('go on without a total', async () => {
    const tags = Array.from({ length: 1000 }, () => eventAt(1, 'feature-tagged'))
    const world = { events: [...tags, revived], sendsNoTotal: true }
    expect((await reviewed({}, world)).reasons[0]).toContain('(feature-revived)')
  })

  it('go on after a page that is full, whatever total is sent', async () => {
    const tags = Array.from({ length: 1000 }, () => eventAt(1, 'feature-tagged'))
    const world = { events: [...tags, revived], lostEvents: -996 }
    expect((await reviewed({}, world)).reasons[0]).toContain('(feature-revived)')
  })

  it('count from before the limit if the clocks differ', async () => {
    const events = [eventAt(6.99, 'feature-revived')]
    const { reasons } = await reviewed({}, { events, ahead: HOUR })
    expect(reasons[0]).toBe(
      'changed 7 d ago by ada (feature-revived), and the clocks differ by 1 h',
    )
  })
})

describe('an environment that was taken out', () => {
  const removed = (fields: object) =>
    eventAt(2, 'project-environment-removed', {
      featureName: null,
      environment: 'staging',
      ...fields,
    })

  test.each<[string, FlagSeed, object, string]>([
    ['of the project makes a flag unclear that was never seen', {}, {}, 'unclear'],
    ['of another project does not count', {}, { project: 'pay' }, 'removable'],
    ['after it was last seen makes a flag unclear', { production: { seen: 20 } }, {}, 'unclear'],
    [
      'before it was last seen does not count',
      { production: { seen: 20 } },
      { createdAt: daysAgo(21) },
      'removable',
    ],
    [
      'of the service makes a flag unclear that was never seen',
      {},
      { type: 'environment-deleted', project: null },
      'unclear',
    ],
    ['long ago makes a flag unclear', {}, { createdAt: daysAgo(200) }, 'unclear'],
    ['before it was created does not count', {}, { createdAt: daysAgo(301) }, 'removable'],
  ])('%s', async (_, seed, fields, verdict) => {
    expect(await reviewed(seed, { events: [removed(fields)] })).toMatchObject({ verdict })
  })

  const personal = { env: { FLAGADM_API_KEY: 'user:0123456789abcdef' } }
  const hidden =
    'only root admins see which environments were deleted, where flags may have been seen'

  test.each<[string, FeatureWorld, boolean]>([
    ['an admin token', {}, false],
    ['a personal token', personal, true],
    ['a personal token of an editor', { ...personal, permissions: ['UPDATE_FEATURE'] }, true],
    ['a personal token of a root admin', { ...personal, permissions: ['ADMIN'] }, false],
  ])('may be hidden from %s, which is said once', async (_, world, isHidden) => {
    const { incomplete = [] } = await reviewed({ children: ['other'] }, world)
    const said = incomplete.filter(({ message }: { message: string }) => message === hidden)
    expect(said).toHaveLength(isHidden ? 1 : 0)
  })

  it('is not asked for where nothing may be hidden', async () => {
    const { asked } = await reviewed({ production: { seen: 0.1 } }, personal)
    expect(asked).not.toContain('user')
  })

  it('is named', async () => {
    const { reasons } = await reviewed({}, { events: [removed({})] })
    expect(reasons[0]).toBe(
      'staging was taken out of the project (2 d ago by ada): the flag may have been seen there',
    )
  })
})

describe("a flag's own document", () => {
  const other =
    "its own document could not be read: the service returned the document of the flag 'other'"
  test.each<[string, FlagSeed, string]>([
    ['has another name', { own: { name: 'other' } }, `${other} of project shop`],
    [
      'has another type',
      { own: { type: 'kill-switch' } },
      'its own document has the type kill-switch',
    ],
    [
      'has another project',
      { own: { project: 'pay' } },
      `${other.replace('other', 'flag')} of project pay`,
    ],
    ['is archived', { own: { archived: true } }, 'its own document says that it is archived'],
    [
      'was archived',
      { own: { archivedAt: daysAgo(1) } },
      'its own document says that it is archived',
    ],
    ['was created later', { own: { createdAt: daysAgo(2) } }, tooRecent('2026-11-25 16:10 UTC')],
    [
      'was seen later',
      {
        production: { seen: 20 },
        own: { environments: [{ name: 'production', enabled: false, lastSeenAt: daysAgo(6) }] },
      },
      tooRecent('2026-11-21 16:10 UTC'),
    ],
    [
      'has a sighting that cannot be read',
      { wrong: { lastSeenAt: { seconds: 5 } } },
      'a sighting cannot be read (in its own document)',
    ],
    [
      'entered its stage lately',
      { own: { lifecycle: { stage: 'live', enteredStageAt: daysAgo(1) } } },
      `entered the stage live 24 h ago: ${tooRecent('2026-11-26 16:10 UTC')}`,
    ],
    [
      'was revived lately',
      { own: { lifecycle: { stage: 'initial', enteredStageAt: daysAgo(1) } } },
      `revived 24 h ago: ${tooRecent('2026-11-26 16:10 UTC')}`,
    ],
    [
      'has a stage whose time cannot be read',
      { wrong: { lifecycle: { stage: 'live', enteredStageAt: 1795021200 } } },
      'the time when it entered the stage live cannot be read',
    ],
  ])('that %s makes it unclear', async (_, seed, reason) => {
    const { verdict, reasons } = await reviewed(seed)
    expect([verdict, reasons[0]]).toEqual(['unclear', reason])
  })

  describe('whose first stage began when the flag was created', () => {
    const own = { lifecycle: { stage: 'initial', enteredStageAt: daysAgo(300) } }
    const lost = 'old sightings may be lost: the service was upgraded from Unleash 5.6 or older'
    const flags = (other: FlagSeed) => ({ shop: { flag: { own }, other } })

    it('is older than an upgrade that may have lost its sightings', async () => {
      const { verdict, reasons } = await reviewed({ own })
      expect([verdict, reasons[0]]).toEqual(['unclear', lost])
      const { stdout } = await review(['flag'], flags({ production: { seen: 6 } }))
      expect(stdout).toContain(lost)
    })

    it('is removable if another flag was seen before the span that counts', async () => {
      const seed = flags({ development: { seen: 8 }, production: { seen: 1 } })
      const { stdout } = await review(['flag', '-o', 'names', '--verdict', 'removable'], seed)
      expect(stdout).toBe('flag\n')
    })

    it('is removable on a version that reports older sightings', async () => {
      const seed = { lastSeenAt: null, own }
      const { verdict } = await reviewed(seed, { version: '7.6.5', missing: /events/ })
      expect(verdict).toBe('removable')
    })
  })

  it('may have parts of strategies that are no texts', async () => {
    const odd = { toString: 1 }
    const constraints = [{ contextName: odd, operator: odd, value: odd }]
    const strategies = [{ name: 'flexibleRollout', parameters: { rollout: odd }, constraints }]
    const seed = {
      production: { on: true, seen: 40 },
      wrong: {
        environments: [{ name: 'production', enabled: true, lastSeenAt: daysAgo(40), strategies }],
      },
    }
    expect((await reviewed(seed)).verdict).toBe('still-on')
  })

  it('of a flag that was completed lately does not count', async () => {
    const lifecycle = { stage: 'completed', enteredStageAt: daysAgo(1) }
    expect(await reviewed({ own: { lifecycle } })).toMatchObject({ verdict: 'removable' })
  })
})

it('is refused if two lists have the flag', async () => {
  const seed = { shop: { flag: {} }, pay: { flag: {} } }
  const { code, stdout, stderr } = await feature(['review', '--all-projects'], seed)
  expect([code, stdout]).toEqual([8, ''])
  expect(stderr).toBe(
    'error: the service lists flag twice: in pay, shop\nhint: run the command again: a flag may have been moved in between\n',
  )
})

describe('a time that cannot be read is not "never"', () => {
  test.each<[string, unknown]>([
    ['text of another form', '2026-11-20 17:00:00+00'],
    ['a date of RFC 9110', 'Fri, 20 Nov 2026 16:00:00 GMT'],
    ['a number', 1795021200000],
    ['an object', { seconds: 1795021200 }],
  ])('%s', async (_, lastSeenAt) => {
    const { verdict, reasons } = await reviewed({ lastSeenAt }, { isFaulty: true })
    expect(verdict).toBe('unclear')
    expect(reasons).toContain('its last sighting cannot be read')
  })
})

describe('clocks', () => {
  test.each<[string, number, FlagSeed, string, string]>([
    [
      'that differ by an hour leave a sighting at the limit unclear',
      70 / 60,
      { production: { seen: 6.98 } },
      'unclear',
      'the clocks differ by 1 h, so it may be too recent (--not-seen-for 7d)',
    ],
    [
      'that differ by an hour leave other sightings alone',
      1,
      { production: { seen: 7.2 } },
      'removable',
      'no usage in 48 h',
    ],
    [
      'that differ by a day and more leave every flag unclear',
      25,
      { production: { seen: 100 } },
      'unclear',
      'the clocks differ by 25 h, so no time can be relied on',
    ],
    [
      'that differ by 3 hours leave usage at the start of the span unclear',
      -3,
      { usage: [{ hoursAgo: 46, yes: 1, no: 0 }] },
      'unclear',
      'the clocks differ by 3 h, so its last usage may or may not be in the span',
    ],
    [
      'that differ by 3 hours leave other usage alone',
      -3,
      { usage: [{ hoursAgo: 40, yes: 1, no: 0 }] },
      'in-use',
      '1 evaluation in 48 h',
    ],
  ])('%s', async (_, hours, seed, verdict, reason) => {
    const outcome = await reviewed(seed, { ahead: hours * HOUR })
    expect([outcome.verdict, outcome.reasons[0]]).toEqual([verdict, reason])
  })

  it('are not known if the service has a sighting or an event later than both', async () => {
    const reason = /^the clocks differ by 6 h, so it may be too recent/
    const seed = {
      shop: {
        flag: { production: { seen: 7.2 } },
        other: { production: { seen: -0.25 } },
      },
    }
    const { stdout } = await review(['flag', '--json'], seed)
    expect(JSON.parse(stdout).flags[0].reasons[0]).toMatch(reason)
    const events = [eventAt(-0.25, 'feature-tagged')]
    const { reasons } = await reviewed({ production: { seen: 7.2 } }, { events })
    expect(reasons[0]).toMatch(reason)
  })

  it('of applications concern only the flags that they report', async () => {
    const seed = {
      shop: {
        flag: { usage: [{ hoursAgo: -3, yes: 1, no: 0 }] },
        other: {},
        used: { production: { seen: 0.1 } },
      },
    }
    const { stdout } = await review(['-o', 'jsonl'], seed)
    const rows = stdout.trimEnd().split('\n')
    const verdicts = rows.map((row) => JSON.parse(row).verdict)
    expect(verdicts).toEqual(['removable', 'unclear', 'in-use'])
    expect(rows[1]).toContain(
      'usage by web in production is reported for 2026-11-20 19:00 UTC, which is in the future',
    )
  })
})

const stagingRemoved = eventAt(1, 'project-environment-removed', {
  featureName: null,
  environment: 'staging',
})
const hiddenWhereOn = {
  flag: {
    development: { on: true },
    own: { dependencies: [{ feature: 'parent', enabled: true }] },
  },
  parent: { development: { on: false }, production: { on: true } },
}

test.each<[string, FlagSeed, FeatureWorld]>([
  ['may have been seen in an environment that was taken out', {}, { events: [stagingRemoved] }],
  [
    'may have been seen in an environment that was taken out, and was changed',
    {},
    { events: [stagingRemoved, eventAt(2, 'feature-strategy-update')] },
  ],
  [
    'may have been seen in an environment that was taken out, and is permanent',
    { type: 'kill-switch' },
    { events: [stagingRemoved] },
  ],
  ['has a document that cannot be read', { ownStatus: 500 }, {}],
  ['has changes that cannot be read', {}, { failing: /search\/events/ }],
  [
    'is judged by clocks that differ by days',
    { production: { seen: 20 } },
    { ahead: 60 * 24 * HOUR },
  ],
])('the usage of a flag is not "unused" if it %s', async (_, seed, world) => {
  const { code, usage } = await reviewed(seed, world, ['--expect', 'unused'])
  expect([code, usage]).toEqual([9, 'unclear'])
})

test.each<[string, string[], Projects[string], FeatureWorld]>([
  [
    'no environment that counts was taken out',
    ['-e', 'prod*'],
    { flag: {} },
    { events: [stagingRemoved] },
  ],
  [
    'an application is asked for, as no sighting is one of it',
    ['--app', 'ios'],
    { flag: {}, other: { usage: [{ hoursAgo: 5, yes: 1, no: 0, appName: 'ios' }] } },
    { events: [stagingRemoved] },
  ],
  ['its parent is on where usage counts', ['-e', 'prod*'], hiddenWhereOn, {}],
])('the usage of a flag is "unused" if %s', async (_, filter, flags, world) => {
  const argv = [...Object.keys(flags), ...filter, '--since', '47h', '--expect', 'unused', '--json']
  const { stdout } = await review(argv, { shop: flags }, world)
  expect(JSON.parse(stdout).flags[0].usage).toBe('unused')
})

it('a flag was used if its own document says that it was seen later than the list says', async () => {
  const environments = [{ name: 'production', enabled: false, lastSeenAt: daysAgo(0.1) }]
  const flag = { production: { seen: 20 }, own: { environments } }
  const { verdict, usage, reasons } = await reviewed(flag)
  expect([verdict, usage]).toEqual(['in-use', 'used'])
  expect(reasons).toEqual(['last seen 2 h ago in production', 'off everywhere'])
})

it.each([['failing'], ['forbidden'], ['foreign']] as const)(
  'a configuration of the service that is %s leaves open whether it keeps days',
  async (how) => {
    const argv = ['flag', '-o', 'markdown']
    const { code, stdout } = await review(argv, { shop: { flag: {} } }, { [how]: /ui-config/ })
    expect(code).toBe(0)
    expect(stdout).toContain(
      'Incomplete: it is not known whether the service keeps usage of days: ',
    )
    const asked = await review(
      [...argv, '--since', '30d'],
      { shop: { flag: {} } },
      { [how]: /ui-config/ },
    )
    expect(asked.stdout).toContain('(47h 10m of 30 days)')
    expect(asked.stdout).not.toContain('keeps usage of days: ')
  },
)

it('days of other flags that cannot be read leave open since when the service keeps days', async () => {
  const seed = { shop: { flag: {}, witness: { production: { seen: 0.1 } } } }
  const failing = /witness\/raw\?hoursBack=\d{3}/
  const { code, stdout } = await review(['flag', '--json'], seed, { keepsDays: true, failing })
  const { flags, incomplete } = JSON.parse(stdout)
  expect([code, flags[0].verdict]).toEqual([0, 'removable'])
  expect(incomplete).toEqual([
    {
      message: 'it is not known since when the service keeps usage of days: 500: database is down',
      names: [],
    },
  ])
})

it('a service without a date leaves the clock of this machine unchecked', async () => {
  const { incomplete } = await reviewed({}, { sendsNoDate: true })
  expect(incomplete).toEqual([
    {
      message: 'the service sends no date, so the clock of this machine was not checked',
      names: [],
    },
  ])
})
