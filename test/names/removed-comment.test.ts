import { expect, it } from 'vitest'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { commentOnRemoved } from '../support/recipe.ts'
import { sandboxOf } from '../support/sandbox.ts'

it('a removed flag is commented on a pull request by the recipe in docs/ci.md', async () => {
  const { env } = await sandboxOf([], { seed: defaultSeed })
  const comment = await commentOnRemoved('checkout-new-basket', env)
  expect(comment).toContain('`checkout-new-basket`')
  expect(comment).not.toContain('kept')
})

it('a removed name does not fail the recipe in docs/ci.md if it is not a flag', async () => {
  const { env } = await sandboxOf([], { seed: defaultSeed })
  expect(await commentOnRemoved('checkout-expres-pay', env)).toBeUndefined()
})
