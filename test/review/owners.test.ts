import { describe, expect, it, test } from 'vitest'
import { daysAgo, feature } from '../flags/service.ts'
import { ada, grace, ownerOf, person, token } from './owner.ts'

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

  it('is not known if its events could not be read', async () => {
    const world = { failing: /feature=.*from=IS:2026-0/ }
    const own = { createdBy: undefined }
    const { code, owner, stdout } = await ownerOf(own, world, {}, ['--retries', '0'])
    expect([code, owner]).toEqual([0, null])
    expect(JSON.parse(stdout).incomplete).toEqual([
      {
        message: 'who created flags could not be read: 500: database is down',
        names: ['flag'],
      },
    ])
  })

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
