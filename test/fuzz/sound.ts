import { expect } from 'vitest'
import { exitCodes } from '../../src/errors.ts'
import { factsOf, type FormatName, formats } from '../../src/output/formats.ts'
import { CANARY, type Outcome } from '../support/flagadm.ts'

const codes = Object.values(exitCodes)
  .map(({ code }) => code)
  .filter((code) => code !== exitCodes.unexpected.code)

// Not the expression of `safeText`, which these tests check.
const RAW = /(?!\n)[\p{Cc}\p{Bidi_C}\u00ad\u200b-\u200f\u2028\u2029\u2060-\u206f\ufeff]/u

// Only a part of the key, which also appears in most encodings of the whole key.
const KEY = CANARY.slice(CANARY.indexOf('canary'))

const ISOLATED = /\u2068([\u0590-\u08ff\ufb1d-\ufefc\u{10800}-\u{1efff} ._'-]+)\u2069/gu
const OTHER_BLANK = /(?! )\p{Zs}/u
const UNASSIGNED = /[\p{Co}\p{Cn}]/u
const STACKED = /[\p{Mn}\p{Me}]{5}/u

// Runners execute the former anywhere and the latter at the start of a line.
const CI_COMMAND = /##|^\s*::/m
const ANNOTATION = /^::(?:error|warning|notice) (?=\w+=)/gm

// A watch clears the screen.
const SCREEN = '\u001b[H\u001b[J'

export type Kind = FormatName | 'screen'

function isFormat(word: string): word is FormatName {
  return Object.hasOwn(formats, word)
}

/** What the output of a command line needs, by its format; undefined for nothing. */
export function kindOf(argv: readonly string[]): Kind | undefined {
  return argv.filter(isFormat).find((format) => controlsOf(format) !== undefined)
}

function controlsOf(kind: Kind): readonly string[] | undefined {
  return kind === 'screen' ? [SCREEN] : factsOf(kind).controls
}

/** Asserts what holds for every run with any input. */
export function expectSound({ code, stdout, stderr }: Outcome, kind?: Kind): void {
  const needed = (kind && controlsOf(kind)) ?? []
  const data = needed.reduce((text, control) => text.replaceAll(control, '\n'), stdout)
  expect(stderr).not.toContain('this is a bug')
  const annotated = kind === 'github' ? data.replace(ANNOTATION, '') : data
  for (const text of [annotated, stderr].map((raw) => raw.replace(ISOLATED, '$1'))) {
    for (const harm of [RAW, OTHER_BLANK, UNASSIGNED, STACKED, CI_COMMAND]) {
      expect(text).not.toMatch(harm)
    }
    expect(text).not.toContain('\n    at ')
    expect(text).not.toContain(KEY)
  }
  expect(codes).toContain(code)
}
