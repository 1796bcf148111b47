import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatted } from '../../src/old/output/text.ts'
import {
  fitText,
  shortenMiddle,
  shortenNames,
  textWidth,
  wrapList,
  wrapText,
} from '../../src/old/output/width.ts'

test.each([
  ['checkout-new-basket', 19, 'checkout-new-basket'],
  ['checkout-new-basket', 12, 'checko…asket'],
  ['checkout-new-basket', 2, 'c…'],
  ['checkout-new-basket', 1, '…'],
  ['checkout-new-basket', 0, ''],
  ['東京の店舗', 7, '東…店舗'],
  ['🚀🚀🚀🚀', 5, '🚀…🚀'],
])('%s is shortened to %i columns as %s', (text, width, short) => {
  expect(shortenMiddle(formatted(text), width)).toBe(short)
})

test.each(['a', 'é', '東', '👩‍👩‍👧‍👦', 'e\u0301'])(
  'a name that repeats %s 20,000 times is shortened and wrapped',
  (character) => {
    const text = character.repeat(20_000)
    expect(textWidth(shortenMiddle(formatted(text), 21))).toBe(21)
    expect(wrapText(formatted(text), 1000).join('')).toBe(text)
  },
)

describe('names in a column', () => {
  test.each([
    [['short', 'checkout-new-basket'], 12, ['short', 'checko…asket']],
    [
      ['payments-europe-customers', 'payments-america-customers'],
      20,
      ['payments-e…customers', 'payments-a…customers'],
    ],
    [
      ['payments-api-europe-customers', 'payments-api-america-customers'],
      20,
      ['payments-api-eu…mers', 'payments-api-am…mers'],
    ],
    [['same-long-name', 'same-long-name'], 8, ['same…ame', 'same…ame']],
    [['abc…xyz', 'abcdefghijklmnopqrstuvwxyz'], 7, ['abc…xyz', 'abcde…z']],
  ])('%j at %i columns are %j', (names, width, shown) => {
    expect(shortenNames(names.map(formatted), width)).toEqual(shown)
  })

  test('that differ only where they are cut are not shortened', () => {
    expect(
      shortenNames(['aaaaa1aaaaa1aaaaa', 'aaaaa2aaaaa2aaaaa'].map(formatted), 6),
    ).toBeUndefined()
  })

  test('fit and stay distinct', () => {
    const names = fc.array(fc.stringMatching(/^[ab東]{1,12}$/), { maxLength: 20 })
    fc.assert(
      fc.property(names, fc.integer({ min: 3, max: 12 }), (given, width) => {
        const shown = shortenNames(given.map(formatted), width)
        if (!shown) return
        expect(shown.every((name) => textWidth(name) <= width)).toBe(true)
        expect(new Set(shown).size).toBe(new Set(given).size)
      }),
    )
  })
})

test.each([
  ['one two three', 13, ['one two three']],
  ['one two three', 8, ['one two', 'three']],
  ['47 h of 48 h', 9, ['47 h of', '48 h']],
  ['in 5 min or 12 days', 8, ['in 5 min', 'or 12', 'days']],
  ['one twenty-three', 6, ['one', 'twenty', '-three']],
  ['東京の店', 4, ['東京', 'の店']],
])('%s is wrapped at %i columns', (text, width, lines) => {
  expect(wrapText(formatted(text), width)).toEqual(lines)
})

test.each([
  ['one ::error::x', 9, ['one', ':\\x3aerro', 'r::x']],
  ['one::error::x', 3, ['one', ':\\x', '3ae', 'rro', 'r::', 'x']],
  [':::::', 1, [...':\\x3a:\\x3a:']],
  ['one ::x', 80, ['one ::x']],
])('no line of %s at %i columns begins with a CI command', (text, width, lines) => {
  expect(wrapText(formatted(text), width)).toEqual(lines)
})

test('no line of a wrapped list begins with a CI command', () => {
  expect(wrapList(['redblue ::x', 'a'].map(formatted), 2, 9)).toBe(
    ['redblue', ' :\\x3ax', ', a'].join('\n  '),
  )
})

test.each([
  ['one two three', 5, 3, ['one', 'two', 'three']],
  ['one two three', 5, 2, ['one', 'two …']],
  ['one two three', 5, 1, ['one …']],
])('%s at %i columns in at most %i lines shows where it is cut', (text, width, most, lines) => {
  expect(fitText(formatted(text), width, most)).toEqual(lines)
})

test('a list is wrapped between words, and long words are divided rather than shortened', () => {
  expect(wrapList(['red 1', 'blue 12,345', 'a-very-long-variant 7'].map(formatted), 2, 16)).toBe(
    ['red 1,', 'blue 12,345,', 'a-very-long-va', 'riant 7'].join('\n  '),
  )
  expect(wrapList(['red 1', 'blue 2'].map(formatted), 2)).toBe('red 1, blue 2')
})
