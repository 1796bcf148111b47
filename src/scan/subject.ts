import {
  type Argument,
  type Arguments,
  LITERAL,
  type NameAt,
  nameOf,
  splitArguments,
} from './arguments.ts'

/** The flags or the expression in a call; nothing when the call does not take a flag. */
export interface Subject {
  names: NameAt[]
  expression?: string
}

// Space and comments. Each part matches in one way only, since a failing match would otherwise take exponential time.
const gap = '(?:\\s|//[^\\n]*\\n|#(?!["#{])[^\\n]*\\n|/\\*[^*]*\\*+(?:[^/*][^*]*\\*+)*/)*'
const label =
  '(?:(?:(?:toggle|feature|flag)_?)?(?:[nN]ame|[kK]ey)|toggle|feature|flag)\\s*[:=](?![:=])\\s*'
const LABEL = new RegExp(`^${gap}(?:${label})`)

// What follows distinguishes a whole argument (`,`, `)`, `as Flag`) from a part of one (`+ suffix`).
const ARGUMENT = new RegExp(
  `^(?<before>${gap}(?:${label})?)(?:${LITERAL})(?=${gap}(?:[,)]|as\\b|satisfies\\b|$))`,
)
const COMMAND_ARGUMENT = new RegExp(
  `^(?:${LITERAL})(?=[ \\t]*(?:$|[\\r\\n,;)\\]{}?#]|&&|\\|\\||[=!]=|(?:do|then|and|or|if|unless)\\b))`,
)
const COMMAND_EXPRESSION =
  /^(?!(?:do|then|and|or|if|unless|rescue|while|until|end|in)\b)[@A-Za-z_][\w.:]*/
const CONTEXT = /^\s*(?:\w*[cC]lient|\w*[cC](?:tx|ontext)(?:\.\w+\(\))?)\s*$/

/** The literal that an argument consists of; undefined unless its value is known here. */
function literalIn(text: string, offset: number): NameAt | undefined {
  const { groups } = ARGUMENT.exec(text) ?? {}
  return groups && nameOf(groups, offset + (groups.before?.length ?? 0))
}

/** The argument with the flag name: by its label, else by its position. */
function flagArgument({ list }: Arguments, call: RegExpExecArray): Argument | undefined {
  const [first, second] = list
  const { annotation, context, owned } = call.groups ?? {}
  const labelled = list.find(({ text }) => /[:=]/.test(text) && LABEL.test(text))
  // In Spring, `variantBean` makes this the name of a variant, not of a flag.
  if (annotation === 'FeatureVariant' && list.some(({ text }) => /variantBean/.test(text))) return
  // Counting takes the state of the flag as well.
  if (owned === 'count' && !second) return
  if (labelled) return labelled
  const mayTakeContext = context !== undefined || /_(?:value|details)/.test(call[0])
  if (mayTakeContext && first && CONTEXT.test(first.text)) return second
  return context === undefined ? first : undefined
}

function argumentSubject({ text }: Argument, offset: number): Subject {
  const literal = literalIn(text, offset)
  if (literal) return { names: [literal] }
  const bracket = /^\s*\[/.exec(text)?.[0].length
  if (bracket === undefined)
    return { names: [], expression: /[:=]/.test(text) ? text.replace(LABEL, '') : text }
  const { list } = splitArguments(text.slice(bracket))
  const names = list.map((item) => literalIn(item.text, offset + bracket + item.offset))
  return { names: names.flatMap((name) => name ?? []) }
}

/**
 * The flags or the expression in a call.
 * @param rest the text after the opening bracket, or after the space in a call without brackets
 * @param offset where the rest begins in the text that names are located in
 */
export function subjectOf(call: RegExpExecArray, rest: string, offset: number): Subject {
  const { command, context, annotation, owned } = call.groups ?? {}
  if (command !== undefined) {
    const literal = nameOf(COMMAND_ARGUMENT.exec(rest)?.groups, offset)
    const [expression] = COMMAND_EXPRESSION.exec(rest) ?? []
    if (literal) return { names: [literal] }
    return { names: [], ...(expression !== undefined && { expression }) }
  }
  const isPlain = context === undefined && annotation === undefined && owned === undefined
  const literal = isPlain ? literalIn(rest, offset) : undefined
  if (literal) return { names: [literal] }
  const argument = flagArgument(splitArguments(rest), call)
  return argument ? argumentSubject(argument, offset + argument.offset) : { names: [] }
}
