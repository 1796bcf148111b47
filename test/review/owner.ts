import { feature, type FeatureWorld, type FlagSeed } from '../flags/service.ts'

export const person = (id: number, name: string) => ({
  id,
  name,
  imageUrl: 'https://example.com/a.png',
})
export const token = person(-42, 'Unleash Admin Token User')
export const ada = person(7, 'ada@shop.example')
export const grace = person(8, 'grace')

/** Reviews one flag, whose own document has these fields; returns its owner, too. */
export async function ownerOf(
  own: object,
  world: FeatureWorld = {},
  seed: FlagSeed = {},
  argv: readonly string[] = [],
) {
  const run = await feature(
    ['review', 'flag', '--project', 'shop', '--json', ...argv],
    { shop: { flag: { ...seed, own } } },
    world,
  )
  return { ...run, owner: JSON.parse(run.stdout).flags[0].owner }
}
