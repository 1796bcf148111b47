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
  /** What is different afterwards. */
  changed: Partial<Stored>
  /** What flagadm prints on stderr. */
  warning?: string
}

const cleared = { pattern: null, example: null, description: null }
const hostile =
  'first line\nsecond\ttab \x1b[31mred\x1b[0m \u202e \u{1f3f3}\ufe0f "quotes" \\ \' <b>'

function clears(what: string): string {
  return `warning: some servers clear the stored ${what} when a pattern is sent without them; send all three\n`
}

/** Settings that flagadm sends, and what the service then stores. */
export const settingsCases: readonly SettingsCase[] = [
  { name: 'mode open', options: ['--mode', 'open'], changed: { mode: 'open' } },
  { name: 'mode private', options: ['--mode', 'private'], changed: { mode: 'private' } },
  { name: 'the current mode', options: ['--mode', 'protected'], changed: {} },
  {
    name: 'a whole rule',
    options: [
      ...['--naming-pattern', 'new-[a-z]+', '--naming-example', 'new-one'],
      ...['--naming-description', 'As it is'],
    ],
    changed: { pattern: 'new-[a-z]+', example: 'new-one', description: 'As it is' },
  },
  {
    name: 'a rule and a mode',
    options: [
      ...['--mode', 'open', '--naming-pattern', 'x.+', '--naming-example', 'xy'],
      ...['--naming-description', hostile],
    ],
    changed: { mode: 'open', pattern: 'x.+', example: 'xy', description: hostile },
  },
  {
    // The service does not ignore omitted fields here, so flagadm can only warn.
    name: 'only a pattern',
    options: ['--naming-pattern', 'new-[a-z]+'],
    changed: { ...cleared, pattern: 'new-[a-z]+' },
    warning: clears('example and description'),
  },
  {
    name: 'a pattern without a description',
    options: ['--naming-pattern', 'new-[a-z]+', '--naming-example', 'new-one'],
    changed: { pattern: 'new-[a-z]+', example: 'new-one', description: null },
    warning: clears('description'),
  },
  {
    name: 'a pattern without an example',
    options: ['--naming-pattern', 'new-[a-z]+', '--naming-description', 'As it is'],
    changed: { pattern: 'new-[a-z]+', example: null, description: 'As it is' },
    warning: clears('example'),
  },
  {
    name: 'a rule whose example and description are empty',
    options: [
      ...['--naming-pattern', 'new-[a-z]+', '--naming-example', '', '--naming-description', ''],
    ],
    changed: { ...cleared, pattern: 'new-[a-z]+' },
  },
  { name: 'no rule', options: ['--clear-naming'], changed: cleared },
  {
    name: 'no rule and a mode',
    options: ['--clear-naming', '--mode', 'open'],
    changed: { ...cleared, mode: 'open' },
  },
  {
    name: 'only an empty pattern',
    options: ['--naming-pattern', ''],
    changed: { pattern: null },
  },
]
