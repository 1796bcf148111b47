// The code of all repositories, by the recipes of docs/ci.md: each repository uploads what it has, and one job reviews.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { root } from '../docs/pages.ts'
import { reviewRepositories } from '../support/recipes.ts'
import { createFlag, realTarget, sql } from './service.ts'

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
    const rowOf = (name: string) => page.split('<tr\n').find((row) => row.includes(`>${name}</a>`))
    const [web = '', composed = '', none = ''] = flags.map(rowOf)
    expect(web).toMatch(/^data-verdict="unclear" /)
    const [, places] = /<td>(repository-.*?)<\/td>/.exec(web) ?? []
    expect(places?.split(', ').sort()).toEqual([
      'repository-1: src/flags.ts:1',
      'repository-4: src/flags.ts:1',
    ])
    expect(composed).toMatch(
      /^data-verdict="unclear" .*<td>may be in the code of repository-3 \(src\/flags\.ts:2\); .*<td>unclear<\/td>/,
    )
    expect(none).toMatch(
      /^data-verdict="removable" .*; not in the code of 5 repositories; .*<td>none found<\/td>/,
    )
  })
})
