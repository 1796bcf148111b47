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
