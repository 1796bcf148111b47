import {
  type Argument,
  type CommandUnknownOpts,
  Help,
  type Option,
} from '@commander-js/extra-typings'
import { exitCodes } from '../errors.ts'
import { groupBy } from '../groups.ts'
import type { FormatChoice } from '../old/output/formats.ts'
import type { Sink } from '../old/output/stream.ts'
import { isRepeatable } from './options.ts'

/** The parts of a command's help beyond its arguments and options. */
export interface Documentation {
  formats: readonly FormatChoice[]
  /** Paragraphs, wrapped for the terminal; lines that begin with a space are kept as they are. */
  notes: readonly string[]
  /** Command lines. */
  examples: readonly string[]
}

const DEFAULT_WIDTH = 80
// Longer lines are hard to read.
const MAX_WIDTH = 100

const CODE_WIDTH = 3
const INDENT = '  '
// Descriptions in a narrower column are hard to read.
const MIN_COLUMN = 36

// The words of a command line, an option with its value. A quoted word may contain spaces.
const WORDS = /-\S+ (?:'[^']*'|[^\s'-]\S*)|(?:'[^']*'|[^\s'])+/g

/** The width of the help: that of the terminal, up to a limit. */
export function helpWidth({ isTTY, size }: Sink): number {
  return isTTY ? Math.min(size().columns, MAX_WIDTH) : DEFAULT_WIDTH
}

/** The default of an option: its value, or the text for one that configuration files may set. */
function defaultOf({ defaultValue, defaultValueDescription, negate }: Option) {
  if (negate) return undefined
  if (defaultValueDescription !== undefined) return defaultValueDescription
  return typeof defaultValue === 'string' ? defaultValue : undefined
}

/** The heading of an option in the help. */
function headingOf({ helpGroupHeading = 'Options:' }: Option): string {
  return helpGroupHeading
}

/** A description with its properties: `(repeatable; choices: a, b; default: a)`. */
function described(description: string, properties: readonly (string | false)[]): string {
  const known = properties.filter(Boolean)
  return known.length > 0 ? `${description} (${known.join('; ')})` : description
}

function choicesText(choices: readonly string[] | undefined): string {
  return choices ? `choices: ${choices.join(', ')}` : ''
}

/** The output formats, a line for each option that has its own. */
function formatLines(choices: readonly FormatChoice[]): string[] {
  return choices.map(({ formats: [first, ...others], option, defaultOn }) => {
    const label = option === undefined ? 'Output formats:' : `With ${option}:`
    const byDefault = `${first} (default${defaultOn === undefined ? '' : ` on ${defaultOn}`})`
    return `${choices.length > 1 ? label.padEnd(15) : label} ${[byDefault, ...others].join(', ')}`
  })
}

function section(heading: string, items: readonly string[]): string {
  return items.length > 0 ? [heading, ...items].join('\n') : ''
}

/** The text of `--help`: examples before options, which are in groups. */
export class HelpText extends Help {
  override minWidthToWrap = 1
  private readonly documentation: Documentation

  constructor(documentation: Documentation) {
    super()
    this.documentation = documentation
  }

  override optionDescription(option: Option): string {
    const fallback = defaultOf(option)
    return described(option.description, [
      isRepeatable(option) && 'repeatable',
      choicesText(option.argChoices),
      fallback !== undefined && `default: ${fallback}`,
    ])
  }

  override argumentDescription({ description, argChoices }: Argument): string {
    return described(description, [choicesText(argChoices)])
  }

  /** A term with its description beside it or, if there is no room, below it. */
  override formatItem(term: string, termWidth: number, description: string): string {
    const column = termWidth + 2 * INDENT.length
    if (this.width - column >= MIN_COLUMN) {
      return super.formatItem(term, termWidth, description, this)
    }
    const indent = INDENT.repeat(3)
    const below = this.boxWrap(description, this.width - indent.length)
    return [INDENT + term, ...below.split('\n').map((line) => indent + line)].join('\n')
  }

  override formatHelp(command: CommandUnknownOpts): string {
    const { formats, notes, examples } = this.documentation
    const sections = [
      this.paragraph(`Usage: ${this.commandUsage(command)}`),
      this.paragraph(command.description()),
      section(
        'Examples:',
        examples.map((line) => this.example(line)),
      ),
      ...this.itemSections(command),
      this.paragraph(formatLines(formats).join('\n')),
      ...notes.map((note) => this.note(note)),
      command.parent === null
        ? this.exitCodeSection()
        : this.paragraph('Global options and exit codes: flagadm --help'),
    ]
    return `${sections.filter(Boolean).join('\n\n')}\n`
  }

  private get width(): number {
    return this.helpWidth ?? DEFAULT_WIDTH
  }

  /** Arguments, commands and the groups of options, with all descriptions in one column. */
  private itemSections(command: CommandUnknownOpts): string[] {
    const termWidth = this.padWidth(command, this)
    const item = (heading: string, term: string, text: string) => ({ heading, term, text })
    const items = [
      ...this.visibleArguments(command).map((one) =>
        item('Arguments:', this.argumentTerm(one), this.argumentDescription(one)),
      ),
      ...this.visibleCommands(command).map((one) =>
        item(one.helpGroup() || 'Commands:', this.subcommandTerm(one), one.description()),
      ),
      ...this.visibleOptions(command)
        .filter(({ long }) => long !== '--help' || command.parent === null)
        .map((one) => item(headingOf(one), this.optionTerm(one), this.optionDescription(one))),
    ]
    const groups = groupBy(items, ({ heading }) => heading)
    return Array.from(groups, ([heading, group]) => {
      const lines = group.map(({ term, text }) => this.formatItem(term, termWidth, text))
      return section(heading, lines)
    })
  }

  private exitCodeSection(): string {
    const rows = Object.values(exitCodes)
    return section(
      'Exit codes:',
      rows.map(([code, meaning]) => this.formatItem(`${code}`, CODE_WIDTH, meaning)),
    )
  }

  private paragraph(text: string): string {
    return this.boxWrap(text, this.width)
  }

  private note(note: string): string {
    return /^ /m.test(note) ? note : this.paragraph(note.replace(/(?<!\n)\n(?!\n)/g, ' '))
  }

  /** A command line; one that is too long continues after a backslash. */
  private example(example: string): string {
    const room = this.width - INDENT.length
    const words = example.length > room ? (example.match(WORDS) ?? []) : [example]
    const lines: string[] = []
    let line = ''
    for (const word of words) {
      if (line !== '' && `${line} ${word} \\`.length > room) {
        lines.push(`${line} \\`)
        line = INDENT + word
      } else line += (line && ' ') + word
    }
    return [...lines, line].map((text) => INDENT + text).join('\n')
  }
}
