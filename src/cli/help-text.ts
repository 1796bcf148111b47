import type { Argument, CommandUnknownOpts, Help, Option } from '@commander-js/extra-typings'

/** The full name of a command: `flagadm feature usage`. */
export function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** The first example in the help of a command. */
export function firstExample(command: CommandUnknownOpts): string | undefined {
  return /^ +(flagadm .+)$/m.exec(command.description())?.[1]
}

// The first screen answers the first questions.
const QUESTIONS = `Administer the feature flags of Unleash: usage, naming rules, project settings.

Who uses a flag?      flagadm feature usage checkout-new-basket -p sandbox
Which flags can go?   flagadm feature review --all-projects -p sandbox
Is a rule right?      flagadm naming lint --pattern 'checkout-[a-z-]+'
Set it for a project  flagadm project settings set checkout -f naming.yaml
Connect               flagadm profile add`

/** A description with what is known about the values. */
function descriptionOf(one: Option | Argument): string {
  const { description, argChoices, parseArg } = one
  const value = one.defaultValueDescription ?? one.defaultValue
  const isNegated = 'negate' in one && one.negate
  const known = [
    parseArg && 'isRepeatable' in parseArg && 'repeatable',
    argChoices && `choices: ${argChoices.join(', ')}`,
    !isNegated && ['string', 'number'].includes(typeof value) && `default: ${value}`,
  ].filter(Boolean)
  return known.length > 0 ? `${description} (${known.join('; ')})` : description
}

/** Text for a width; lines that begin with a space, such as examples, stay as they are. */
function wrapLines(text: string, width: number, helper: Help): string {
  const lines = text.split('\n')
  return lines.map((line) => (/^\s/.test(line) ? line : helper.boxWrap(line, width))).join('\n')
}

/** The text of `--help`: commands before options, and examples at the start. */
export function formatHelp(
  command: CommandUnknownOpts,
  helper: Help,
  formats: readonly string[],
): string {
  const width = helper.helpWidth ?? 80
  const termWidth = helper.padWidth(command, helper)
  const sections = new Map<string, string[]>()
  const add = (heading: string, term: string, text: string) => {
    const items = sections.get(heading) ?? []
    sections.set(heading, [...items, helper.formatItem(term, termWidth, text, helper)])
  }
  for (const one of helper.visibleArguments(command)) {
    add('Arguments:', helper.argumentTerm(one), descriptionOf(one))
  }
  for (const one of helper.visibleCommands(command)) {
    add(one.helpGroup() || 'Commands:', one.name(), one.summary())
  }
  const isRoot = command.parent === null
  for (const one of helper.visibleOptions(command)) {
    if (isRoot || one.long !== '--help') {
      add(one.helpGroupHeading ?? 'Options:', helper.optionTerm(one), descriptionOf(one))
    }
  }
  const isGroup = command.commands.length > 0
  const [byDefault, ...others] = formats
  return [
    `Usage: ${pathOf(command)} ${isGroup ? '<command> [options]' : command.usage()}`,
    isRoot ? QUESTIONS : wrapLines(command.description(), width, helper),
    ...Array.from(sections, ([heading, items]) => [heading, ...items].join('\n')),
    byDefault === undefined
      ? ''
      : helper.boxWrap(
          `Output formats: ${[`${byDefault} (default)`, ...others].join(', ')}`,
          width,
        ),
    isRoot ? 'Exit codes and variables: flagadm help variables' : 'Global options: flagadm --help',
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n')
}
