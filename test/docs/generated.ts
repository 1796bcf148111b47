// The parts of pages that are made from tables of the program. `<!-- generated: name -->` precedes each, and
// `<!-- end -->` follows it.
import { readFileSync } from 'node:fs'
import { languages } from '../../src/code/languages/all.ts'
import { findingKinds } from '../../src/naming/finding-kinds.ts'
import type { NamingRule } from '../../src/naming/rule.ts'
import { questions } from '../../src/review/questions.ts'
import { factsOfVerdict, verdicts } from '../../src/review/verdicts.ts'
import { type Operation, operations } from '../../src/service/operations.ts'
import { capabilities, type Capability } from '../../src/service/release.ts'

/** A cell of Markdown, in which `|` would end it. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('')
}

/** What works before the first version of something. */
function substituteOf({
  instead = '',
  hasFallback,
}: Pick<Operation, 'instead' | 'hasFallback'>): string {
  // A reader of Markdown would take a placeholder for HTML.
  return hasFallback ? 'another request takes its place' : instead.replaceAll('<', '\\<')
}

/** What not every release has, in the order of the versions. */
function versionTable(): string {
  const all = [...Object.values<Operation>(operations), ...Object.values<Capability>(capabilities)]
  const rows = all.flatMap((one) => {
    const { noun, since = '', missingIn } = one
    const first = missingIn ? `${since}, Enterprise` : since
    return noun === undefined ? [] : [[noun, [noun, first, substituteOf(one)]] as const]
  })
  const byVersion = [...new Map(rows).values()].sort(([, a = ''], [, b = '']) => {
    return a.localeCompare(b, 'en', { numeric: true })
  })
  return table(['what', 'since', 'before that'], byVersion)
}

function ruleText({ pattern, example }: NamingRule): string {
  const parts = [pattern && `\`${pattern}\``, example && `example \`${example}\``]
  return parts.filter(Boolean).join(', ')
}

/** Every kind of finding about a rule. */
function findingTable(): string {
  const headings = { error: 'errors', warning: 'warnings', info: 'information' }
  const rows = Object.entries(headings).flatMap(([severity, heading]) => {
    const kinds = Object.entries(findingKinds).filter(([, kind]) => kind.severity === severity)
    return [
      [`**${heading}**`, '', ''],
      ...kinds.map(([code, { finds, advice, examples }]) => [
        `\`${code}\``,
        cell(examples.map(ruleText).join('; ')),
        cell(`${finds} ${advice}`.trim().replace(' \\s,', ' `\\s`,')),
      ]),
    ]
  })
  return table(['finding', 'example', 'what is wrong, and what to write'], rows)
}

function extensionsText(extensions: string): string {
  return extensions
    .split(' ')
    .map((one) => `\`.${one}\``)
    .join(' ')
}

/** The languages whose lookups are read, and the endings of their files. */
function languageList(): string {
  const items = languages
    .filter(({ scripts }) => !scripts)
    .map(({ name, extensions }) => `- ${name}: ${extensionsText(extensions)}`)
  const markup = languages.flatMap(({ scripts, extensions }) => (scripts ? [extensions] : []))
  return `${[...items, `- markup with their code: ${extensionsText(markup.join(' '))}`].join('\n')}\n`
}

function verdictTable(): string {
  const byStrength = verdicts.toSorted((a, b) => {
    return factsOfVerdict(a).strength - factsOfVerdict(b).strength
  })
  const rows = byStrength.map((verdict) => [`\`${verdict}\``, factsOfVerdict(verdict).meaning])
  return table(['verdict', 'the flag'], rows)
}

/** The questions of a review, and the verdicts that their answers lead to. */
function questionTable(): string {
  const rows = questions.map(({ id, states, gives = [] }) => {
    const otherwise = [...gives, 'unclear'].map((verdict) => `\`${verdict}\``)
    return [id, states, otherwise.join(', ')]
  })
  return table(['question', 'the flag goes if', 'otherwise'], rows)
}

/** The example of a write, which test/docs/guide.test.ts runs: as a block in a list. */
function writeExample(): string {
  const file = readFileSync(new URL('guide.ts', import.meta.url), 'utf8')
  const [, code = ''] = /^ {2}\/\/ guide:start\n([^]*?)^ {2}\/\/ guide:end$/m.exec(file) ?? []
  const lines = ['```ts', ...code.trimEnd().replaceAll(/^ {2}/gm, '').split('\n'), '```']
  return `${lines.map((line) => (line === '' ? '' : `   ${line}`)).join('\n')}\n`
}

/** Why to use it: the first line of the README. */
function why(): string {
  return `Which feature flags can go? flagadm asks ${questions.length} questions about each flag in [Unleash](https://www.getunleash.io), from 90 days\nof usage to your source code, and calls it removable only if no answer speaks against that.\n`
}

const parts: Record<string, () => string> = {
  findings: findingTable,
  languages: languageList,
  questions: questionTable,
  verdicts: verdictTable,
  versions: versionTable,
  why,
  write: writeExample,
}

const PART = /^(?<start> *<!-- generated: (?<name>\w+) -->\n)[^]*?(?=^ *<!-- end -->$)/gm

/** A page with its generated parts as they are now. @throws for a part that is unknown */
export function withParts(text: string): string {
  return text.replaceAll(PART, (_part, start: string, name: string) => {
    const generate = parts[name]
    if (!generate) throw new Error(`test/docs/generated.ts has no part '${name}'`)
    return `${start}\n${generate()}\n`
  })
}
