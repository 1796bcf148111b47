import { expect, it, test } from 'vitest'
import { feature, type FlagSeed } from '../flags/service.ts'

const inUse: FlagSeed = { production: { seen: 0.1 } }
const on: FlagSeed = { production: { on: true, seen: 40 } }

async function verdictsOn(flags: Record<string, FlagSeed>, names = Object.keys(flags)) {
  const { stdout, asked } = await feature(['review', ...names, '-o', 'json'], { shop: flags })
  const rows: { flag: string; verdict: string; reasons: string[] }[] = JSON.parse(stdout).flags
  return { rows: new Map(rows.map((row) => [row.flag, row])), asked }
}

test.each<[string, Record<string, FlagSeed>, Record<string, string>]>([
  [
    'go together if all are removable',
    { parent: { children: ['a', 'b'] }, a: {}, b: {} },
    { parent: 'removable', a: 'removable', b: 'removable' },
  ],
  [
    'go together in a circle',
    { a: { children: ['b'] }, b: { children: ['a'] } },
    { a: 'removable', b: 'removable' },
  ],
  [
    'stay while several are in use',
    { a: { children: ['b', 'c'] }, b: inUse, c: inUse },
    { a: 'unclear', b: 'in-use', c: 'in-use' },
  ],
  [
    'stay along a chain',
    { a: { children: ['b'] }, b: { children: ['c'] }, c: inUse },
    { a: 'unclear', b: 'unclear', c: 'in-use' },
  ],
  ['stay if a list does not have one', { a: { children: ['b'] } }, { a: 'unclear' }],
])('flags that depend on each other %s', async (_, flags, expected) => {
  const { rows } = await verdictsOn(flags)
  const verdicts = Array.from(rows, ([name, { verdict }]) => [name, verdict])
  expect(Object.fromEntries(verdicts)).toEqual(expected)
})

it.each([[['a', 'b', 'c']], [['c', 'b', 'a']], [['b', 'a', 'c']]])(
  'shows the flag that keeps others, in any order: %s',
  async (names) => {
    const flags = { a: { children: ['b'] }, b: { children: ['c'] }, c: inUse }
    const { rows } = await verdictsOn(flags, names)
    const reason = 'c depends on it and is in use'
    expect([rows.get('a')?.reasons[0], rows.get('b')?.reasons[0]]).toEqual([reason, reason])
  },
)

it('reads what is needed of flags that depend on the given ones, and nothing twice', async () => {
  const flags = {
    parent: { children: ['child'] },
    child: { ...on, children: ['last'] },
    last: inUse,
  }
  const { rows, asked } = await verdictsOn(flags, ['parent'])
  expect(rows.get('parent')?.reasons[0]).toBe('last depends on it and is in use')
  const own = asked.filter((url) => /\/(raw|features\/\w+)(\?|$)/.test(url))
  expect(own).toEqual([...new Set(own)])
  expect(own.filter((url) => url.includes('last'))).toEqual([])
})
