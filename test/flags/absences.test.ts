import { describe, expect, it, test } from 'vitest'
import { feature, type FeatureWorld, type Projects } from './service.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `old-${index}`)

const archivedFlags = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { archived: true }]))

/** The verdict on each name, and its first reason. */
async function reviewed(argv: readonly string[], seed: Projects, world: FeatureWorld = {}) {
  const outcome = await feature(['review', ...argv, '--json', '--retries', '0'], seed, world)
  const { flags, incomplete = [] } = JSON.parse(outcome.stdout)
  const rows: { flag: string; verdict: string; reasons: string[] }[] = flags
  const verdicts = new Map(rows.map(({ flag, verdict }) => [flag, verdict]))
  const reasons = new Map(rows.map((row) => [row.flag, row.reasons[0]]))
  const searches = outcome.asked.filter((path) => path.startsWith('search/features'))
  return { ...outcome, verdicts, reasons, incomplete, searches }
}

const unchecked = 'not checked whether names are archived flags, or flags of other projects'

describe('archived names', () => {
  const names = numbered(120)
  const seed = { shop: archivedFlags(names), mail: { live: {} } }

  it('are found with one paged search', async () => {
    const { verdicts, searches } = await reviewed(names, seed)
    expect(new Set(verdicts.values())).toEqual(new Set(['archived']))
    expect(searches).toEqual([
      'search/features?archived=IS:true&limit=100&offset=0',
      'search/features?archived=IS:true&limit=100&offset=100',
    ])
  })

  it('are found with one search for each project that is selected', async () => {
    const argv = [...names.slice(0, 15), '--project', 'shop', '--project', 'mail']
    const { verdicts, searches } = await reviewed(argv, seed)
    expect(new Set(verdicts.values())).toEqual(new Set(['archived']))
    expect(searches).toEqual([
      'search/features?project=IS:shop&archived=IS:true&limit=100&offset=0',
    ])
  })

  it('are found by their names if there are few', async () => {
    const { verdicts, searches } = await reviewed(['old-3'], seed)
    expect(verdicts.get('old-3')).toBe('archived')
    expect(searches).toEqual(['search/features?archived=IS:true&limit=100&query=old-3&offset=0'])
  })

  test.each<[string, FeatureWorld]>([
    ['the service allows no more searches', { searches: 0 }],
    ['the service cannot search', { missing: /search/ }],
    [
      'the service ignores the filter, and lists flags that are not archived',
      { ignoresArchived: true },
    ],
  ])('are unclear if %s', async (_, world) => {
    for (const some of [['live-1'], ['live-1', ...names.slice(0, 5)]]) {
      const projects = { shop: {}, mail: { 'live-10': {} } }
      const { code, verdicts, reasons, incomplete } = await reviewed(some, projects, world)
      expect([code, verdicts.get('live-1')]).toEqual([0, 'unclear'])
      expect(reasons.get('live-1')).toBe(
        'not a flag of any project that the service lists; not checked whether it is archived',
      )
      expect(incomplete).toContainEqual({ message: unchecked, names: some })
    }
  })
})

it('a search that never ends is given up after 100 pages', async () => {
  const argv = ['gone', '--project', 'shop']
  const { code, reasons, searches } = await reviewed(argv, { shop: {} }, { isEndless: true })
  expect([code, searches.length]).toEqual([0, 100])
  expect(reasons.get('gone')).toBe('not a flag of project shop; not checked whether it is archived')
})

it('an empty answer proves nothing if the service ignores the filter', async () => {
  const projects = { shop: { gone: { archived: true }, other: {} } }
  const world = { ignoresArchived: true }
  for (const argv of [['gone'], ['gone', '--project', 'shop']]) {
    const { verdicts } = await reviewed(argv, projects, world)
    expect(verdicts.get('gone')).toBe('unclear')
  }
})

it('a pattern that matches nothing is an error about the project that could not be read', async () => {
  const argv = ['review', 'dark-*', '--all-projects', '--retries', '0']
  const { code, stderr } = await feature(argv, { shop: { other: {} }, forbidden: {} })
  expect(code).toBe(5)
  expect(stderr).toContain(
    'error: no flag that could be read matches dark-*; project forbidden could not be read: 403: no',
  )
})

describe('a service that lists only the project default', () => {
  const seed = { default: { known: {} } }
  const unlisted = { pay: { paid: {}, gone: { archived: true } } }

  it('may have a name in another project', async () => {
    const { verdicts, reasons } = await reviewed(['paid', 'gone', 'nix'], seed, { unlisted })
    expect(Object.fromEntries(verdicts)).toEqual({
      paid: 'unclear',
      gone: 'archived',
      nix: 'not-a-flag',
    })
    expect(reasons.get('paid')).toBe(
      'a flag of project pay, which the service does not list: use --project pay',
    )
  })

  it('leaves names unclear for which no search is left', async () => {
    const names = numbered(20)
    const { verdicts, searches, incomplete } = await reviewed(names, seed, { unlisted })
    expect(searches).toHaveLength(15)
    expect([...verdicts.values()].filter((verdict) => verdict === 'not-a-flag')).toHaveLength(13)
    expect(incomplete).toContainEqual({ message: unchecked, names: names.slice(13) })
  })
})

it('a name that is not a flag is none although a service before Unleash 7 has usage of it', async () => {
  const seed = {
    shop: {},
    // The usage is of a name, not of a project.
    pay: { misspelt: { usage: [{ hoursAgo: 1, yes: 4, no: 0 }] } },
  }
  const argv = ['review', 'misspelt', '--project', 'shop', '--expect', 'in-use']
  const { code, stdout } = await feature(argv, seed)
  expect(code).toBe(6)
  expect(stdout).toContain(
    'not a flag of project shop, but of project pay (--project pay); 4 evaluations in 48 h; last used 1 h ago by web in production',
  )
})
