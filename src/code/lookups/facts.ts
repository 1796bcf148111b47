import type { Position } from '../../input/position.ts'
import type { Binding } from './bindings.ts'
import type { Member } from './definitions.ts'
import type { Expression } from './literals.ts'
import type { Lookup } from './arguments.ts'
import type { FilePosition } from '../positions.ts'

/** A parameter that a function passes on to a lookup. */
export interface Passed {
  /** Undefined for a function without a name. */
  function: string | undefined
  /** The definition of the function, by the number of a token. */
  at: number
  lookup: Lookup
  /** The type that declares it. */
  type: string | undefined
}

/** A use of a flag, at the first character of its name. */
export interface Use extends FilePosition {
  /** The source text that shows it. */
  text: string
}

/** A call of a lookup in a file. */
export interface Call extends Use {
  /** The name of the function; empty for a custom pattern and for the syntax of a framework. */
  name: string
  lookup: Lookup
  expression: Expression
  /** Where the name of the function is. */
  start: Position
  /** Set if the expression is a parameter of the function around it. */
  passed?: Passed | undefined
  /** The function around it that joins one of its parameters to other texts. */
  addedBy?: string | undefined
  /** The type whose field the expression is, in one of its methods. */
  ownType?: string | undefined
  /** The object that the function is called on; empty without one. */
  receiver: string
  /** The names before that of the function: `this.flags` in `this.flags.has('x')`. */
  owners: string
  /** Whether the file imports or declares the object of the name. */
  hasOwner: boolean
}

/** A use of a member of a type whose members are flags. */
interface MemberUse extends Use {
  name: string
  type: string
}

/** A name that a custom pattern found. */
export interface Matched {
  /** The literal of a flag, or the name of a constant. */
  kind: 'flag' | 'constant'
  text: string
  offset: number
}

/** The names to look for in a text. */
export interface Wanted {
  lookups: ReadonlyMap<string, readonly Lookup[]>
  /** Names whose bindings are wanted. */
  constants: ReadonlySet<string>
  /** Types whose objects are flags, and whose members are only if they are enums. */
  flagTypes: ReadonlySet<string>
  /** The types of members by their names; empty for a variable, which is used without its type. */
  members: ReadonlyMap<string, readonly string[]>
  /** Whether the text is read for the first time: for the syntax of frameworks, too. */
  isFirst: boolean
}

/** The facts in a text. */
export interface Facts {
  calls: Call[]
  /** Flags in the syntax of frameworks. A call with the same flag is reported instead. */
  forms: Call[]
  bindings: Binding[]
  /** The names of the functions that are wanted, once for each definition. */
  functions: string[]
  members: Member[]
  uses: MemberUse[]
  /** Whether calls are left out that belong to another flag system. */
  hasOtherSystem: boolean
}

/** The words of names in an expression. */
export function addNames(expression: Expression, names: Set<string>): void {
  if (expression.kind === 'name') for (const word of expression.path) names.add(word)
  if ('parts' in expression) for (const part of expression.parts) addNames(part, names)
}
