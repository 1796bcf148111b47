import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lintRule } from '../../src/naming/findings.ts'
import { anyPattern } from './arbitraries.ts'
import { wronglyShown } from './engine.ts'

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
    accepts: ['fix-checkout', 'fix-search', 'fix-banner'],
    rejects: ['Fix-checkout', 'fix_checkout', 'checkout'],
  },
  {
    pattern: '[A-Z]{2,5}-\\d{1,6}',
    accepts: ['BETA-42'],
    rejects: ['BETA_42', '42', 'BETA'],
  },
  {
    pattern: 'enable[A-Z]\\w*',
    accepts: ['enableSearch', 'enableCheckout', 'enableBanner'],
    rejects: ['EnableSearch', 'enablesearch', 'enableSearch-'],
  },
  { pattern: '(a|b)', accepts: ['a'], rejects: ['A', 'a-', 'my-a'] },
])('the samples for $pattern look like names that people write', async (it) => {
  expect(await samples(it.pattern)).toEqual({ accepts: it.accepts, rejects: it.rejects })
})

test('a pattern that can only be analysed from its end has samples, too', async () => {
  expect(await samples('[a-z-]*(?<=-(?=x)).*')).toEqual({
    accepts: ['-xcheckout', '-xsearch', '-xbanner'],
    rejects: ['_xcheckout', '-XCHECKOUT', 'checkout'],
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
      expect(wronglyShown(pattern, await lintRule({ pattern }, signal))).toEqual([])
    }),
    { numRuns: 80 },
  )
})
