import { describe, expect, test } from 'vitest'
import { compactJson, safeJson, safeLines, safeText } from '../../src/output/text.ts'

describe('text of one line', () => {
  test.each([
    ['plain text', '~ plain | text', '~ plain | text'],
    ['letters of any script', 'ключ ü 名前 \u{1f600}', 'ключ ü 名前 \u{1f600}'],
    ['an escape sequence', '\u001b[31mred', '\\x1b[31mred'],
    ['a controlling byte of eight bits', '\u009b31m', '\\x9b31m'],
    ['line breaks and tabs', 'a\r\n\tb', 'a\\x0d\\x0a\\x09b'],
    ['the character NUL', '\0', '\\x00'],
    ['a delete', 'a\u007f', 'a\\x7f'],
    ['a soft hyphen', 'a\u00adb', 'a\\xadb'],
    ['a joiner that shows nothing', 'a\u034fb', 'a\\u034fb'],
    ['a change of direction', 'a\u202eb', 'a\\u202eb'],
    ['a character without width', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
    ['separators of lines and paragraphs', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['a blank of Braille', 'a\u2800b', 'a\\u2800b'],
    ['a selector of a variation', 'a\ufe0fb', 'a\\ufe0fb'],
    ['a tag', 'a\u{e0041}b', 'a\\u{e0041}b'],
    ['half of a surrogate pair', 'a\ud83db', 'a\\ud83db'],
  ])('with %s', (_what, text, safe) => {
    expect(safeText(text)).toBe(safe)
  })
})

test('text of several lines keeps its line breaks', () => {
  expect(safeLines('a\r\nb\nc\rd\n\u001b')).toBe('a\nb\nc\\x0dd\n\\x1b')
})

describe('JSON', () => {
  test.each([
    ['of plain lines', '{\n  "a": 1\n}', '{\n  "a": 1\n}'],
    ['with tabs and carriage returns between tokens', '{\r\n\t"a": 1\r\n}', '{\n\t"a": 1\n}'],
    ['with tabs and letters', '{\n\t"ü": 1\n}', '{\n\t"ü": 1\n}'],
    ['with a control of eight bits', '"a\u009bb"', '"a\\u009bb"'],
    ['with a delete', '"\u007f"', '"\\u007f"'],
    ['with a change of direction', '"\u202e"', '"\\u202e"'],
    ['with a tag', '"\u{e0041}"', '"\\udb40\\udc41"'],
  ])('%s keeps its value', (_what, json, safe) => {
    expect(safeJson(json)).toBe(safe)
    expect(JSON.parse(safe)).toEqual(JSON.parse(json))
  })

  test('on one line has no blanks around what were lines', () => {
    expect(compactJson('{\r\n  "a b": 1,\r\n\r\n\t"c": [ 2 ]\n}\n')).toBe('{"a b": 1,"c": [ 2 ]}')
  })
})
