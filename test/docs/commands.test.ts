import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommanderError } from '@commander-js/extra-typings'
import { expect, it } from 'vitest'
import { createProgram } from '../../src/commands/program.ts'
import { blocksOf, type Page, pages, root, withoutCode, wordsOf } from './pages.ts'

// At the start of a line, or after what precedes a command in a script, a job or a comment.
const COMMAND = /(?:^ *|^.*?(?:\$|run:|-|\||&&|npx|\/\/) +)flagadm ([a-z-].*)/gm

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

const folders = ['.github/workflows', '.github/actions/flagadm', 'examples']

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

it.each([...new Set(lines)])('flagadm %s has words and options that exist', async (line) => {
  const started = new Error('the command starts')
  const program = createProgram(() => Promise.reject(started), { writeOut() {}, writeErr() {} })
  const end = await program
    .parseAsync(wordsOf(line), { from: 'user' })
    .catch((error: unknown) => error)
  // The text also has commands without what they require, groups of commands, and --help.
  const isPart = end instanceof CommanderError && /missing|help|version/.test(end.code)
  expect(isPart ? started : end).toBe(started)
})
