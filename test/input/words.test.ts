import { describe, expect, test } from 'vitest'
import { commandWords } from '../../src/input/words.ts'

function words(command: string, platform: NodeJS.Platform): string[] {
  return commandWords(command, '--api-key-command', platform)
}

describe('on POSIX, a backslash keeps the next character', () => {
  test.each([
    [String.raw`pass show a\ b`, ['pass', 'show', 'a b']],
    [String.raw`C:\x\y.exe`, ['C:xy.exe']],
    [String.raw`"a\"b\\c\d"`, [String.raw`a"b\c\d`]],
    [String.raw`'a\b'`, [String.raw`a\b`]],
  ])('in %s', (command, expected) => {
    expect(words(command, 'linux')).toEqual(expected)
  })
})

describe('on Windows, a backslash keeps only a quotation mark', () => {
  test.each([
    [String.raw`C:\x\y.exe /c z`, [String.raw`C:\x\y.exe`, '/c', 'z']],
    [
      String.raw`"C:\Program Files\k\k.exe" \\server\share\f`,
      [String.raw`C:\Program Files\k\k.exe`, String.raw`\\server\share\f`],
    ],
    [String.raw`'C:\a b\k.exe' C:\dir\ x`, [String.raw`C:\a b\k.exe`, 'C:\\dir\\', 'x']],
    [String.raw`k.exe "a\"b" \"c\" \'d`, ['k.exe', 'a"b', '"c"', "'d"]],
    [String.raw`k.exe C:\it"s a"`, ['k.exe', String.raw`C:\its a`]],
    [String.raw`k.exe a\\"b`, ['k.exe', String.raw`a\"b`]],
  ])('in %s', (command, expected) => {
    expect(words(command, 'win32')).toEqual(expected)
  })

  test('so a backslash at the end of a quoted folder hides the quotation mark', () => {
    expect(() => words(String.raw`k.exe "C:\dir\"`, 'win32')).toThrow(
      '--api-key-command: a quotation mark or the character after a backslash is missing',
    )
  })
})

test('shell syntax is refused with the shell of the system', () => {
  const hintOf = (platform: NodeJS.Platform) => {
    try {
      return words('cat key | head -1', platform).join(' ')
    } catch (error) {
      return error
    }
  }
  expect(hintOf('linux')).toMatchObject({
    hint: "the command is run without a shell; if it needs one: sh -c '…'",
  })
  expect(hintOf('win32')).toMatchObject({
    hint: "the command is run without a shell; if it needs one: powershell -Command '…'",
  })
})
