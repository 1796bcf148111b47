import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lintRule } from '../../src/naming/rule-findings.ts'
import { samplesOf } from '../../src/naming/samples.ts'
import { anyPattern } from './arbitraries.ts'
import { wronglyShown } from './engine.ts'
import { examinedRule } from './examined.ts'

const { signal } = new AbortController()

async function samples(pattern: string, example?: string) {
  const rule = { pattern, ...(example !== undefined && { example }) }
  const { accepts, rejects } = await lintRule(rule, signal)
  return { accepts, rejects }
}

test.each([
  {
    pattern: 'feat-[a-z]+',
    accepts: ['feat-checkout', 'feat-search', 'feat-banner'],
    rejects: ['Feat-checkout', 'feat_checkout', 'checkout'],
  },
  {
    pattern: '(feat|fix|chore)-[a-z0-9-]+',
    accepts: ['fix-checkout', 'chore-search', 'feat-banner-login'],
    rejects: ['Fix-checkout', 'fix_checkout', 'checkout'],
  },
  {
    pattern: '[A-Z]{2,5}-\\d{1,6}',
    accepts: ['LOGIN-1', 'BETA-42', 'NEW-123'],
    rejects: ['LOGIN_1', '1', 'LOGIN'],
  },
  {
    pattern: 'enable[A-Z]\\w*',
    accepts: ['enableCheckout', 'enableSearch', 'enableBannerLogin'],
    rejects: ['EnableCheckout', 'enablecheckout', 'enableCheckout-'],
  },
  { pattern: '(a|b)', accepts: ['a', 'b'], rejects: ['A', 'a-', 'my-a'] },
])('the samples for $pattern look like names that people write', async (it) => {
  expect(await samples(it.pattern)).toEqual({ accepts: it.accepts, rejects: it.rejects })
})

test('a pattern that can only be analysed from its end has samples, too', async () => {
  expect(await samples('[a-z-]*(?<=-(?=x)).*')).toEqual({
    accepts: ['checkout-x', '-xSearch', 'banner-xLogin'],
    rejects: ['Checkout-x', 'checkout_x', 'x'],
  })
})

test('the first accepted sample is the example', async () => {
  const { accepts } = await samples('feat-[a-z]+', 'feat-wishlist')
  expect(accepts).toEqual(['feat-wishlist', 'feat-checkout', 'feat-search'])
})

test('a rule with an error has no samples', async () => {
  expect(await samples('feat-.*|fix-.*')).toEqual({ accepts: [], rejects: [] })
})

test('a rule that accepts every name has no rejected samples', async () => {
  const { accepts, rejects } = await samples('.*')
  expect(accepts).toHaveLength(3)
  expect(rejects).toEqual([])
})

test('a rule with look-around has samples', async () => {
  expect(await samples('(?!test-)[a-z-]+')).toEqual({
    accepts: ['checkout', 'search', 'banner-login'],
    rejects: ['Checkout', 'banner_login', 'CHECKOUT'],
  })
})

test('a sample of exactly 100 characters is found', async () => {
  const { accepts } = await samples('x{100}')
  expect(accepts).toEqual(['x'.repeat(100)])
})

test('the engine confirms the samples of any pattern', async () => {
  await fc.assert(
    fc.asyncProperty(anyPattern, async (pattern) => {
      expect(wronglyShown(pattern, await samplesOf(examinedRule(pattern)))).toEqual([])
    }),
    { numRuns: 80 },
  )
})
