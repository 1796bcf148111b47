// The code of all repositories, by the recipes of docs/ci.md: each repository uploads what it has, and one job reviews.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { root } from '../docs/pages.ts'
import { reviewRepositories } from '../support/recipes.ts'
import { createFlag, createSeenFlag, realTarget, sql } from './service.ts'

const flags = ['repositories-web', 'repositories-composed', 'repositories-none']
const longEnough = { timeout: 180_000 }

const code = [
  '',
  "isEnabled('repositories-web')",
  '',
  'const kind = read()\nconst name = `repositories-${kind}posed`',
  "isEnabled('repositories-web')\n",
]

beforeAll(async () => {
  await createSeenFlag('repositories-seen')
  for (const name of flags) await createFlag(name)
  await sql({ old: flags })
}, longEnough.timeout)

describe.each([
  ['references', 'all-repositories'],
  ['flag-references', 'flag-review'],
] as const)('the jobs %s and %s', longEnough, (upload, review) => {
  test('review the flags of the real service with the code of five repositories', async () => {
    const { url, keys } = realTarget()
    const outcome = await reviewRepositories([upload, review], code, {
      program: join(root, 'bin/flagadm.js'),
      service: { url, key: keys.full },
    })
    expect(outcome.code, outcome.log).toBe(0)
    const page = await outcome.read('review.html')
    const rows = page.split('<tr class="').map((row) => {
      const cells = [...row.matchAll(/<td class="[^"]*">(.*?)<\/td>/g)].map(([, cell]) => cell)
      return { kind: row.split('"')[0], cells }
    })
    const [web, composed, none] = flags.map((name) => {
      const row = rows.find(({ cells }) => cells.includes(name))
      return [row?.kind, ...(row?.cells.slice(-2) ?? [])]
    })
    expect(web?.with(1, '')).toEqual(['unclear', '', '2 places'])
    expect(web?.[1]?.replace('in the code of ', '').split(', ').sort()).toEqual([
      'repository-1 (src/flags.ts:1)',
      'repository-4 (src/flags.ts:1)',
    ])
    const doubt = 'may be in the code of repository-3 (src/flags.ts:2)'
    expect(composed).toEqual(['unclear', doubt, 'unclear'])
    expect(none).toEqual(['removable', 'no usage in 48 h', 'none found'])
    expect(page).toContain('not in the code of 5 repositories')
  })
})
