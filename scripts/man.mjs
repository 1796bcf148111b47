// Writes a man page for each command to man/, from what the built program prints with `help --json`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hostOf, run } from '../dist/cli.js'

const folder = fileURLToPath(new URL('../man/', import.meta.url))
const bugs = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).bugs

const characters = {
  '\\': '\\e',
  '-': '\\-',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

/** Escapes text for roff: characters that it would replace, and a character at the start of a line that makes it a request. */
function roff(text) {
  return text
    .replace(/[\\\-`^~]/g, (character) => characters[character])
    .replace(/^(?=[.'])/gm, '\\&')
}

// Escapes make lines longer; mandoc warns of those with more than 80 characters.
const SOURCE_WIDTH = 60
// The text of a page on a terminal with 80 columns.
const PAGE_WIDTH = 71

/** Text in lines of at most a width, broken between words. */
function wrapped(words, width, separator = '') {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1)
    if (line === '') lines.splice(-1, 1, word)
    else if (`${line} ${word}${separator}`.length <= width) lines.splice(-1, 1, `${line} ${word}`)
    else lines.push(word)
  }
  return lines
}

/** A paragraph of text in roff. */
function paragraph(text) {
  return wrapped(text.trim().split(/\s+/), SOURCE_WIDTH).map(roff)
}

const bold = (text) => `\\fB${roff(text)}\\fR`
const italic = (text) => `\\fI${roff(text)}\\fR`
const section = (title, lines) => (lines.length > 0 ? [`.SH ${title}`, ...lines] : [])
const entry = (term, lines) => ['.TP', term, ...lines]
// Lines that people copy need the apostrophe of ASCII.
const literal = (lines) => [
  '.nf',
  ...lines.map((line) => roff(line).replaceAll("'", '\\(aq')),
  '.fi',
]

/** Paragraphs of a note; one whose lines are indented is a table or an example. */
function noteLines(note) {
  return note
    .split(/\n{2,}/)
    .flatMap((part) => ['.PP', ...(/^ /m.test(part) ? literal(part.split('\n')) : paragraph(part))])
}

/** A command line as it can be typed; a long one continues after a backslash. An option stays with its value. */
function exampleLines(example) {
  const words = example.match(/-\S+ (?:'[^']*'|[^\s'-]\S*)|(?:'[^']*'|[^\s'])+/g) ?? []
  const lines = wrapped(words, PAGE_WIDTH - 2, ' \\')
  return lines.map(
    (line, index) => `${index > 0 ? '  ' : ''}${line}${index < lines.length - 1 ? ' \\' : ''}`,
  )
}

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

/** The options; if there are several groups besides that of --help, each under its heading. */
function optionLines(options) {
  const groups = [...new Set(options.map(({ group }) => group))]
  return groups.flatMap((group) => [
    ...(groups.length > 2 ? [`.SS ${roff(group)}`] : []),
    ...options.filter((option) => option.group === group).flatMap(optionEntry),
  ])
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

/** The paths of the pages to see as well: the group of a command, its neighbours and the commands in it. */
function relatedTo(path, paths) {
  const parentOf = (one) => one.replace(/ ?[^ ]+$/, '')
  const parent = parentOf(path)
  const others = path === 'flagadm doctor' ? ['flagadm profile check'] : []
  return paths
    .filter((one) => one !== path)
    .filter(
      (one) =>
        one === parent ||
        parentOf(one) === path ||
        (parent.includes(' ') && parentOf(one) === parent),
    )
    .concat(parent === '' || parent === 'flagadm' ? [] : ['flagadm'], others)
    .sort()
}

/**
 * The man page of a command.
 * @param help what `flagadm help --json` prints for it
 * @param paths the paths of all commands
 * @param date the date of the page, such as 2026-01-05
 */
function manPage(help, paths, date) {
  const { path, summary, version, usage, exitCodes, notes, examples, commands } = help
  const isRoot = path === 'flagadm'
  const sentence = summary.replace(/\.$/, '')
  const lines = [
    `.TH ${roff(pageOf(path)).toUpperCase()} 1 ${date} "flagadm ${version}" "flagadm manual"`,
    ...section('NAME', [`${roff(pageOf(path))} \\-`, ...paragraph(sentence)]),
    ...section('SYNOPSIS', [`${bold(path)}${roff(usage.slice(path.length))}`]),
    ...section('DESCRIPTION', [...paragraph(`${sentence}.`), ...notes.flatMap(noteLines)]),
    ...section(
      'COMMANDS',
      commands.flatMap((one) => entry(bold(one.path), paragraph(one.summary))),
    ),
    ...section('ARGUMENTS', help.arguments.flatMap(argumentEntry)),
    ...section('OPTIONS', optionLines(help.options)),
    ...section(
      'GLOBAL OPTIONS',
      isRoot ? [] : [`Options that every command accepts are in ${bold('flagadm')}(1).`],
    ),
    ...section('OUTPUT FORMATS', help.formats.flatMap(formatEntry)),
    ...section(
      'EXIT STATUS',
      exitCodes.flatMap(({ code, meaning }) => entry(bold(`${code}`), paragraph(meaning))),
    ),
    ...section('EXAMPLES', literal(examples.flatMap(exampleLines))),
    ...section('SEE ALSO', [
      relatedTo(path, paths)
        .map((one) => `${bold(pageOf(one))}(1)`)
        .join(',\n'),
    ]),
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
  const paths = [root, ...root.commands].map(({ path }) => path)
  for (const path of paths) {
    const help = await helpOf(path.split(' ').slice(1))
    writeFileSync(`${folder}${pageOf(path)}.1`, manPage(help, paths, date))
  }
}

await writePages()
