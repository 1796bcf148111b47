import { describe, expect, it } from 'vitest'
import { settingOf } from '../src/shell.ts'

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

  it.each([
    ['a-b/c.d', 'a-b/c.d', "'a-b/c.d'"],
    ['a b', "'a b'", "'a b'"],
    ['\u2019; x', "'\u2019; x'", "'\u2019\u2019; x'"],
    ['a,b', 'a,b', "'a,b'"],
    ['@x', '@x', "'@x'"],
    ['$env:A', "'$env:A'", "'$env:A'"],
    ['', "''", "''"],
    ['=ls', "'=ls'", "'=ls'"],
  ])('with the value %s are quoted for each shell', (value, posix, powershell) => {
    expect(settingOf({ A: value }, 'linux')).toBe(`export A=${posix}`)
    expect(settingOf({ A: value }, 'darwin')).toBe(`export A=${posix}`)
    expect(settingOf({ A: value }, 'win32')).toBe(`$env:A = ${powershell}`)
  })
})
