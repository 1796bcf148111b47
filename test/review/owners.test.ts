import { describe, expect, it, test } from 'vitest'
import { repositoryIn } from '../support/flagadm.ts'
import { daysAgo, feature, type FeatureWorld, type FlagSeed } from '../flags/service.ts'

const person = (id: number, name: string) => ({ id, name, imageUrl: 'https://example.com/a.png' })
const token = person(-42, 'Unleash Admin Token User')
const ada = person(7, 'ada@shop.example')
const grace = person(8, 'grace')

async function ownerOf(
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

describe('the owner of a flag', () => {
  test.each<[string, object, string | null]>([
    ['changed it last', { createdBy: ada, collaborators: { users: [grace, ada] } }, 'grace'],
    [
      'is not a token',
      { createdBy: ada, collaborators: { users: [token, ada] } },
      'ada@shop.example',
    ],
    ['created it', { createdBy: ada, collaborators: { users: [token] } }, 'ada@shop.example'],
    [
      'is not known if a token did all',
      { createdBy: token, collaborators: { users: [token] } },
      null,
    ],
    ['is not a deleted user', { createdBy: person(0, 'unknown') }, null],
  ])('%s', async (_, own, owner) => {
    expect((await ownerOf(own)).owner).toBe(owner)
  })

  const created = { type: 'feature-created', featureName: 'flag', createdAt: daysAgo(300) }
  test.each<[string, object, string | null]>([
    ['a person', { createdBy: 'ada', createdByUserId: 7 }, 'ada'],
    ['somebody of whom older versions have no number', { createdBy: 'ada' }, 'ada'],
    ['a token', { createdBy: 'terraform', createdByUserId: -42 }, null],
    ['a token, of which older versions have no number', { createdBy: 'unknown' }, null],
  ])(
    'created it according to its events, if its document does not say: %s',
    async (_, by, owner) => {
      const events = [{ ...created, ...by }]
      expect((await ownerOf({ createdBy: undefined }, { events })).owner).toBe(owner)
    },
  )

  it('is read for flags that are shown, if nothing else was read', async () => {
    const young = { createdAt: daysAgo(1) }
    const own = { createdBy: ada }
    const shown = await ownerOf(own, {}, young)
    expect(shown.owner).toBe('ada@shop.example')
    const argv = ['review', 'flag', '--project', 'shop']
    const seed = { shop: { flag: { ...young, own } } }
    for (const others of [
      ['-o', 'names'],
      ['--verdict', 'removable'],
    ]) {
      const { asked } = await feature([...argv, ...others], seed)
      expect(asked).not.toContain('projects/shop/features/flag')
    }
  })

  it('is a column where a flag has one', async () => {
    const flags = { a: { own: { createdBy: ada } }, b: {} }
    const review = (columns: number, ...names: string[]) =>
      feature(['review', ...names, '--project', 'shop', '--no-color'], { shop: flags }, { columns })
    expect((await review(120, 'a', 'b')).stdout).toMatch(/ Owner +Reason\n/)
    expect((await review(46, 'a', 'b')).stdout).toContain('not shown: Type, Owner (')
    expect((await review(120, 'b')).stdout).not.toContain('Owner')
  })
})

describe('the column of owners', () => {
  const ownersIn = async (...names: string[]) => {
    const flags = names.map((name, index) => {
      return [`flag-${index}`, { own: { createdBy: person(7 + index, name) } }] as const
    })
    const argv = ['review', '--project', 'shop', '-o', 'markdown']
    const { stdout } = await feature(argv, { shop: Object.fromEntries(flags) })
    const rows = stdout.split('\n').filter((line) => line.startsWith('| `flag-'))
    return rows.map((line) => line.split(' | ').at(-2)?.replaceAll('`', ''))
  }

  test.each<[string, string[], string[]]>([
    ['all have', ['ada@shop.example', 'eve@shop.example'], ['ada', 'eve']],
    ['all addresses have', ['ada@shop.example', 'grace'], ['ada', 'grace']],
  ])('leaves out the domain that %s', async (_, names, shown) => {
    expect(await ownersIn(...names)).toEqual(shown)
  })

  test.each([
    ['domains that differ', ['ada@shop.example', 'eve@other.example']],
    ['teams of CODEOWNERS', ['@shop/cart', '@shop/cart']],
    ['lists of owners', ['ada@shop.example eve@shop.example', 'grace']],
  ])('keeps %s', async (_, names) => {
    expect(await ownersIn(...names)).toEqual(names)
  })
})

describe('with --scan, the owner of a flag of a token', () => {
  const inCode = (owners: string, file = 'src/shop/cart.ts', path = 'CODEOWNERS') => ({
    files: {
      ...repositoryIn('work'),
      [`work/${file}`]: "unleash.isEnabled('flag')\n",
      [`work/${path}`]: owners,
    },
  })
  const scanned = async (owners: string, file?: string, path?: string) => {
    const world = inCode(owners, file, path)
    return (await ownerOf({ createdBy: token }, world, {}, ['--scan', '.'])).owner
  }

  test.each<[string, string, string | null]>([
    ['all', '* @shop/all', '@shop/all'],
    ['the last line', '* @shop/all\n/src/shop/ @shop/cart @ada # comment', '@shop/cart @ada'],
    ['a folder anywhere', 'shop @shop/cart', '@shop/cart'],
    ['a kind of file', '*.ts @shop/ts\n*.js @shop/js', '@shop/ts'],
    ['the files of a folder', '/src/* @shop/src', null],
    ['all below a folder', 'src/** @shop/src', '@shop/src'],
    ['another folder', '/lib/ @shop/lib', null],
    ['a line without an owner', '* @shop/all\n/src/shop/cart.ts', null],
    ['comments and sections', '# * @no\n[Shop]\n* @shop/all\n^[Other]', '@shop/all'],
    ['braces, which are text', '*.{ts,js} @no\n', null],
    ['a pattern that takes long', '* @shop/all\n*c*a*r*t*s @no', '@shop/all'],
    ['a name of a folder above', '/src/sho @no\nsho @no\ncart @no', null],
    ['a file', '/src/shop/cart.ts @shop/file', '@shop/file'],
    ['too many lines with wildcards', `* @no\n${'/a/* @no\n'.repeat(5_000)}`, null],
    ['a large file without wildcards', `src @src\n${'/a/b @no\n'.repeat(50_000)}`, '@src'],
    ['too many spans', '* @shop/all\n**/**/**/**/cart.ts @no', '@shop/all'],
  ])('is by CODEOWNERS: %s', async (_, owners, owner) => {
    expect(await scanned(owners)).toBe(owner)
  })

  it('is by the first file that there is', async () => {
    expect(await scanned('* @here', undefined, '.github/CODEOWNERS')).toBe('@here')
    expect(await scanned('* @here', undefined, 'docs/CODEOWNERS')).toBe('@here')
  })

  it('is not by a folder of that name', async () => {
    const world = inCode('* @here', undefined, 'docs/CODEOWNERS')
    const files = { ...world.files, 'work/CODEOWNERS/a': '* @no' }
    const { owner } = await ownerOf({ createdBy: token }, { files }, {}, ['--scan', '.'])
    expect(owner).toBe('@here')
  })

  it('is a person, if there is one', async () => {
    const world = inCode('* @shop/all')
    expect((await ownerOf({ createdBy: ada }, world, {}, ['--scan', '.'])).owner).toBe(
      'ada@shop.example',
    )
  })
})
