import { expect, it, test } from 'vitest'
import { feature, type FlagSeed } from '../flags/service.ts'

const all = ['review', '--all-projects']

it('asks a thousand flags for no more than their lists leave open', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index): [string, FlagSeed] => [
      `flag-${index}`,
      { production: { seen: index < 50 ? 60 : 0.1 } },
    ]),
  )
  const argv = [...all, '--verdict', 'removable']
  const { asked, stdout } = await feature(argv, { shop: many }, { keepsDays: false })
  expect(stdout).toContain(
    '1000 flags: 50 removable, 0 unclear, 0 permanent, 950 in use or finished\n',
  )
  expect(asked.length).toBeLessThanOrEqual(180)
})

test.each([
  [true, 850],
  [false, 600],
])(
  'with days %s, 5,000 flags of which 250 are open take at most %i requests',
  async (keepsDays, most) => {
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index): [string, FlagSeed] => [
        `flag-${index}`,
        { production: { seen: index < 250 ? 60 : 0.1 } },
      ]),
    )
    const { asked, stdout } = await feature(
      [...all, '--fail-on', 'removable'],
      { shop: many },
      { keepsDays },
    )
    expect(stdout).toContain(
      '5000 flags: 250 removable, 0 unclear, 0 permanent, 4750 in use or finished\n',
    )
    expect(asked.length).toBeLessThanOrEqual(most)
  },
)
