import { type Binding, bindingAt } from './bindings.ts'
import { isUse, type Member, membersAt } from './definitions.ts'
import { type Expression, wordOf } from './expressions.ts'
import { type FunctionDefinition, functionsIn } from './functions.ts'
import { type Form, formsAt, type Lookup, subjectAt } from './lookups.ts'
import { createLocator, excerpt, lineAt, ownCopy, type Position } from './positions.ts'
import { tokenize } from './source.ts'
import { isNewLine, OPEN, STRING, textOf, type Tokens, WORD } from './tokens.ts'

/** A parameter of a function that source code defines, and which part of it is used. */
export interface Passed {
  /** Undefined for a function without a name. */
  function: string | undefined
  /** The definition of the function, by the number of a token. */
  at: number
  lookup: Lookup
}

/** A call of a lookup in a file. */
export interface Call extends Position {
  /** Of the first character of the expression. */
  offset: number
  /** The name of the function. */
  name: string
  lookup: Lookup
  expression: Expression
  /** Where the name of the function is. */
  start: Position
  text: string
  /** Set if the expression is a parameter of the function around it. */
  passed: Passed | undefined
  /** The object that the function is called on. */
  receiver: string | undefined
  /** The names that the file itself imports or declares an object with. */
  hasOwner: boolean
}

/** A flag name that source code contains in the syntax of a framework. */
export interface FormName extends Form, Position {
  text: string
}

/** A name that a custom pattern found. */
export interface Matched {
  /** The literal of a flag, or the name of a constant. */
  kind: 'flag' | 'constant'
  text: string
  offset: number
}

/** What to look for in a text. */
export interface Wanted {
  /** What custom patterns found. */
  matched?: readonly Matched[]
  lookups: ReadonlyMap<string, readonly Lookup[]>
  /** Names whose bindings are wanted. */
  constants: ReadonlySet<string>
  /** Names of functions whose definitions are counted. */
  functions: ReadonlySet<string>
  /** Types whose members are flags. */
  definitions: ReadonlySet<string>
  /** Members of these types, and whether they are used without the name of the type. */
  members: ReadonlyMap<string, readonly string[]>
  /** Whether to look for the syntax of frameworks. */
  forms: boolean
}

/** A use of a member of a type whose members are flags. */
export interface MemberUse extends Position {
  offset: number
  name: string
  type: string
  text: string
}

/** What a text says about flags. */
export interface Facts {
  calls: Call[]
  bindings: Binding[]
  /** How often functions are defined. */
  functions: Map<string, number>
  forms: FormName[]
  members: Member[]
  uses: MemberUse[]
  /** Where comments start and end. */
  comments: readonly number[]
}

// More bindings of one name in a file do not change that it is ambiguous.
const MAX_BINDINGS = 20
// More objects with constants than a file that is written by hand uses.
const MAX_OWNERS = 200

const IGNORE = /\bflagadm-ignore(-next-line)?(?![\w-])/g

/** The lines whose lookups a comment suppresses. */
function suppressedLines(tokens: Tokens, positionOf: (offset: number) => Position): Set<number> {
  const lines = new Set<number>()
  if (!tokens.text.includes('flagadm-ignore')) return lines
  const { comments, text } = tokens
  for (let index = 0; index < comments.length; index += 2) {
    const start = comments[index] ?? 0
    const end = comments[index + 1] ?? 0
    for (const match of text.slice(start, end).matchAll(IGNORE)) {
      const { line } = positionOf(match[1] === undefined ? start + match.index : end - 1)
      lines.add(match[1] === undefined ? line : line + 1)
    }
  }
  return lines
}

const PLAIN_WORD = /^[\w$]/

/** What a text says about the flags and names that are wanted. */
export function factsIn(text: string, file: string, wanted: Wanted): Facts {
  const tokens = tokenize(text, file)
  const collector = createCollector(tokens, wanted)
  for (let index = 0; index < tokens.kinds.length; index++) {
    const kind = tokens.kinds[index]
    if (kind === WORD) collector.word(index)
    else if (kind === STRING && wanted.forms) collector.string(index)
  }
  for (const match of wanted.matched ?? []) collector.match(match)
  return collector.finish()
}

