import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { patientClock } from '../support/clock.ts'
import { flagadm, repositoryIn, type Outcome } from '../support/flagadm.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A page of the documentation. */
export interface Page {
  /** The path in the repository. */
  path: string
  text: string
}

/** A fenced block of code. */
export interface Block {
  language: string
  code: string
  /** Whether the comment `<!-- not run: reason -->` precedes it. */
  isRun: boolean
}

const markdown = (folder: string) =>
  readdirSync(`${root}/${folder}`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)

/** README, changelog and everything in docs/ and .github/. */
export const pages: readonly Page[] = [
  'README.md',
  'CHANGELOG.md',
  ...markdown('docs'),
  ...markdown('.github'),
].map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }))

const FENCE = /^(<!-- not run: .+ -->\n)?```(\w*)\n([^]*?)^```$/gm

export function blocksOf({ text }: Page): Block[] {
  return [...text.matchAll(FENCE)].map(([, comment, language = '', code = '']) => ({
    language,
    code,
    isRun: comment === undefined,
  }))
}

/** The text of a page without its fenced blocks. */
export function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '')
}

/** The anchor that GitHub gives a heading. */
export function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

const examples = readdirSync(`${root}/examples`, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/'))

/** The files that the examples work with: those of `examples/`, and the other YAML files of the pages. */
const files = {
  ...repositoryIn('work'),
  'home/.config/flagadm/config.yaml':
    'profiles: { staging: { baseUrl: "https://flags.staging.example.com", apiKeyEnv: STAGING_KEY } }',
  ...Object.fromEntries(
    pages
      .flatMap(blocksOf)
      .flatMap(({ code }) => [...code.matchAll(/^# (\w+\.yaml)\n[^]*/g)])
      .map(([code, name]) => [`work/${name}`, code]),
  ),
  ...Object.fromEntries(
    examples.map((path) => [
      path.replace(/^.*\/examples\//, 'work/'),
      readFileSync(path, 'utf8').replaceAll('\r\n', '\n'),
    ]),
  ),
}

/** The `flagadm feature …` commands of the jobs in docs/ci.md, without redirections and without arguments that a job may add. */
export const recipes: readonly string[] = pages
  .filter(({ path }) => path === 'docs/ci.md')
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'yaml')
  .flatMap(({ code }) => code.match(/(?<=^ *(?:- (?:run: )?)?)flagadm feature [^>|\n]+/gm) ?? [])
  .map((line) => line.replace('"${compare[@]}"', '').trim())

/** The words of a command line up to a pipe, a redirection, another command or a comment. */
export function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\d?[|>&;]+|#.*|…)|([^\s|>&;]+)/g)]
  const end = words.findIndex(([, , , operator]) => operator !== undefined)
  return words
    .slice(0, end === -1 ? undefined : end)
    .map(([, single, double, , plain]) => single ?? double ?? plain ?? '')
}

/** Runs a command line of an example as on a terminal of 80 columns without colours. */
export function runExample(line: string): Promise<Outcome> {
  const { clock } = patientClock()
  const terminal = { columns: 80, talksToTerminal: true, env: { NO_COLOR: '1' } }
  return flagadm(wordsOf(line).slice(1), { files, clock, ...terminal })
}
