import { describe, expect, it, test } from 'vitest'
import {
  daysAgo,
  feature,
  type FeatureWorld,
  type FlagSeed,
  type Projects,
} from '../flags/service.ts'

const review = (argv: readonly string[], seed: Projects, world: FeatureWorld = {}) =>
  feature(['review', '--project', 'shop', '--not-seen-for', '7d', ...argv], seed, world)

/** The row of a flag of the project `shop`. */
async function rowOf(seed: FlagSeed, world: FeatureWorld = {}, argv: readonly string[] = []) {
  const { stdout } = await review(['--json', ...argv], { shop: { flag: seed } }, world)
  return JSON.parse(stdout).flags[0]
}

describe('the types of flags', () => {
  it('are those of the service, for --type', async () => {
    const seed = { shop: { a: { type: 'sunset' }, b: {} } }
    const world = { types: { release: 40, sunset: 90 } }
    for (const command of ['review', 'list']) {
      const argv = [command, '--project', 'shop', '--type', 'sunset', '-o', 'names']
      expect((await feature(argv, seed, world)).stdout).toBe('a\n')
      const unknown = await feature([command, '--project', 'shop', '--type', 'sunse'], seed, world)
      expect([unknown.code, unknown.stderr]).toEqual([
        2,
        "error: --type: unknown value 'sunse'\nhint: did you mean 'sunset'?\n",
      ])
    }
  })

  it('are those of Unleash 8.2 for a service that has no list of them', async () => {
    const seed = { shop: { a: { type: 'sunset' } } }
    expect((await review(['--type', 'sunset', '-o', 'names'], seed)).stdout).toBe('a\n')
    expect((await review(['--type', 'temporary'], seed)).code).toBe(2)
  })

  it('do not leave out a flag whose type or mark is not reported', async () => {
    const seed = { shop: { flag: { type: undefined, stale: undefined } } }
    const reviewed = await review(['--type', 'release', '--fail-on', 'unclear'], seed)
    expect([reviewed.code, reviewed.stdout]).toEqual([
      9,
      expect.stringMatching(/^flag +unclear .* the service does not report its type$/m),
    ])
    const list = async (...argv: string[]) => {
      const { code, stderr } = await feature(['list', '--project', 'shop', ...argv], seed)
      return `${code} ${stderr}`
    }
    expect(await list('--type', 'release')).toBe(
      '8 error: the service does not report the type of some flags: flag\nhint: leave out --type\n',
    )
    expect(await list('--stale')).toBe(
      '8 error: the service does not report whether some flags are marked as stale: flag\nhint: leave out --stale\n',
    )
    expect(await list('--stale', '--name', 'other')).toBe('0 ')
  })
})

it('a removable flag has who created it', async () => {
  const createdBy = { id: 1, name: 'ada', imageUrl: 'https://example.com/ada.png' }
  const row = await rowOf({ own: { createdBy } })
  expect(row).toMatchObject({
    verdict: 'removable',
    createdBy: 'ada',
  })
  const { stdout } = await review(['-o', 'html'], { shop: { flag: { own: { createdBy } } } })
  expect(stdout).toContain('"9 mo ago (2026-01-24 16:10 UTC) by ada"')
})

describe('flags that the configuration keeps', () => {
  const keeping = (...keep: unknown[]) => ({
    files: { 'work/.flagadmrc': JSON.stringify({ review: { keep } }) },
  })

  test.each<[string, unknown, string]>([
    ['by name', 'flag', 'kept (review.keep in ./.flagadmrc)'],
    ['by a pattern', 'fl*', 'kept (review.keep in ./.flagadmrc)'],
    [
      'with a reason and a last day',
      { name: 'flag', reason: 'for emergencies', until: '2026-11-20' },
      'kept until 2026-11-20 (review.keep in ./.flagadmrc): for emergencies',
    ],
  ])('are permanent: %s', async (_, entry, reason) => {
    const world = { ...keeping('other', entry), isSilent: true }
    expect(await rowOf({}, world)).toMatchObject({
      verdict: 'permanent',
      reasons: [reason],
    })
  })

  it('are judged again after the last day, and with --include-permanent', async () => {
    const past = { name: 'flag', until: '2026-11-19' }
    const expired = await rowOf({}, keeping(past))
    expect(expired).toMatchObject({ verdict: 'removable' })
    expect(expired.reasons).toContain('was kept until 2026-11-19 (review.keep in ./.flagadmrc)')
    const unclear = await rowOf({ createdAt: daysAgo(1) }, keeping(past))
    expect(unclear).toMatchObject({
      verdict: 'unclear',
      reasons: expect.arrayContaining(['was kept until 2026-11-19 (review.keep in ./.flagadmrc)']),
    })
    expect((await review([], { shop: { flag: {} } }, keeping(past))).stderr).toBe(
      'warning: review.keep in ./.flagadmrc: flag was kept until 2026-11-19: extend the entry, or delete it\n',
    )
    const row = await rowOf({}, keeping('flag'), ['--include-permanent'])
    expect(row).toMatchObject({ verdict: 'removable' })
  })

  test.each([
    [{ name: 'flag', until: '2026-02-30' }, '.until: expected a day, such as 2027-03-31'],
    [{ name: 'flag', until: 'soon' }, '.until: expected a day, such as 2027-03-31'],
    [{ name: 'flag', why: 'so' }, '.why: unknown field'],
    [{ reason: 'so' }, '.name: missing'],
    ['', ': expected a name'],
    [5, ': expected string or an object'],
  ])('are refused as %j', async (entry, problem) => {
    const { code, stderr } = await review([], { shop: {} }, keeping(entry))
    expect(code).toBe(3)
    expect(stderr).toContain(`.flagadmrc: review.keep[0]${problem}\n`)
  })

  it('are warned about if no flag has the name', async () => {
    const all = ['review', '--all-projects']
    const { stderr } = await feature(all, { shop: { flag: {} } }, keeping('flag', 'chekout-*'))
    expect(stderr).toBe('warning: review.keep in ./.flagadmrc: no flag matches chekout-*\n')
  })
})