function createCollector(tokens: Tokens, wanted: Wanted) {
  const { text, starts, ends } = tokens
  const positionOf = createLocator(text)
  const suppressed = suppressedLines(tokens, positionOf)
  const facts: Facts = {
    calls: [],
    bindings: [],
    functions: new Map(),
    forms: [],
    members: [],
    uses: [],
    comments: tokens.comments,
  }
  let functions: FunctionDefinition[] | undefined
  let definitionsAt: Set<number> | undefined
  const allFunctions = () =>
    (functions ??= functionsIn(tokens).sort((a, b) => a.body.from - b.body.from))
  const isDefinition = (index: number) => {
    definitionsAt ??= new Set(allFunctions().map(({ at }) => at))
    return definitionsAt.has(index)
  }
  const owners = new Map<string, boolean>()
  const declaresOwner = (path: readonly string[]): boolean => {
    const owner = path.at(-2)
    if (owner === undefined || !/^\w+$/.test(owner)) return false
    const known = owners.get(owner)
    if (known !== undefined || owners.size === MAX_OWNERS) return known === true
    const isDeclared = declares(text, owner)
    owners.set(owner, isDeclared)
    return isDeclared
  }
  const place = (offset: number) => {
    const position = positionOf(offset)
    return suppressed.has(position.line) ? undefined : position
  }

  // `import { useFlag as useUnleashFlag }`
  const aliases = new Map<string, string>()
  const addAlias = (index: number, name: string) => {
    if (textOf(tokens, index + 1) !== 'as' || tokens.kinds[index + 2] !== WORD) return
    aliases.set(wordOf(tokens, index + 2), name)
  }
  const addCall = (index: number, name: string, lookup: Lookup) => {
    const subject = subjectAt(tokens, index, lookup)
    if (!subject || isDeclaration(tokens, index) || isDefinition(index)) return
    const { expression, range, end } = subject
    const offset = starts[range.from] ?? 0
    const position = place(offset)
    const at = positionOf(starts[index] ?? 0)
    const around = isLiteral(expression) ? [] : functionsAround(allFunctions(), index)
    const hidden = withoutParameters(expression, around)
    if (!position || suppressed.has(at.line)) return
    facts.calls.push({
      ...position,
      offset,
      name,
      lookup,
      expression: copied(hidden, positionOf),
      start: positionOf(starts[index] ?? 0),
      text: excerpt(text, starts[index] ?? 0, ends[end - 1] ?? offset),
      passed: passedIn(expression, around),
      receiver: receiverOf(tokens, index),
      hasOwner: expression.kind === 'name' && declaresOwner(expression.path),
    })
  }
  const addForms = (index: number) => {
    for (const form of formsAt(tokens, index)) {
      const position = place(form.offset)
      const end = form.offset + form.name.length
      const name = ownCopy(form.name)
      if (position && name !== '') {
        facts.forms.push({
          ...form,
          name,
          ...position,
          text: excerpt(text, starts[index] ?? 0, end + 1),
        })
      }
    }
  }
  const addMembers = (index: number, type: string) => {
    for (const member of membersAt(tokens, index, type)) {
      facts.members.push({ ...member, value: copied(member.value, positionOf) })
    }
  }
  const addUse = (index: number, name: string, type: string) => {
    if (!isUse(tokens, index, type)) return
    const offset = starts[startOfPath(tokens, index)] ?? 0
    const position = place(offset)
    if (position) facts.uses.push({ ...position, offset, name, type, text: lineAt(text, offset) })
  }
  const counts = new Map<string, number>()
  const addBinding = (index: number, name: string) => {
    const count = counts.get(name) ?? 0
    if (count === MAX_BINDINGS) return
    const binding = bindingAt(tokens, index)
    if (!binding) return
    counts.set(name, count + 1)
    facts.bindings.push({
      ...binding,
      name: ownCopy(name),
      value: binding.value && copied(binding.value, positionOf),
    })
  }

  return {
    word(index: number) {
      const name = wordOf(tokens, index)
      const called = aliases.get(name) ?? name
      const known = wanted.lookups.get(called) ?? []
      if (known.length > 0 && called === name) addAlias(index, name)
      for (const lookup of known) addCall(index, called, lookup)
      if (wanted.forms) addForms(index)
      if (wanted.constants.has(name)) addBinding(index, name)
      if (wanted.definitions.has(name)) addMembers(index, name)
      for (const type of wanted.members.get(name) ?? []) addUse(index, name, type)
    },
    string: addForms,
    match({ kind, text: matched, offset }: Matched) {
      const position = place(offset)
      if (!position || isInComment(tokens, offset)) return
      const end = offset + matched.length
      const path = matched.split(/\?\.|\.|::|->/).map((word) => ownCopy(word.replace(/^[@$]/, '')))
      const expression: Expression =
        kind === 'constant'
          ? { kind: 'name', path, offset }
          : isWholeLiteral(tokens, offset, end)
            ? { kind: 'literal', value: ownCopy(matched), offset, ...position }
            : { kind: 'unknown' }
      facts.calls.push({
        ...position,
        offset,
        name: '',
        lookup: {},
        expression,
        start: position,
        text: lineAt(text, offset),
        passed: undefined,
        receiver: undefined,
        hasOwner: kind === 'constant' && declaresOwner(path),
      })
    },
    finish(): Facts {
      if (wanted.functions.size > 0) {
        for (const { name } of allFunctions()) {
          if (name === undefined || !wanted.functions.has(name)) continue
          facts.functions.set(name, (facts.functions.get(name) ?? 0) + 1)
        }
      }
      // Constants are often declared in the file that uses them.
      const own = new Set<string>()
      for (const { expression, passed } of facts.calls) if (!passed) addNames(expression, own)
      for (const { value } of facts.bindings) if (value) addNames(value, own)
      for (const name of wanted.constants) own.delete(name)
      if (own.size > 0) {
        for (let index = 0; index < tokens.kinds.length; index++) {
          if (tokens.kinds[index] !== WORD) continue
          const name = wordOf(tokens, index)
          if (own.has(name)) addBinding(index, name)
        }
      }
      return facts
    },
  }
}

