import { describe, expect, it, test } from 'vitest'
import { daysAgo, feature, type FeatureWorld, type FlagSeed } from '../flags/service.ts'

const forEveryone = { name: 'flexibleRollout', parameters: { rollout: '100' }, constraints: [] }

type Count = { yes?: number; no?: number; variants?: Record<string, number>; environment?: string }

/** Usage in the last hours and, on a service that keeps days, on these days before. */
function used(count: Count, days = Array.from({ length: 29 }, (_, index) => index + 2)): FlagSeed {
  const counts = { yes: 0, no: 0, ...count }
  return {
    usage: [3, 30].map((hoursAgo) => ({ hoursAgo, ...counts })),
    days: days.map((ago) => ({ daysAgo: ago, ...counts })),
  }
}

/** On for everyone in production, where it was seen lately. */
const on: FlagSeed = { production: { on: true, seen: 0.1, strategies: [forEveryone] } }
const off: FlagSeed = { production: { seen: 0.1 } }
const onInDevelopment = { development: { on: true, seen: 0.1 } }

const withStrategy = (...strategies: object[]): FlagSeed => ({
  production: { on: true, seen: 0.1, strategies },
})

const blue = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }]

/** What a review has of one flag beside a neighbour that is used every day. */
async function reviewed(seed: FlagSeed, world: FeatureWorld = {}, argv: readonly string[] = []) {
  const neighbour = { ...on, ...used({ yes: 5, no: 5 }) }
  const projects = { shop: { flag: seed, neighbour } }
  const run = await feature(['review', 'flag', '--project', 'shop', ...argv, '--json'], projects, {
    isSilent: true,
    ...world,
  })
  const [row] = JSON.parse(run.stdout).flags
  return { ...run, row }
}

const KEPT = 'on for all 30 d in production'
const UNCHANGED = 'on for everyone in production, unchanged for 30 d'

