import { byCodeUnit } from '../output/order.ts'
import { ownCopy } from './positions.ts'

/** A function, component or type that is not known, but may be about flags because of its name. */
export interface Guess {
  /** The option that makes it known, and its value. */
  option: '--call' | '--definitions'
  value: string
  uses: number
}

// The lengths have limits, so that no text takes long to match.
const NAME = String.raw`\w{0,40}(?:[fF]lag|[tT]oggle|[fF]eature)\w{0,40}`
const LITERAL = String.raw`(?:"[\w.:-]{3,100}"|'[\w.:-]{3,100}')`
const VALUE = String.raw`(?:${LITERAL}|:[a-z]\w{2,60}|[A-Z]\w{0,60}\.\w{1,60})`

const ANY_NAME = /[fF]lag|[tT]oggle|[fF]eature/
const CALL = new RegExp(
  String.raw`(?<!\bnew )\b(${NAME}[?!]?)\(\s{0,40}(${VALUE})\s{0,40}[,)]`,
  'g',
)
/** An object whose type is named after the names of flags: its first text is probably one. */
const OBJECT = new RegExp(
  String.raw`\b((?:Feature|Flag|Toggle)(?:Flag|Toggle)?(?:Id|ID|Key|Name|Definition))\(\s{0,40}(?:(key|name|id)\s?[:=]\s?)?${LITERAL}\s{0,40}[,)]`,
  'g',
)
const COMPONENT = new RegExp(
  String.raw`<(?=[A-Z])(${NAME})\s[^<>]{0,200}?\b(name|${NAME})=(${LITERAL}|\{${VALUE}\})`,
  'g',
)
const MEMBER =
  /\b((?=[A-Z])\w{0,40}(?:[fF]lag|[tT]oggle|[fF]eature)s?(?:Names?|Keys?)?)\.[A-Za-z_]/g
const DECLARATION = new RegExp(
  String.raw`\b(?:enum(?: class)?|const) (${NAME})\b[^{};]{0,200}\{[^{}]{0,2000}?${LITERAL}`,
  'g',
)

const VERBS =
  'toggle|set|add|remove|create|register|mock|enable|disable|activate|deactivate|update|delete|make|define|' +
  'parse|handle|on|log|test|describe|stub|fake|assert|expect|load|save|reset|render|open|close|override|track'
/** The name of a function that changes a flag or a part of a page. */
const CHANGE = new RegExp(`^(?:${VERBS})(?![a-z])`)
/** The name of a type, whose call creates an object. */
const TYPE = /^(?!Is|Has|Get|Use|Check)[A-Z]/

// The most frequent ones are enough for the next step.
const MAX_GUESSES = 3

/**
 * Collects functions, components and types whose names have to do with flags.
 * @param definitions types whose members are flags, so that functions that take them need not be known
 */
export function createGuesses(definitions: readonly string[]) {
  const guesses = new Map<string, Guess>()
  const declared = new Set<string>()
  const isKnown = (value: string) => definitions.includes(/\w+(?=\.)/.exec(value)?.[0] ?? '')

  function add(option: Guess['option'], value: string): void {
    const known = guesses.get(value)
    if (known) known.uses++
    else guesses.set(ownCopy(value), { option, value: ownCopy(value), uses: 1 })
  }

  return {
    add(text: string): void {
      if (!ANY_NAME.test(text)) return
      for (const [, name = '', value = ''] of text.matchAll(CALL)) {
        const isOther = CHANGE.test(name) || TYPE.test(name)
        if (!isOther && !isKnown(value)) add('--call', name)
      }
      for (const [, name = '', key] of text.matchAll(OBJECT)) {
        add('--call', key === undefined ? name : `${name}:${key}`)
      }
      for (const [, name = '', key = '', value = ''] of text.matchAll(COMPONENT)) {
        if (!isKnown(value)) add('--call', `${name}:${key}`)
      }
      for (const [, name = ''] of text.matchAll(MEMBER)) add('--definitions', name)
      for (const [, name = ''] of text.matchAll(DECLARATION)) declared.add(ownCopy(name))
    },
    /**
     * The most frequent ones first.
     * @param functions those that are lookups
     * @param types those whose members are flags, or whose members lookups take
     */
    list(functions: ReadonlySet<string>, types: ReadonlySet<string>): Guess[] {
      return [...guesses.values()]
        .filter(({ option, value }) =>
          option === '--call'
            ? !functions.has(value.replace(/:.*/, ''))
            : declared.has(value) && !types.has(value),
        )
        .sort((a, b) => b.uses - a.uses || byCodeUnit(a.value, b.value))
        .slice(0, MAX_GUESSES)
    },
  }
}
