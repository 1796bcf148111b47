import { expect, test } from 'vitest'
import { lintRule } from '../../src/naming/findings.ts'

const { signal } = new AbortController()

test.each([
  [
    'feat-[a-z]+',
    ['feat-checkout', 'feat-search', 'feat-banner'],
    ['Feat-checkout', 'feat_checkout', 'checkout'],
  ],
  ['[A-Z]{2,5}-\\d{1,6}', ['BETA-42'], ['BETA_42', '42', 'BETA']],
  [
    'enable[A-Z]\\w*',
    ['enableSearch', 'enableCheckout', 'enableBanner'],
    ['EnableSearch', 'enablesearch', 'enableSearch-'],
  ],
  [
    '[a-z-]*(?<=-(?=x)).*',
    ['-xcheckout', '-xsearch', '-xbanner'],
    ['_xcheckout', '-XCHECKOUT', 'checkout'],
  ],
  ['.*', ['checkout', 'search', 'banner-login'], []],
  ['x{100}', ['x'.repeat(100)], [`X${'x'.repeat(99)}`, 'X'.repeat(100), 'x'.repeat(99)]],
])('%s shows names that pass and near misses', async (pattern, accepts, rejects) => {
  expect(await lintRule({ pattern }, signal)).toMatchObject({ accepts, rejects })
})

test('the first accepted sample is the example', async () => {
  const { accepts } = await lintRule({ pattern: 'feat-[a-z]+', example: 'feat-wishlist' }, signal)
  expect(accepts).toEqual(['feat-wishlist', 'feat-checkout', 'feat-search'])
})