describe.each([true, false])('a flag that was used, on a service with days: %s', (keepsDays) => {
  const later = '(with days only)'
  test.each<[string, FlagSeed, string | null, string | null]>([
    [
      'on for everyone',
      { ...on, ...used({ yes: 9 }) },
      `keep on: ${KEPT}`,
      `keep on: ${UNCHANGED}`,
    ],
    [
      'on, with development off',
      { ...on, development: {}, ...used({ yes: 9 }) },
      `keep on: ${KEPT}`,
      `keep on: ${UNCHANGED}`,
    ],
    [
      'one variant',
      {
        ...withStrategy({ ...forEveryone, variants: blue }),
        ...used({ yes: 9, variants: { blue: 9 } }),
      },
      `keep variant blue: ${KEPT}`,
      `keep variant blue: ${UNCHANGED}`,
    ],
    [
      'one variant that is not asked for',
      { ...withStrategy({ ...forEveryone, variants: blue }), ...used({ yes: 9 }) },
      `keep on: ${KEPT}`,
      `keep variant blue: ${UNCHANGED}`,
    ],
    [
      'no variant',
      { ...on, ...used({ yes: 9, variants: { disabled: 9 } }) },
      `keep on: ${KEPT}`,
      `keep on: ${UNCHANGED}`,
    ],
    ['an experiment', { ...on, ...used({ yes: 9, variants: { blue: 5, red: 4 } }) }, null, null],
    [
      'a variant for a part',
      { ...on, ...used({ yes: 9, variants: { blue: 5, disabled: 4 } }) },
      null,
      null,
    ],
    ['on for a part', { ...on, ...used({ yes: 9, no: 1 }) }, null, null],
    [
      'a constraint that always matches',
      {
        ...withStrategy({
          ...forEveryone,
          constraints: [{ contextName: 'appName', operator: 'IN', values: ['web'] }],
        }),
        ...used({ yes: 9 }),
      },
      `keep on: ${KEPT}`,
      null,
    ],
    [
      'a segment',
      { ...withStrategy({ ...forEveryone, segments: [1] }), ...used({ yes: 9 }) },
      `keep on: ${KEPT}`,
      null,
    ],
    [
      'a gradual rollout of 99 %',
      {
        ...withStrategy({ ...forEveryone, parameters: { rollout: '99' } }),
        ...used({ yes: 9 }),
      },
      `keep on: ${KEPT}`,
      null,
    ],
    [
      'two strategies',
      { ...withStrategy(forEveryone, forEveryone), ...used({ yes: 9 }) },
      `keep on: ${KEPT}`,
      null,
    ],
    [
      'a second strategy that is disabled',
      {
        ...withStrategy(forEveryone, { ...forEveryone, disabled: true }),
        ...used({ yes: 9 }),
      },
      `keep on: ${KEPT}`,
      `keep on: ${UNCHANGED}`,
    ],
    [
      'the strategy of all users',
      { ...withStrategy({ name: 'default' }), ...used({ yes: 9 }) },
      `keep on: ${KEPT}`,
      `keep on: ${UNCHANGED}`,
    ],
    [
      'a variant of the environment',
      {
        production: { on: true, seen: 0.1, strategies: [forEveryone], variantCount: 1 },
        ...used({ yes: 9, variants: { blue: 9 } }),
      },
      `keep variant blue: ${KEPT}`,
      null,
    ],
    [
      'a parent',
      {
        ...on,
        ...used({ yes: 9 }),
        own: { dependencies: [{ feature: 'neighbour', enabled: true }] },
      },
      `keep on: ${KEPT}`,
      null,
    ],
    [
      'off everywhere, and asked for',
      { ...off, development: {}, ...used({ no: 9 }) },
      'keep off: off for all 30 d in production',
      null,
    ],
    [
      'off in production, and on in development',
      { ...off, ...onInDevelopment, ...used({ no: 9 }) },
      null,
      null,
    ],
    [
      'off now, and on in an evaluation in development',
      {
        ...off,
        development: { seen: 0.1 },
        usage: [
          { hoursAgo: 1, yes: 0, no: 9 },
          { hoursAgo: 5, yes: 1, no: 0, environment: 'development' },
        ],
        days: used({ no: 9 }).days ?? [],
      },
      null,
      null,
    ],
    ['created within the time', { ...on, ...used({ yes: 9 }), createdAt: daysAgo(29) }, null, null],
    ['used in two hours', { ...on, usage: [{ hoursAgo: 1, yes: 9, no: 0 }] }, null, later],
    ['used by a weekly job', { ...on, ...used({ yes: 9 }, [4, 11, 18, 25]) }, null, later],
    ['used since last week', { ...on, ...used({ yes: 9 }, [2, 3, 4, 5, 6, 7, 8, 9]) }, null, later],
    [
      'used on eight days, in the first and the last week',
      { ...on, ...used({ yes: 9 }, [2, 3, 4, 5, 6, 26]) },
      `keep on: ${KEPT}`,
      later,
    ],
    [
      'not used in the last week',
      { ...on, days: used({ yes: 9 }, [9, 10, 11, 12, 13, 14, 15, 29]).days ?? [] },
      null,
      null,
    ],
    ['a kill switch', { ...on, type: 'kill-switch', ...used({ yes: 9 }) }, null, null],
  ])('%s', async (_, seed, byDays, byState) => {
    const { row } = await reviewed(seed, { keepsDays })
    const text = keepsDays ? byDays : byState === later ? `keep on: ${UNCHANGED}` : byState
    expect([
      row.verdict === 'finished',
      row.verdict === 'finished' ? row.reasons[0] : null,
    ]).toEqual([text !== null, text])
  })
})

const change = (type: string, days: number) => [
  { type, featureName: 'flag', createdAt: daysAgo(days) },
]

