// Findings about notation of other dialects, which means something else here.
import { escapePattern } from '../input/words.ts'
import { finding, type Finding } from './finding-kinds.ts'
import { joined, TOKEN } from './notation.ts'
import { usable } from './rule.ts'

/** What is wrong with a text, as a clause, and what to write instead; undefined if there is nothing like it. */
interface Foreign {
  message: string
  correction: string | undefined
}

interface Notation {
  text: RegExp
  /** Returns undefined for a text that is not foreign. */
  explain(text: string, groups: Record<string, string>): Foreign | undefined
}

interface Letter {
  isNot: string
  correction?: string
}

/** The escapes of other dialects that match a letter here. */
const letters: ReadonlyMap<string, Letter> = new Map<string, Letter>([
  ['A', { isNot: 'an anchor', correction: '' }],
  ['E', { isNot: 'the end of quoted text', correction: '' }],
  ['G', { isNot: 'an anchor', correction: '' }],
  ['K', { isNot: 'the start of the match', correction: '' }],
  ['N', { isNot: 'any character', correction: '.' }],
  ['R', { isNot: 'a line break' }],
  ['X', { isNot: 'any character', correction: '.' }],
  ['Z', { isNot: 'an anchor', correction: '' }],
  ['h', { isNot: 'a space' }],
  ['z', { isNot: 'an anchor', correction: '' }],
])

function letterNotation(wanted: string): Notation {
  return {
    text: new RegExp(`\\\\(?<letter>[${wanted}])`),
    explain(text, { letter = '' }) {
      const { isNot, correction } = letters.get(letter) ?? {}
      return {
        message: `${text} matches the letter ${letter}: it is not ${isNot} here`,
        correction,
      }
    },
  }
}

const classes: ReadonlyMap<string, string> = new Map([
  ['lower', 'a-z'],
  ['upper', 'A-Z'],
  ['alpha', 'A-Za-z'],
  ['digit', '0-9'],
  ['alnum', 'A-Za-z0-9'],
  ['word', '\\w'],
  ['Ll', 'a-z'],
  ['Lu', 'A-Z'],
  ['L', 'A-Za-z'],
  ['N', '0-9'],
  ['Nd', '0-9'],
])

function classNotation(text: RegExp, shown: (set: string) => string): Notation {
  return {
    text,
    explain(foreign, { name = '' }) {
      const set = classes.get(name)
      if (set === undefined) return undefined
      const correction = shown(set)
      return {
        message: `${foreign} is not a character class here: write ${correction}`,
        correction,
      }
    },
  }
}

const UNICODE_CLASS = /\\p\{(?<name>\w+)\}/
const POSIX_CLASS = /\[:(?<name>\w+):\]/

const quotedText: Notation = {
  text: /\\Q(?<quoted>[^]*?)(?:\\E|$)/,
  explain(_, { quoted = '' }) {
    const correction = escapePattern(quoted)
    const instead = correction === '' ? 'leave it out' : `write ${correction}`
    return { message: `\\Q matches the letter Q, and quotes no text here: ${instead}`, correction }
  },
}

const codePoint: Notation = {
  text: /\\[xu]\{(?<hex>[\dA-Fa-f]{1,6})\}/,
  explain(text, { hex = '' }) {
    const digits = hex.replace(/^0+/, '')
    const correction =
      digits.length > 2 ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`
    const isKnown = digits.length <= 4
    return {
      message: `${text} is not a character here${isKnown ? `: write ${correction}` : ''}`,
      correction: isKnown ? correction : undefined,
    }
  },
}

const recursion: Notation = {
  text: /\(\?(?:R|[-+]?\d+|&\w+|P>\w+)\)/,
  explain: (text) => ({
    message: `${text} is a recursion, which does not exist here`,
    correction: undefined,
  }),
}

const openCount: Notation = {
  text: /\{,(?<most>\d+)\}/,
  explain(text, { most = '' }) {
    const correction = `{0,${most}}`
    return { message: `${text} is literal text here: write ${correction}`, correction }
  },
}

const outsideClasses: readonly Notation[] = [
  quotedText,
  codePoint,
  classNotation(UNICODE_CLASS, (set) => `[${set}]`),
  letterNotation([...letters.keys()].join('')),
  recursion,
  openCount,
]

const insideClasses: readonly Notation[] = [
  codePoint,
  classNotation(UNICODE_CLASS, String),
  classNotation(POSIX_CLASS, String),
  letterNotation('h'),
]

/** An expression for the texts of notations and, where none starts, for other tokens. */
function tokensOf(notations: readonly Notation[], others: RegExp): RegExp {
  return new RegExp([...notations.map(({ text }) => sourceOf(text)), others.source].join('|'), 'g')
}

/** Groups of several expressions may have the same name only in new engines. */
function sourceOf(text: RegExp): string {
  return text.source.replace(/\(\?<\w+>/g, '(?:')
}

const TOKENS = tokensOf(outsideClasses, TOKEN)
const TOKENS_OF_CLASSES = tokensOf(insideClasses, /\\[^]/)

// Only characters of names and `*`, but not `.*`.
const GLOB = /^(?!.*\.\*)[\w~!'.*-]*\*[\w~!'.*-]*$/

function globFinding(pattern: string): Finding {
  const message =
    'the pattern is written as a glob, but * repeats the character before it here: write .* for any text'
  const suggestion = pattern.replaceAll('.', '\\.').replace(/\*+/g, '.*')
  return finding('foreign-notation', message, { suggestion: usable(suggestion) })
}

/** Notation of other regular expressions that means something else here. */
export function foreignFindings(pattern: string): Finding[] {
  if (GLOB.test(pattern)) return [globFinding(pattern)]
  const messages = new Set<string>()
  let isCorrectable = true

  function translate(token: string, notations: readonly Notation[]): string {
    for (const { text, explain } of notations) {
      const match = new RegExp(`^(?:${text.source})$`).exec(token)
      const foreign = match && explain(token, match.groups ?? {})
      if (!foreign) continue
      messages.add(foreign.message)
      isCorrectable &&= foreign.correction !== undefined
      return foreign.correction ?? token
    }
    return token
  }

  const corrected = pattern.replace(TOKENS, (token) => {
    if (!token.startsWith('[')) return translate(token, outsideClasses)
    return token.replace(TOKENS_OF_CLASSES, (inner) => translate(inner, insideClasses))
  })
  if (messages.size === 0) return []
  const suggestion = isCorrectable ? usable(corrected) : undefined
  return [finding('foreign-notation', joined(messages), { suggestion })]
}
