/** A string literal of a language. */
export interface Quote {
  open: string
  close: string
  /** Its mark may be repeated, as often in `open` as in `close`: `#` in `r##"…"##`. */
  level?: string
  /** Whether a backslash quotes the next character. */
  escapes: boolean
  /** Whether it may contain line breaks. */
  lines: boolean
  /** Begins an expression in it, which a bracket ends. */
  hole?: string
  /** Whether `$name` inserts a value. */
  dollar?: boolean
}

/** A comment between two marks. */
export interface BlockComment {
  open: string
  close: string
  /** Whether it begins only at the start of a line. */
  atLineStart?: boolean
}

/** The functions of the SDKs of Unleash and OpenFeature that take the name of a flag. */
interface SdkCalls {
  /** The name is the first argument. */
  functions: readonly string[]
  /** The name is the second argument, after a context. */
  afterContext?: readonly string[]
  /** Only after `@`, or as a component. */
  annotations?: readonly string[]
  /** Only on these objects: `Feature.enabled`. */
  ofObjects?: readonly string[]
  /** Return all flags, whose uses cannot be read. They have no arguments, as functions of other things with that name do. */
  ofAllFlags?: readonly string[]
  /** The same, of any definitions and context. */
  evaluations?: readonly string[]
  /** Those that are lookups only with an object. */
  onlyMethods?: readonly string[]
  /** Those that are words of other code as well, and count only in files that mention a client. */
  commonWords?: readonly string[]
}

/** How a language writes comments, texts and words. */
interface Lexis {
  quotes: readonly Quote[]
  /** Begin a comment up to the end of the line. */
  lineComments?: readonly string[]
  blockComments?: readonly BlockComment[]
  /** Ends the code, and a line comment in it: `?>`. */
  codeEnd?: string
  /** Whether `/` can begin a regular expression. */
  hasRegexes?: boolean
  /** Whether words may end with `?` or `!`. */
  hasMarkedWords?: boolean
  /** Begins the names of variables, and is not part of them. */
  sigil?: string
  /** Whether `:name` is a text. */
  hasSymbols?: boolean
  /** Joins two texts, `+` by default. */
  join?: string
}

/** How a language declares functions. */
interface FunctionSyntax {
  /** Begin a function. */
  functionWords: readonly string[]
  /** Whether methods are defined without a keyword. Elsewhere, a block after a call belongs to the call. */
  hasMethods?: boolean
  /** Functions with an arrow: `anonymous` ones, or also methods, whose name and list precede the arrow. */
  arrows?: 'anonymous' | 'methods'
  /** Whether the keyword of a function may have parameters without brackets. */
  hasBareParameters?: boolean
  /** Whether `=` begins a body. */
  hasEqualsBody?: boolean
  /** Begins a body that is found by its indentation: a colon, or the end of the line. */
  indentedBody?: ':' | 'line'
  /** Whether lines with constraints of types may precede a body. */
  hasConstraintLines?: boolean
  /** Where the name of a parameter is among its words, if no colon follows. */
  parameterName: 'first' | 'last'
  /** Whether the first word of a parameter is the label for callers. */
  hasLabels?: boolean
  /** Whether optional parameters are in brackets of their own. */
  hasBracketedParameters?: boolean
  /** Whether a word with a colon in a list is a parameter with a type, because calls have no labels. */
  hasColonTypes?: boolean
  /** Whether a list with the object precedes the name of a method. */
  hasReceivers?: boolean
  /** Whether a function may be declared on a type: `fun Flag.isOn()`. */
  hasExtensions?: boolean
  /** Whether a call may have its first argument without brackets. */
  hasCommands?: boolean
  /** The name of the method that is called when an object is called like a function. */
  callMethod?: string
}

/** How a language declares constants, classes and their members. */
interface MemberSyntax {
  /** Begin a declaration whose block has members. */
  ownerWords: readonly string[]
  /** Whether blocks are found by their indentation. */
  hasIndentedBlocks?: boolean
  /** Whether objects and lists are taken apart: `{ a } = b`. */
  hasPatterns?: boolean
  /** Whether `name="x"` without spaces is an attribute of a component. */
  hasAttributes?: boolean
  /** Whether `object::method` is a function. */
  hasReferences?: boolean
  /** Whether a constant of an enumeration has arguments: `NAME("x")`. */
  hasEnumArguments?: boolean
  /** Whether `NAME => 'x'` is a member of a map. */
  hasArrowMaps?: boolean
  /** Whether the type follows the name without a mark: `NAME Type = "x"`. */
  hasTypesAfterNames?: boolean
  /** Whether methods read the fields of their object without `this`. */
  hasBareFields?: boolean
  /** The name before a member of a file, if that is a module or a package. */
  moduleOf?: (file: string) => string
}

/** A language: what the engine has to know of it. */
export interface Language extends Lexis, FunctionSyntax, MemberSyntax {
  /** Languages of one family use each other's constants and functions. */
  family: string
  /** As people write it. */
  name: string
  /** Of its files. */
  extensions: string
  calls: SdkCalls
  /** Statements with imports; the first group has the names, some with another one here: `a as b`, `a: b`. */
  imports?: readonly RegExp[]
  /** The files that list what a project depends on: `go.mod`, `*.csproj`. */
  manifests?: readonly string[]
  /** Set if code is embedded in text: the language of its scripts. */
  scripts?: Language
}

export const plain = (open: string): Quote => ({ open, close: open, escapes: true, lines: false })
export const raw = (open: string, close = open): Quote => ({
  open,
  close,
  escapes: false,
  lines: false,
})
export const leveled = (quote: Quote, level: string): Quote => ({ ...quote, level })
export const multiline = (quote: Quote): Quote => ({ ...quote, lines: true })
export const withHole = (quote: Quote, hole: string, dollar = false): Quote => ({
  ...quote,
  hole,
  dollar,
})
/** The quotes after each of some prefixes. */
export const prefixed = (prefixes: string, quote: Quote): Quote[] =>
  words(prefixes).map((prefix) => ({ ...quote, open: prefix + quote.open }))

export const double = plain('"')
export const single = plain("'")
export const template = withHole(multiline(plain('`')), '${')

/** Comments as in C. */
export const slashComments = {
  lineComments: ['//'],
  blockComments: [{ open: '/*', close: '*/' }],
}

/** The words of some lines. */
export function words(...lines: string[]): string[] {
  return lines.flatMap((line) => line.trim().split(/\s+/))
}

/** Names with each of some words instead of their `*`. */
export function each(forms: string, values: readonly string[]): string[] {
  return words(forms).flatMap((form) => values.map((value) => form.replace('*', value)))
}

/** The kinds of values of OpenFeature, as parts of names. */
export const kinds = words('Boolean String Number Integer Double Float Object Structure Int Long')
export const snakeKinds = words('bool boolean string number integer int float double object struct')

/** Embeds a language in markup: only its comments, its attributes and the strings in a line are known. */
export function embedded(language: Language, extensions: string, scripts: Language): Language {
  return {
    ...language,
    extensions,
    scripts,
    quotes: [multiline(raw('="', '"')), multiline(raw("='", "'")), double, single, plain('`')],
    lineComments: [],
    blockComments: [
      { open: '<!--', close: '-->' },
      { open: '{{--', close: '--}}' },
      { open: '<%#', close: '%>' },
      { open: '{/*', close: '*/}' },
      { open: '{#', close: '#}' },
      { open: '@*', close: '*@' },
    ],
    hasRegexes: false,
    hasMethods: false,
  }
}
