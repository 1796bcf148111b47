import { readFileSync, writeFileSync } from 'node:fs'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../src/commands/help-environment.ts'
import { exitCodes } from '../src/errors.ts'
import { createProgram } from '../src/program.ts'
import { flagadm } from './support/flagadm.ts'

const path = new URL('../README.md', import.meta.url)

function helpOf(command: CommandUnknownOpts): string[] {
  const leaf = command.commands.length === 0 || command.parent === null
  const names: string[] = []
  for (let part: CommandUnknownOpts | null = command; part; part = part.parent) {
    names.unshift(part.name())
  }
  const own: string[] = []
  command.configureOutput({ writeOut: (text) => own.push(text), getOutHelpWidth: () => 100 })
  command.outputHelp()
  const text = own.join('').replace(/\nGlobal options and exit codes: .*\n$/, '')
  const section = `### \`${names.join(' ')}\`\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\``
  const below = command.createHelp().visibleCommands(command)
  return [...(leaf ? [section] : []), ...below.flatMap(helpOf)]
}

function reference(): string {
  const program = createProgram(() => {
    throw new Error('no command is run here')
  }, {})
  return `\n${helpOf(program).join('\n\n')}\n\n`
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

function settingsTable(): string {
  const rows = settings.map(
    ({ options, variables, fields, meaning }) =>
      `| ${code(options)} | ${code(variables)} | ${fields} | ${meaning} |\n`,
  )
  return [
    '\n| option | environment | file | meaning |\n| --- | --- | --- | --- |\n',
    ...rows,
    '\n',
  ].join('')
}

function exitCodeTable(): string {
  const rows = Object.values(exitCodes).map(([code, meaning]) => `| ${code} | ${meaning} |\n`)
  return ['\n| exit code | meaning |\n| --- | --- |\n', ...rows, '\n'].join('')
}

async function picture(): Promise<string> {
  const argv = ['feature', 'usage', 'checkout-new-basket', '--profile', 'sandbox']
  const { stdout } = await flagadm(argv, { columns: 80, env: { NO_COLOR: '1' } })
  return `\`\`\`console\n$ flagadm ${argv.join(' ')}\n${stdout}\`\`\`\n`
}

/** Replaces the text between a begin comment and the next end comment. */
function fill(text: string, name: string, content: string): string {
  const block = new RegExp(`(<!-- ${name}: .*? -->\n)[^]*?(<!-- end -->)`)
  expect(text).toMatch(block)
  return text.replace(block, (_, start, end) => start + content + end)
}

test('the README shows help texts, exit codes and output as they are', async () => {
  const readme = readFileSync(path, 'utf8')
  let fresh = fill(readme, 'reference', reference())
  fresh = fill(fresh, 'exit codes', exitCodeTable())
  fresh = fill(fresh, 'settings', settingsTable())
  fresh = fill(fresh, 'picture', await picture())
  if (process.env.UPDATE_README) writeFileSync(path, fresh)
  else expect(readme).toBe(fresh)
})

const readme = readFileSync(path, 'utf8')

/** The content of the README's code blocks of a language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(
    ([, content = '']) => content,
  )
}

function runScripts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(runScripts)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === 'run' && typeof part === 'string' ? [part] : runScripts(part),
  )
}

test('no recipe interpolates an expression into a shell script', () => {
  const scripts = blocks('yaml').flatMap((block) => runScripts(parse(block)))
  expect(scripts.length).toBeGreaterThan(5)
  expect(scripts.filter((script) => script.includes('${{'))).toEqual([])
})

const examples = blocks('sh')
  .flatMap((block) => block.replaceAll('\\\n', '').split('\n'))
  .filter(
    (line) =>
      line.startsWith('flagadm ') &&
      /-p sandbox|naming (lint|check [a-z]|diff --from pattern)/.test(line),
  )

test.each(examples)('the example works: %s', async (line) => {
  const rule = blocks('yaml').find((block) => block.startsWith('# naming.yaml')) ?? ''
  const [command = ''] = line.split(' | ')
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  const { code, stderr } = await flagadm(words.slice(1), { files: { 'work/naming.yaml': rule } })
  expect([code, stderr]).toEqual([
    0,
    line.includes('--dry-run') ? 'note: dry run: nothing was sent\n' : '',
  ])
})