describe('what changes the answer of a flag', () => {
  const flag = { ...on, ...used({ yes: 9 }) }

  test.each<[string, FeatureWorld, string]>([
    ['a strategy of yesterday', { events: change('feature-strategy-update', 1) }, 'in-use'],
    ['one of 31 days ago', { events: change('feature-strategy-update', 31) }, 'finished'],
    ['a tag', { events: change('feature-tagged', 1) }, 'finished'],
    ['a stale mark', { events: change('feature-stale-on', 1) }, 'finished'],
    ['a strategy that was removed', { events: change('feature-strategy-remove', 1) }, 'in-use'],
    ['a type that is not known', { events: change('feature-turned', 1), isFaulty: true }, 'in-use'],
    [
      'a time that cannot be read',
      {
        events: [{ ...change('feature-tagged', 1)[0], type: 'feature-updated', createdAt: 'soon' }],
        isFaulty: true,
      },
      'in-use',
    ],
    ['events that are hidden', { forbidden: /search\/events/ }, 'in-use'],
  ])('%s', async (_, world, verdict) => {
    const { row } = await reviewed(flag, { keepsDays: true, ...world })
    expect(row.verdict).toBe(verdict)
  })

  it('is also one of a segment that it uses', async () => {
    const seed = { ...withStrategy({ ...forEveryone, segments: [3] }), ...used({ yes: 9 }) }
    const updated = (id: number) => ({
      keepsDays: true,
      events: [
        {
          type: 'segment-updated',
          featureName: null,
          project: null,
          createdAt: daysAgo(2),
          data: { id },
        },
      ],
    })
    expect((await reviewed(seed, updated(3))).row.verdict).toBe('in-use')
    expect((await reviewed(seed, updated(4))).row.verdict).toBe('finished')
  })

  it('is not that of a flag that was used on few of many days, however long the time looked at is', async () => {
    const world = { keepsDays: true }
    const old = { ...on, createdAt: daysAgo(100) }
    const rare = { ...old, ...used({ yes: 9 }, [11]) }
    const argv = ['--not-seen-for', '90d']
    const { row } = await reviewed(rare, world, argv)
    const text = 'always on in production, but on too few days'
    expect([row.verdict, row.answers.at(-1).texts]).toEqual(['in-use', [text]])
    const daily = { ...old, ...used({ yes: 9 }) }
    expect((await reviewed(daily, world, argv)).row.verdict).toBe('finished')
    expect((await reviewed(daily, world, ['--not-seen-for', '3d'])).row.verdict).toBe('in-use')
  })

  test.each<[FlagSeed, ReturnType<typeof change>, string]>([
    [
      flag,
      change('feature-strategy-update', 1),
      'always on in production, but changed 24 h ago by ada',
    ],
    [{ ...flag, createdAt: daysAgo(29) }, [], 'always on in production, but created too recently'],
    [
      { ...on, ...used({ yes: 9 }, [4, 11, 18, 25]) },
      [],
      'always on in production, but on too few days',
    ],
  ])('is in the answers: %#', async (seed, events, text) => {
    const { row } = await reviewed(seed, { keepsDays: true, events })
    const answer = { question: 'outcome', says: 'goes', texts: [text] }
    expect(row.answers.at(-1)).toEqual(answer)
  })

  it('is not known if events cannot be read, which is a failure', async () => {
    const { row, code, stderr } = await reviewed(flag, {
      keepsDays: true,
      failing: /search\/events/,
    })
    expect([row.verdict, code]).toEqual(['in-use', 8])
    expect(stderr).toContain('database is down')
  })
})

it('shows what it answers, since when, and what depends on it', async () => {
  const seed = {
    ...on,
    ...used({ yes: 9, variants: { blue: 9 } }),
    children: ['neighbour'],
    own: { lifecycle: { stage: 'completed', enteredStageAt: daysAgo(2) } },
  }
  const { row } = await reviewed(seed, { keepsDays: true })
  expect(row).toMatchObject({
    verdict: 'finished',
    usage: 'used',
    outcome: 'variant',
    outcomeVariant: 'blue',
    settledSince: '2026-10-21T16:10:00.000Z',
    reasons: [
      `keep variant blue: ${KEPT}`,
      '279 evaluations in 30 d',
      'last used 2 h ago by web in production',
      'neighbour depends on it',
      'its stage in Unleash is completed',
    ],
  })
  expect(row).not.toHaveProperty('advice')
})

