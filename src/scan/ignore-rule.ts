import { FlagadmError } from '../errors.ts'

/** The backtracking steps left, to stop hostile rules. */
export interface Budget {
  steps: number
}

const MAX_STEPS = 300_000_000

/** The steps for one run: far more than real rules need, but done in a few seconds. */
export function createBudget(): Budget {
  return { steps: MAX_STEPS }
}

function spend(budget: Budget): void {
  if (budget.steps-- > 0) return
  throw new FlagadmError('usage', '.gitignore: matching its rules takes too many steps', {
    hint: 'use fewer wildcards in the rules',
  })
}

/**
 * Whether tokens match items. A token is a test of one item, or `'*'` for any number of items. It is enough
 * to backtrack to the last star, so the time is at most the product of both lengths.
 */
function matchesAll<Token>(
  tokens: readonly (Token | '*')[],
  length: number,
  matches: (token: Token, index: number) => boolean,
  budget: Budget,
): boolean {
  let [token, item, star, retry] = [0, 0, -1, 0]
  while (item < length) {
    const current = tokens[token]
    if (current === '*') {
      star = token++
      retry = item
    } else if (current !== undefined && matches(current, item)) {
      token++
      item++
    } else if (star >= 0) {
      spend(budget)
      token = star + 1
      item = ++retry
    } else {
      return false
    }
  }
  while (tokens[token] === '*') token++
  return token === tokens.length
}

/** One character of a name: itself, or a set of characters in brackets. */
type Unit = (character: string) => boolean

/** A part of a path between slashes. */
interface Part {
  units: (Unit | '*')[]
  /** The literal beginning and end, which rule out most names. */
  prefix: string
  suffix: string
}

/** A line of a `.gitignore` file. */
export interface IgnoreRule {
  isNegated: boolean
  forDirectories: boolean
  /** Whether it has a single part, which is matched with names in any directory below. */
  anyDepth: boolean
  /** `'*'` matches any number of parts. */
  parts: (Part | '*')[]
}

const any: Unit = () => true

// The classes of POSIX, for ASCII only, as in git.
const classes: Record<string, RegExp> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
}

const BRACKET = /^\[([!^]?)(\]?(?:\[:[a-z]*:\]|\\[\s\S]|[^\]\\])*)\]/
const MEMBER = /\[:([a-z]*):\]|(\\?[\s\S])-(\\?[\s\S])|\\?([\s\S])/g

/** The set of characters in brackets; undefined when it cannot match anything. */
function bracketUnit(negation: string, body: string): Unit | undefined {
  const members: Unit[] = []
  for (const [, name, from = '', to = '', single] of body.matchAll(MEMBER)) {
    const named = name === undefined ? undefined : classes[name]
    if (name !== undefined && !named) return undefined
    if (named) members.push((character) => named.test(character))
    else if (single !== undefined) members.push((character) => character === single)
    else members.push((character) => from.slice(-1) <= character && character <= to.slice(-1))
  }
  return (character) => members.some((isMember) => isMember(character)) === (negation === '')
}

interface Token {
  unit: Unit | '*' | '/'
  /** The character, when it matches only itself. */
  literal?: string
}

/** The tokens of a pattern; undefined when it cannot match anything. */
function tokensOf(pattern: string): Token[] | undefined {
  const tokens: Token[] = []
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] ?? ''
    if (character === '*' || character === '/') tokens.push({ unit: character })
    else if (character === '?') tokens.push({ unit: any })
    else if (character === '[') {
      const [whole, negation = '', body = ''] = BRACKET.exec(pattern.slice(index)) ?? []
      const unit = whole === undefined ? undefined : bracketUnit(negation, body)
      if (!unit || whole === undefined) return undefined
      tokens.push({ unit })
      index += whole.length - 1
    } else {
      const literal = character === '\\' ? pattern[++index] : character
      if (literal === undefined) return undefined
      tokens.push({ unit: (other) => other === literal, literal })
    }
  }
  return tokens
}

function literals(tokens: readonly Token[]): string {
  const end = tokens.findIndex(({ literal }) => literal === undefined)
  return tokens
    .slice(0, end === -1 ? tokens.length : end)
    .map(({ literal }) => literal)
    .join('')
}

function partOf(tokens: readonly Token[]): Part {
  return {
    units: tokens.flatMap(({ unit }) => (unit === '/' ? [] : unit)),
    prefix: literals(tokens),
    suffix: [...literals([...tokens].reverse())].reverse().join(''),
  }
}

function partsOf(tokens: readonly Token[]): (Part | '*')[] {
  const groups: Token[][] = [[]]
  for (const token of tokens) {
    if (token.unit === '/') groups.push([])
    else groups.at(-1)?.push(token)
  }
  return groups.flatMap((group, index) => {
    const isAnyDepth = group.length === 2 && group.every(({ unit }) => unit === '*')
    if (!isAnyDepth) return [partOf(group)]
    // At the end it matches the content of the directory, not the directory.
    return index === groups.length - 1 ? [partOf([{ unit: '*' }]), '*' as const] : ['*' as const]
  })
}

/** Without blanks at the end, unless they are escaped. */
function trimmedLine(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  const escapes = /\\*$/.exec(line.slice(Math.max(0, end - 100), end))?.[0].length ?? 0
  return line.slice(0, escapes % 2 === 1 && end < line.length ? end + 1 : end)
}

/** The rule of a line; undefined for a blank line, a comment, and what can never match. */
export function parseRule(line: string): IgnoreRule | undefined {
  if (line.startsWith('#')) return undefined
  const isNegated = line.startsWith('!')
  const body = trimmedLine(isNegated ? line.slice(1) : line)
  const forDirectories = body.endsWith('/')
  const pattern = forDirectories ? body.slice(0, -1) : body
  const tokens = tokensOf(pattern.startsWith('/') ? pattern.slice(1) : pattern)
  if (!tokens || tokens.length === 0) return undefined
  const anyDepth = !pattern.includes('/')
  return {
    isNegated,
    forDirectories,
    anyDepth,
    parts: anyDepth ? [partOf(tokens)] : partsOf(tokens),
  }
}

function matchesPart({ units, prefix, suffix }: Part, name: string, budget: Budget): boolean {
  if (!name.startsWith(prefix) || !name.endsWith(suffix)) return false
  if (prefix.length === units.length) return name.length === prefix.length
  const test = (unit: Unit, index: number) => unit(name[index] ?? '')
  return matchesAll(units, name.length, test, budget)
}

/**
 * Whether a rule matches a path.
 * @param path the parts of the path
 * @param start the index of the first part below the directory of the rule's file
 */
export function matchesRule(
  { anyDepth, parts }: IgnoreRule,
  path: readonly string[],
  start: number,
  budget: Budget,
): boolean {
  const matches = (part: Part, index: number) =>
    matchesPart(part, path[start + index] ?? '', budget)
  const [only] = parts
  if (anyDepth)
    return only !== undefined && only !== '*' && matchesPart(only, path.at(-1) ?? '', budget)
  return matchesAll(parts, path.length - start, matches, budget)
}