function isInComment({ comments }: Tokens, offset: number): boolean {
  for (let index = 0; index < comments.length; index += 2) {
    if ((comments[index] ?? 0) > offset) return false
    if (offset < (comments[index + 1] ?? 0)) return true
  }
  return false
}

/** Whether a part of a text is the content of a literal, or of data without quotation marks. */
function isWholeLiteral(tokens: Tokens, start: number, end: number): boolean {
  const { text, language } = tokens
  const before = text[start - 1] ?? ''
  if (/["'`]/.test(before) && text[end] === before) return true
  if (before === ':' && /^(?:ruby|elixir)$/.test(language.group))
    return !/[\w?!]/.test(text[end] ?? '')
  return language.evaluates === true
}

/** The words of names in an expression. */
export function addNames(expression: Expression, names: Set<string>): void {
  if (expression.kind === 'name') for (const word of expression.path) names.add(word)
  else if (expression.kind === 'join' || expression.kind === 'choice') {
    for (const part of expression.parts) addNames(part, names)
  }
}

/** An expression without references to the text that it comes from, and with the positions of literals. */
function copied(expression: Expression, positionOf: (offset: number) => Position): Expression {
  switch (expression.kind) {
    case 'literal':
      return { ...expression, ...positionOf(expression.offset), value: ownCopy(expression.value) }
    case 'name':
      return { ...expression, path: expression.path.map(ownCopy) }
    case 'join':
    case 'choice':
      return { ...expression, parts: expression.parts.map((part) => copied(part, positionOf)) }
    default:
      return expression
  }
}

function isLiteral({ kind }: Expression): boolean {
  return kind === 'literal'
}

/** The object that a method is called on. */
function receiverOf(tokens: Tokens, index: number): string | undefined {
  return /^(?:\.|\?\.|::|->)$/.test(textOf(tokens, index - 1))
    ? wordOf(tokens, index - 2)
    : undefined
}

/** The first token of the name that a member belongs to. */
function startOfPath(tokens: Tokens, index: number): number {
  let at = index
  while (/^(?:\.|\?\.|::|->)$/.test(textOf(tokens, at - 1)) && tokens.kinds[at - 2] === WORD)
    at -= 2
  return at
}

// A longer list of functions before a call is generated code.
const MAX_STEPS = 500

/**
 * The functions around a token, innermost first.
 * @param all in the order of their bodies
 */
function functionsAround(all: readonly FunctionDefinition[], index: number): FunctionDefinition[] {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle]?.body.from ?? 0) <= index) low = middle + 1
    else high = middle
  }
  return all
    .slice(Math.max(0, low - MAX_STEPS), low)
    .filter(({ body }) => body.to > index)
    .reverse()
}