describe('finished flags and flags in use', () => {
  const seed = {
    shop: { done: { ...on, ...used({ yes: 9 }) }, busy: { ...on, ...used({ yes: 9, no: 1 }) } },
  }
  const review = (...argv: string[]) =>
    feature(['review', '--project', 'shop', ...argv], seed, { keepsDays: true })

  it('are listed apart, and the others are said', async () => {
    const inUse = await review('--verdict', 'in-use', '-o', 'names')
    expect([inUse.stdout, inUse.stderr]).toEqual([
      'busy\n',
      'note: 1 more is finished (--verdict finished shows them)\n',
    ])
    const finished = await review('--verdict', 'finished', '-o', 'names')
    expect([finished.stdout, finished.stderr]).toEqual(['done\n', ''])
  })

  test.each<[string[], number, string]>([
    [['--fail-on', 'in-use'], 9, 'busy is in use'],
    [['--fail-on', 'finished'], 9, 'done is finished'],
    [['--expect', 'in-use'], 0, ''],
    [['--expect', 'finished'], 9, 'busy is in use, expected finished'],
  ])('are distinguished by checks: %s', async (argv, code, problem) => {
    const run = await review(...argv)
    const [error = ''] = run.stderr.split('\n').filter((line) => !line.startsWith('note: '))
    expect([run.code, error]).toEqual([code, problem && `error: ${problem}`])
  })

  it('cannot be distinguished by a part of the usage', async () => {
    const { code, stderr } = await review('--verdict', 'finished', '--app', 'web')
    expect([code, stderr]).toEqual([
      2,
      'error: --verdict finished cannot be combined with --app, because it leaves out usage of the flags\nhint: use --expect unused, or leave out the filter\n',
    ])
    expect((await review('--app', 'web')).stdout).toContain('2 in use')
  })

  it('are a problem for CI systems if the check is about them', async () => {
    const { stdout } = await review('--fail-on', 'finished', '-o', 'junit')
    expect(stdout).toMatch(
      /<failure message="done: finished \(project shop\): keep on: [^"]+" type="finished"/,
    )
  })
})

it('are tasks in Markdown, apart from the table of the others', async () => {
  const seed = {
    shop: {
      done: {
        ...on,
        ...used({ yes: 9 }),
        own: { createdBy: { id: 1, name: 'ada', imageUrl: 'x' } },
      },
      busy: { ...on, ...used({ yes: 9, no: 1 }) },
    },
  }
  const review = async (...argv: string[]) => {
    const world = { keepsDays: true, files: { 'work/src/a.ts': "isEnabled('done')\n" } }
    const all = ['review', '--project', 'shop', '--scan', 'src', '-o', 'markdown', ...argv]
    return (await feature(all, seed, world)).stdout
  }
  const task =
    '- [ ] `done`: keep on · project shop · in src/a.ts:1 · ask ada · since 2026-10-21 or earlier\n'
  const both = await review()
  expect(both).toMatch(/\n\| `busy` \|[^\n]*\n\n- \[ \] /)
  expect(both).toContain(task)
  expect(both).not.toContain('| `done`')
  expect(await review('--verdict', 'finished')).toMatch(
    new RegExp(
      `^<!-- flagadm feature review -->\nReview of .+\n\n${task.replace(/[[\]()]/g, '\\$&')}\n2 flags`,
    ),
  )
})

test('a strategy of a flag that was used may have parts that are no texts', async () => {
  const odd = { toString: 1 }
  const strategies = [
    { ...forEveryone, variants: [{ name: odd }] },
    { name: 'flexibleRollout', parameters: { rollout: odd } },
  ]
  const environments = [{ name: 'production', enabled: true, lastSeenAt: daysAgo(0.1), strategies }]
  const seed = { ...on, ...used({ yes: 9 }), wrong: { environments } }
  expect((await reviewed(seed)).row.verdict).toBe('in-use')
})
