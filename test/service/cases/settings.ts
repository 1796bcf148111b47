import type { Stored } from './target.ts'

/** The settings of the project before each case. */
export const before: Stored = {
  mode: 'protected',
  pattern: 'old-.+',
  example: 'old-one',
  description: 'As it was',
}

interface SettingsCase {
  name: string
  options: readonly string[]
  /** The fields that are different afterwards. */
  changed: Partial<Stored>
  /** Other fields that are different on a service whose settings cannot be read. */
  lost?: Partial<Stored>
}

const cleared = { pattern: null, example: null, description: null }
const hostile =
  'first line\nsecond\ttab \x1b[31mred\x1b[0m \u202e \u{1f3f3}\ufe0f "quotes" \\ \' <b>'

/** Settings that flagadm sends, and what the service then stores. */
export const settingsCases: readonly SettingsCase[] = [
  { name: 'mode open', options: ['--mode', 'open'], changed: { mode: 'open' } },
  {
    name: 'a rule and a mode',
    options: ['--mode', 'open', '--pattern', 'x.+', '--example', 'xy', '--description', hostile],
    changed: { mode: 'open', pattern: 'x.+', example: 'xy', description: hostile },
  },
  {
    name: 'only a pattern',
    options: ['--pattern', 'old-[a-z]+'],
    changed: { pattern: 'old-[a-z]+' },
    // The service does not ignore omitted fields, so flagadm can only warn.
    lost: { example: null, description: null },
  },
  {
    name: 'a rule whose example and description are empty',
    options: ['--pattern', 'new-[a-z]+', '--clear-example', '--clear-description'],
    changed: { ...cleared, pattern: 'new-[a-z]+' },
  },
  { name: 'no rule', options: ['--clear-naming'], changed: cleared },
]
