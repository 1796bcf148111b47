import { describe, expect, test } from 'vitest'
import { isolate, safeJson, safeText } from '../../src/output/escapes.ts'

describe('text of one line', () => {
  test.each([
    ['letters of any script', 'ключ ü 名前 \u{1f600}', 'ключ ü 名前 \u{1f600}'],
    ['an escape sequence', '\u001b[31mred', '\\x1b[31mred'],
    ['line breaks and tabs', 'a\r\n\tb', 'a\\x0d\\x0a\\x09b'],
    ['a soft hyphen', 'a\u00adb', 'a\\xadb'],
    ['a change of direction', 'a\u202eb', 'a\\u202eb'],
    ['separators of lines and paragraphs', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['a selector of a variation', 'a\ufe0fb', 'a\\ufe0fb'],
    ['a tag', 'a\u{e0041}b', 'a\\u{e0041}b'],
    ['half of a surrogate pair', 'a\ud83db', 'a\\ud83db'],
    ['a blank that does not break', 'a\u00a0b', 'a\\xa0b'],
    ['blanks of other widths', 'a\u2003b\u3000c\u1680', 'a\\u2003b\\u3000c\\u1680'],
    ['a character of private use', 'a\ue000b\u{f0000}', 'a\\ue000b\\u{f0000}'],
    ['a character that is not assigned', 'a\u0378b\uffff', 'a\\u0378b\\uffff'],
    ['other invisible letters', '\u3164\u{1d159}\u{16fe4}', '\\u3164\\u{1d159}\\u{16fe4}'],
    [
      'combined letters',
      'e\u0301 \u1019\u103c\u103d\u103e\u102c',
      'e\u0301 \u1019\u103c\u103d\u103e\u102c',
    ],
    ['a combining mark at its start', '\u0338a\u0338', '\\u0338a\u0338'],
    ['stacked combining marks', `a${'\u0301'.repeat(6)}b`, `a${'\u0301'.repeat(4)}\\u0301\\u0301b`],
    [
      'commands of Azure and TeamCity',
      'a ##vso[x] ##teamcity[y]',
      'a #\\x23vso[x] #\\x23teamcity[y]',
    ],
    ['number signs in a row', '# ## ### ####', '# #\\x23 #\\x23# #\\x23#\\x23'],
    ['a command of GitHub after blanks', '  ::error::x', '  :\\x3aerror::x'],
    ['a command of GitHub after another blank', '\u3000::x', '\\u3000::x'],
    ['colons elsewhere', 'https://[::1]:1 a::b :a', 'https://[::1]:1 a::b :a'],
  ])('is safe to print with %s', (_what, text, safe) => {
    expect(safeText(text)).toBe(safe)
  })
})

describe('JSON', () => {
  test.each([
    ['with tabs and carriage returns between tokens', '{\r\n\t"a": 1\r\n}', '{\n\t"a": 1\n}'],
    ['with a tag', '"\u{e0041}"', '"\\udb40\\udc41"'],
    ['with a blank that does not break', '"a\u00a0b"', '"a\\u00a0b"'],
    ['with stacked combining marks', `"a${'\u0301'.repeat(5)}"`, `"a${'\u0301'.repeat(4)}\\u0301"`],
    ['with commands of a CI', '{\n "##vso[x]": "###"\n}', '{\n "#\\u0023vso[x]": "#\\u0023#"\n}'],
  ])('%s keeps its value', (_what, json, safe) => {
    expect(safeJson(json)).toBe(safe)
    expect(JSON.parse(safe)).toEqual(JSON.parse(json))
  })
})

describe('right-to-left words', () => {
  const word = '\u05d0\u05d1'
  test.each([
    [
      'are isolated from the figures beside them',
      `${word} 12 ${word}`,
      `\u2068${word}\u2069 12 \u2068${word}\u2069`,
    ],
    [
      'are not isolated from each other',
      `${word} ${word}-${word}`,
      `\u2068${word} ${word}-${word}\u2069`,
    ],
    ['are isolated only once', `a \u2068${word} 1\u2069`, `a \u2068${word} 1\u2069`],
    [
      'of astral characters are isolated whole',
      '\u{10900}\u{1f600}\u{10900}',
      '\u2068\u{10900}\u2069\u{1f600}\u2068\u{10900}\u2069',
    ],
    ['are isolated, but not other words', 'ключ 名前 12', 'ключ 名前 12'],
  ])('%s', (_what, text, isolated) => {
    expect(isolate(text)).toBe(isolated)
  })
})
