// The life of a pull request, by the recipes of docs/ci.md.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { root } from '../docs/pages.ts'
import { runJob } from '../support/recipes.ts'
import { createFlag, createSeenFlag, realTarget, removeFlags, sql } from './service.ts'

const calls = (...names: string[]) => names.map((name) => `client.isEnabled('${name}')\n`).join('')

/** The flags of the code on main; only one of them is old. */
const flags = ['life-moved', 'life-gone', 'life-old', 'life-used']

const files = {
  'src/shop.ts': calls('life-moved', 'life-gone', 'Life_Legacy'),
  'src/old.ts': calls('life-old', 'life-used'),
}

/** Two names are new, one has moved, and three are gone. */
const branch = {
  'src/shop.ts': calls('Life_Legacy', 'Checkout_Tips'),
  'src/old.ts': null,
  'src/new.ts': calls('life-moved', 'checkout-life'),
}

/** The same after a review: the new name follows the rule. */
const corrected = { ...branch, 'src/shop.ts': calls('Life_Legacy', 'checkout-tips') }

/** The name, the change, the project and the verdict of each row. */
function rowsOf(body = ''): string[] {
  const lines = body.split('\n').filter((line) => line.startsWith('| `'))
  return lines.map((line) => line.slice(2).split(' | ').slice(0, 4).join(' | '))
}

beforeAll(() => createSeenFlag('life-seen'), 60_000)

test.each([
  ['GitHub', 'names', 'flags'],
  ['GitLab', 'flag-names', 'request-flags'],
])(
  'the life of a pull request on %s',
  async (_, names, comment) => {
    for (const name of flags) await createFlag(name)
    await sql({ old: ['life-old'] })
    const { url, keys } = realTarget()
    const world = {
      program: join(root, 'bin/flagadm.js'),
      service: { url, key: keys.full },
      files,
    }

    // A new name breaks the rule; one that does as well was there before.
    const checked = await runJob(names, { ...world, changes: branch })
    expect(checked.code, checked.log).toBe(9)
    expect(checked.log).toContain('error: 1 of 2 names breaks the rule')
    expect(await runJob(names, { ...world, changes: corrected })).toMatchObject({ code: 0 })

    const commented = await runJob(comment, { ...world, changes: corrected })
    expect(commented.code, commented.log).toBe(0)
    const [first] = commented.api.comments
    expect(rowsOf(first?.body)).toEqual([
      '`checkout-life` | added |  | ',
      '`checkout-tips` | added |  | ',
      '`life-gone` | removed | `default` | unclear',
      '`life-old` | removed | `default` | removable',
      '`life-used` | removed | `default` | unclear',
    ])
    expect(first?.body).toContain('no flag yet')

    // The flags are created, and one that was removed is used again: the comment is replaced.
    await createFlag('checkout-life')
    await createFlag('checkout-tips')
    const own = { id: 7, body: first?.body ?? '', user: { type: 'Bot' } }
    const changes = { ...corrected, 'src/used.ts': calls('life-used') }
    const { code, log, api } = await runJob(comment, { ...world, changes, comments: [own] })
    expect([code, api.comments.length], log).toEqual([0, 1])
    expect(rowsOf(api.comments[0]?.body)).toEqual([
      '`checkout-life` | added | `default` | ',
      '`checkout-tips` | added | `default` | ',
      '`life-gone` | removed | `default` | unclear',
      '`life-old` | removed | `default` | removable',
    ])
    expect(api.comments[0]?.body).not.toContain('no flag yet')

    await removeFlags([...flags, 'checkout-life', 'checkout-tips'])
  },
  180_000,
)
