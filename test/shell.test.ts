import { describe, expect, it } from 'vitest'
import { quoted, settingOf } from '../src/shell.ts'

describe('an argument', () => {
  it.each([
    ['a-b/c.d', 'a-b/c.d', 'a-b/c.d'],
    ['C:\\a', "'C:\\a'", 'C:\\a'],
    ['a b', "'a b'", "'a b'"],
    ["it's", "'it'\\''s'", "'it''s'"],
    ['\u2019; x', "'\u2019; x'", "'\u2019\u2019; x'"],
    ['a,b', 'a,b', "'a,b'"],
    ['50%', '50%', "'50%'"],
    ['@x', '@x', "'@x'"],
    ['$env:A', "'$env:A'", "'$env:A'"],
    ['', "''", "''"],
    ['=ls', "'=ls'", '=ls'],
  ])('%s is quoted for each shell', (argument, posix, powershell) => {
    expect([quoted(argument, 'linux'), quoted(argument, 'darwin')]).toEqual([posix, posix])
    expect(quoted(argument, 'win32')).toBe(powershell)
  })
})

describe('variables', () => {
  const variables = { FLAGADM_BASE_URL: 'http://127.0.0.1:1', FLAGADM_API_KEY: "*:*.it's" }

  it('are exported by a POSIX shell', () => {
    expect(settingOf(variables, 'linux')).toBe(
      "export FLAGADM_BASE_URL=http://127.0.0.1:1 FLAGADM_API_KEY='*:*.it'\\''s'",
    )
  })

  it('are set by PowerShell', () => {
    expect(settingOf(variables, 'win32')).toBe(
      "$env:FLAGADM_BASE_URL = 'http://127.0.0.1:1'; $env:FLAGADM_API_KEY = '*:*.it''s'",
    )
  })
})
