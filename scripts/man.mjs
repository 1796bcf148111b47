// Writes a man page for each command to man/, from what the built program prints with `help --json`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hostOf, run } from '../dist/cli.js'

const folder = fileURLToPath(new URL('../man/', import.meta.url))
const bugs = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).bugs

const characters = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

/** Escapes text for roff: characters that it would replace, and a dot at the start of a line, which would be a request. */
function roff(text) {
  return text.replace(/[\\\-'`^~]/g, (character) => characters[character]).replace(/^\./gm, '\\&.')
}

/** A paragraph of text in roff, in lines of at most 78 characters. */
function paragraph(text) {
  return roff(
    text
      .replace(/(?! )\s/g, ' ')
      .replace(/(.{1,60})(?: +|$)/g, '$1\n')
      .trim(),
  ).split('\n')
}

const bold = (text) => `\\fB${roff(text)}\\fR`
const italic = (text) => `\\fI${roff(text)}\\fR`
const section = (title, lines) => (lines.length > 0 ? [`.SH ${title}`, ...lines] : [])
const entry = (term, lines) => ['.TP', term, ...lines]
// A note whose lines are indented is a table or an example.
const noteLines = (note) => (/^ /m.test(note) ? literal(note) : paragraph(note))
const literal = (text) => ['.nf', ...text.split('\n').map(roff), '.fi']
const pageOf = (path) => path.replaceAll(' ', '-')

/** The description of an option or argument, with its choices, default and environment variables. */
function described(part) {
  const { description, required, repeatable, choices, default: fallback, environment } = part
  const more = [
    required ? 'required' : '',
    repeatable ? 'repeatable' : '',
    choices ? `choices: ${choices.join(', ')}` : '',
    fallback !== undefined ? `default: ${fallback}` : '',
    environment ? `environment: ${environment.join(', ')}` : '',
  ].filter(Boolean)
  return paragraph(more.length > 0 ? `${description} (${more.join('; ')})` : description)
}

function optionEntry(option) {
  const { name, short, placeholder } = option
  const names = [short, name].filter(Boolean).map(bold).join(', ')
  const value = placeholder === undefined ? '' : ` ${italic(`<${placeholder}>`)}`
  return entry(names + value, described(option))
}

function argumentEntry({ required, ...argument }) {
  const shown = `${argument.name}${argument.variadic ? '...' : ''}`
  return entry(italic(required ? `<${shown}>` : `[${shown}]`), described(argument))
}

function formatEntry({ option, formats: [first, ...others], defaultOn }) {
  const byDefault = `${first} (default${defaultOn === undefined ? '' : ` on ${defaultOn}`})`
  const when = option === undefined ? `${bold('-o')} ${italic('<format>')}` : `With ${bold(option)}`
  return entry(when, paragraph([byDefault, ...others].join(', ')))
}

/**
 * The man page of a command.
 * @param help what `flagadm help --json` prints for it
 * @param date the date of the page, such as 2026-01-05
 */
function manPage(help, date) {
  const { path, summary, version, usage, exitCodes, notes, examples, commands } = help
  const isRoot = path === 'flagadm'
  const related = commands.map((command) => pageOf(command.path))
  if (!isRoot) related.unshift('flagadm')
  const lines = [
    `.TH ${roff(pageOf(path)).toUpperCase()} 1 ${date} "flagadm ${version}" "flagadm manual"`,
    ...section('NAME', [`${roff(pageOf(path))} \\-`, ...paragraph(summary.replace(/\.$/, ''))]),
    ...section('SYNOPSIS', [`${bold(path)}${roff(usage.slice(path.length))}`]),
    ...section(
      'DESCRIPTION',
      notes.flatMap((note, index) => [...(index > 0 ? ['.PP'] : []), ...noteLines(note)]),
    ),
    ...section(
      'COMMANDS',
      commands.flatMap((one) => entry(bold(one.path), paragraph(one.summary))),
    ),
    ...section('ARGUMENTS', help.arguments.flatMap(argumentEntry)),
    ...section('OPTIONS', [
      ...help.options.flatMap(optionEntry),
      ...(isRoot ? [] : ['.PP', `Global options: ${bold('flagadm')}(1).`]),
    ]),
    ...section('OUTPUT FORMATS', help.formats.flatMap(formatEntry)),
    ...section(
      'EXIT STATUS',
      exitCodes.flatMap(({ code, meaning }) => entry(bold(`${code}`), paragraph(meaning))),
    ),
    ...section('EXAMPLES', examples.length > 0 ? literal(examples.join('\n')) : []),
    ...section('SEE ALSO', [related.map((name) => `${bold(name)}(1)`).join(',\n')].filter(Boolean)),
    ...section('BUGS', [`Report them at ${roff(bugs)}.`]),
  ]
  return `${lines.join('\n')}\n`
}

const ownHost = hostOf(process)

async function helpOf(words) {
  let text = ''
  const stdout = {
    write(part, done) {
      text += part
      done()
    },
  }
  const host = Object.create(ownHost, { stdout: { value: stdout } })
  const code = await run(['help', '--json', ...words], host)
  if (code !== 0) throw new Error(`flagadm help --json ${words.join(' ')}: exit code ${code}`)
  return JSON.parse(text)
}

async function writePages() {
  const { SOURCE_DATE_EPOCH: epoch } = process.env
  const date = new Date(epoch ? Number(epoch) * 1000 : Date.now()).toISOString().slice(0, 10)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const root = await helpOf([])
  for (const { path } of [root, ...root.commands]) {
    const help = await helpOf(path.split(' ').slice(1))
    writeFileSync(`${folder}${pageOf(path)}.1`, manPage(help, date))
  }
}

await writePages()