/** The parameter that an expression passes on, and the innermost function that has it. */
function passedIn(
  expression: Expression,
  around: readonly FunctionDefinition[],
): Passed | undefined {
  if (expression.kind !== 'name') return undefined
  const [name, member, ...rest] = expression.path
  for (const { name: called, at, parameters } of around) {
    const parameter = parameters.find((one) => one.name === name)
    if (!parameter) continue
    const { index, key, property = member } = parameter
    const lookup = { index, key, ...(property !== undefined && { member: property }) }
    return { function: rest.length > 0 ? undefined : called, at, lookup }
  }
  return undefined
}

/** An expression whose parameters have no known value. */
function withoutParameters(
  expression: Expression,
  around: readonly FunctionDefinition[],
): Expression {
  if (expression.kind === 'join' || expression.kind === 'choice') {
    return { ...expression, parts: expression.parts.map((part) => withoutParameters(part, around)) }
  }
  return passedIn(expression, around) ? { kind: 'unknown' } : expression
}

const TYPED =
  /^(?:return|await|yield|throw|raise|new|typeof|in|of|case|else|do|if|elif|elsif|unless|while|until|when|and|or|not|is|then|assert|puts|print|echo|go|defer|try|with|match|guard|default|refute|expect|async|by|as|delete|void)$/
const INFIX =
  /^(?:as|in|is|of|or|and|if|unless|else|not|instanceof|satisfies|to|div|mod|xor|do|then)$/
const KEYWORD = /^(?:function|def|defp|fun|func|fn|sub|defmacro)$/

/** Whether a name with a list of parameters is declared here, perhaps without a body. */
function isDeclaration(tokens: Tokens, index: number): boolean {
  const { kinds, language } = tokens
  const before = textOf(tokens, index - 1)
  if (KEYWORD.test(before)) return true
  if (before === ')' && textOf(tokens, (tokens.pairs[index - 1] ?? 0) - 1) === 'func') return true
  if (before === '.' && KEYWORD.test(textOf(tokens, index - 3))) return true
  const opening = index + 1
  if (kinds[opening] !== OPEN) return false
  const isTyped = kinds[index - 1] === WORD && !TYPED.test(before) && !isNewLine(tokens, index)
  if (isTyped && language.group !== 'ruby' && language.group !== 'elixir') return !language.markup
  const [first, second] = [opening + 1, opening + 2]
  if (kinds[first] !== WORD) return false
  if (kinds[second] === WORD) {
    const words = [textOf(tokens, first), textOf(tokens, second)]
    return (
      !TYPED.test(words[0] ?? '') && !INFIX.test(words[1] ?? '') && PLAIN_WORD.test(words[1] ?? '')
    )
  }
  return language.group === 'js' && /^(?::|\?:)$/.test(textOf(tokens, second))
}

/** Whether a text imports an object, or declares it. */
function declares(text: string, owner: string): boolean {
  const imported = `\\b(?:import|use|using|alias|from)\\b[^'"\\n;{(]{0,200}(?:\\{[^}]{0,500}|\\([^)]{0,500})?\\b${owner}\\b`
  const declared = `\\b(?:(?:object|enum|class|module|namespace|struct)\\s+${owner}\\b|(?:const|let|var|val)\\s+${owner}\\s*=\\s*(?:[{(]|Object|require))`
  // The last part of a package of Go.
  return new RegExp(`${imported}|${declared}|/${owner}"\\s*$`, 'm').test(text)
}
