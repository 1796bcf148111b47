import { expect, it } from 'vitest'
import { errorText, FlagadmError } from '../../src/errors.ts'
import { checkMatch } from '../../src/code/settings.ts'

function refusal(source: string): { kind: string; lines: string[] } {
  try {
    checkMatch(source)
  } catch (error) {
    if (error instanceof FlagadmError) {
      return { kind: error.kind, lines: [`error: ${errorText(error)}`, `hint: ${error.hint}`] }
    }
    throw error
  }
  return { kind: 'none', lines: [] }
}

const hint = `hint: mark the flag with a group: --match 'flag\\("(?<flag>[^"]+)"'`

it.each([
  ['(', 'Unterminated group'],
  ['[b-a]', 'Range out of order in character class'],
  ['x: (?<flag>', 'Unterminated group'],
  ['(?<flag>a)\\', '\\ at end of pattern'],
  ['(?<flag>a)(?<flag>b)', 'Duplicate capture group name'],
])('rejects %j, which does not compile, with the reason', (source, reason) => {
  expect(refusal(source)).toEqual({
    kind: 'usage',
    lines: [`error: --match ${source}: not a valid regular expression: ${reason}`, hint],
  })
})

it.each(['flag', '(flag)', '(?<Flag>a)', '(?<name>a)', '\\(?<flag>a\\)', '(?:a|)'])(
  'rejects %j, which lacks a group named flag',
  (source) => {
    expect(refusal(source)).toEqual({
      kind: 'usage',
      lines: [`error: --match ${source}: the pattern has no group named flag or constant`, hint],
    })
  },
)

it.each(['(?<flag>a)', 'x(?<flag>a)|y', '(?:(?<flag>a)|b)', '(?<a>.)(?<flag>.)', '(?=(?<flag>a))'])(
  'accepts %j',
  (source) => {
    expect(refusal(source)).toEqual({ kind: 'none', lines: [] })
  },
)
