import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRoot } from '../../src/command/context.ts'
import { loadCommands } from '../support/program.ts'
import { blocksOf, type Page, pages, root, withoutCode, wordsOf } from './pages.ts'

// At the start of a line, or after what precedes a command in a script, a job or a comment, also several in a pipe; not
// in a marker.
const COMMAND =
  /(?<=^ *|(?:\$|run:|(?<!<!-)-|\||&&|;|npx|then|do|!|\/\/) +|\$\()flagadm (?=([a-z-].*))/gm

/** The command lines of flagadm in a script, a workflow or a transcript. */
function linesIn(code: string): string[] {
  return Array.from(code.replaceAll(/ *\\\n */g, ' ').matchAll(COMMAND), ([, line = '']) => line)
}

/** The command lines in the blocks and the text of a page. */
function linesOf({ path, text }: Page): string[] {
  const inBlocks = blocksOf({ path, text })
    .filter(({ language }) => ['sh', 'yaml', 'console'].includes(language))
    .flatMap(({ language, code }) =>
      linesIn(language === 'console' ? (code.match(/^\$ .*/gm) ?? []).join('\n') : code),
    )
  const inText = withoutCode(text).matchAll(/`flagadm ([a-z-][^`]*)`/g)
  return [...inBlocks, ...Array.from(inText, ([, line = '']) => line.replaceAll('\\|', '|'))]
}

const folders = ['.github/workflows', '.github/actions/flagadm', 'examples', 'examples/flags']

const lines = [
  ...pages
    // The changelog has old commands; CONTRIBUTING has one as an example of what to add.
    .filter(({ path }) => path !== 'CHANGELOG.md' && path !== '.github/CONTRIBUTING.md')
    .flatMap(linesOf),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap(({ name }) => linesIn(readFileSync(join(root, folder, name), 'utf8'))),
  ),
]

const globals = createRoot()
const { all } = await loadCommands()
const byPath = new Map(all.map(({ path, command }) => [path, command]))

/** What is wrong with the words and options of a command line; undefined if they exist. */
function problemOf(words: readonly string[]): string | undefined {
  let path = 'flagadm'
  const rest: string[] = []
  for (const word of words) {
    const next = `${path} ${word}`
    if (rest.every((one) => one.startsWith('-')) && byPath.has(next)) path = next
    else rest.push(word)
  }
  const command = byPath.get(path)
  const known = [...(command?.options ?? []), ...globals.options]
  const isGroup = (command?.commands.length ?? 0) > 0
  const [first] = rest
  if (isGroup && first !== undefined && !first.startsWith('-')) return `unknown command ${first}`
  const names = rest.flatMap((word) => /^--[\w-]+|^-\w/.exec(word)?.[0] ?? [])
  const isKnown = (name: string) => known.some(({ long, short }) => [long, short].includes(name))
  return names.find((name) => !['--help', '-h'].includes(name) && !isKnown(name))
}

it.each([...new Set(lines)])('flagadm %s has words and options that exist', (line) => {
  expect(problemOf(wordsOf(line))).toBeUndefined()
})
