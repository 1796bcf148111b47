import { expect } from 'vitest'
import { exitCodes } from '../../src/errors.ts'
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

/** The control characters that an output needs. */
const needs = {
  /** Records of CSV end in CR LF. */
  csv: ['\r\n'],
  /** Their cells are separated by tabs. */
  tsv: ['\t'],
  /** The service's own document keeps the tabs between its tokens. */
  json: ['\t'],
  /** Annotations are commands. */
  github: [],
  /** A watch clears the screen. */
  screen: ['\u001b[H\u001b[J'],
}

export type Kind = keyof typeof needs

const isKind = (word: string): word is Kind => Object.hasOwn(needs, word)

/** What the output of a command line needs, by its format; undefined for nothing. */
export function kindOf(argv: readonly string[]): Kind | undefined {
  return argv.find(isKind)
}

/** Asserts what holds for every run with any input. */
export function expectSound({ code, stdout, stderr }: Outcome, kind?: Kind): void {
  const needed = kind ? needs[kind] : []
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
