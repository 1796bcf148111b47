import { describe, expect, it, test } from 'vitest'
import { feature, type FlagSeed } from '../flags/service.ts'

/** 20 flags that were seen lately, one that stays, and two that may go. */
const flags: Record<string, FlagSeed> = Object.fromEntries([
  ...Array.from({ length: 20 }, (_, index) => [`used-${index}`, { production: { seen: 0.1 } }]),
  ['stop', { type: 'kill-switch' }],
  ['old', { production: { seen: 60 } }],
  ['never', {}],
])

async function ownRequests(argv: readonly string[]) {
  const { asked, code, stdout } = await feature(argv, { shop: flags }, { keepsDays: false })
  const usage = asked.filter((url) => url.includes('/raw?'))
  const documents = asked.filter((url) => /^projects\/shop\/features\/./.test(url))
  return { usage: usage.length, documents: documents.length, code, stdout }
}

const all = ['review', '--all-projects']

describe('where the list settles the verdict, usage is not read', () => {
  test.each<[string[]]>([
    [['--verdict', 'removable']],
    [['--verdict', 'removable,unclear', '-o', 'json']],
    [['-o', 'names']],
    [['--expect', 'removable']],
    [['--fail-on', 'removable']],
  ])('%s', async (argv) => {
    expect(await ownRequests([...all, ...argv])).toMatchObject({ usage: 2, documents: 2 })
  })

  it('by archive either', async () => {
    const argv = ['archive', 'old', 'used-1', '--project', 'shop', '--dry-run']
    const { usage, documents, code, stdout } = await ownRequests(argv)
    expect([usage, documents, code]).toEqual([1, 1, 9])
    expect(stdout).toContain(
      'used-1: refused (in use: last seen 2 h ago in production; off everywhere)',
    )
  })
})

describe('usage is read of all flags', () => {
  test.each<[string[]]>([
    [[]],
    [['-o', 'json']],
    [['--verdict', 'in-use', '-o', 'csv']],
    [['--expect', 'unused']],
    [['--fail-on', 'in-use']],
    [['--fail-on', 'removable', '-o', 'json']],
    [['--app', 'web', '-o', 'names']],
  ])('with %s', async (argv) => {
    expect(await ownRequests([...all, ...argv])).toMatchObject({ usage: 23 })
  })
})

it('counts flags in use and finished ones together where they are not told apart', async () => {
  const { stdout } = await ownRequests([...all, '--verdict', 'removable'])
  expect(stdout).toContain('23 flags: 2 removable, 0 unclear, 1 permanent, 20 in use or finished\n')
  const argv = [...all, '--verdict', 'removable', '--json']
  const { totals } = JSON.parse((await ownRequests(argv)).stdout)
  expect(totals).toEqual([
    expect.objectContaining({ flags: 23, removable: 2, finished: null, 'in-use': null }),
  ])
})

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
