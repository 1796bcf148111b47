import { describe, expect, it, test } from 'vitest'
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

describe('the strategies of flags that may be finished', () => {
  const possible = Object.fromEntries(
    Array.from({ length: 203 }, (_, index): [string, FlagSeed] => [
      `flag-${index}`,
      {
        production: { on: true, seen: 0.1, strategies: [{ name: 'default' }] },
        usage: [{ hoursAgo: 1, yes: 1, no: 0 }],
      },
    ]),
  )
  const counts = async (...argv: string[]) => {
    const run = await feature([...all, ...argv], { shop: possible }, { keepsDays: false })
    const documents = run.asked.filter((url) => /^projects\/shop\/features\/./.test(url))
    return { ...run, documents: documents.length }
  }

  it('are read of 200 flags, which is said', async () => {
    const { documents, stdout } = await counts()
    expect(documents).toBe(200)
    expect(stdout).toContain(
      '203 flags: 0 removable, 200 finished, 3 in use, 0 unclear, 0 permanent',
    )
    expect(stdout).toContain(
      '\nIncomplete: 3 more flags may be finished: their strategies were not read (--verdict finished reads them) (flag-97, flag-98, flag-99)\n',
    )
  })

  it('are read of all if finished flags are asked for', async () => {
    const { documents, stdout } = await counts('--verdict', 'finished', '-o', 'names')
    expect([documents, stdout.split('\n').length - 1]).toEqual([203, 203])
  })

  it('are not read for a gate that is about others', async () => {
    expect((await counts('--fail-on', 'removable')).documents).toBe(0)
  })
})
