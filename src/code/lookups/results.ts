import { isLegalName } from '../../input/flag-names.ts'
import type { Position } from '../../input/shape.ts'
import { groupBy } from '../../groups.ts'
import { orderBy } from '../../output/order.ts'
import { positionText } from '../../output/problems.ts'
import { ANY_TEXT, type PartialText } from './partial-texts.ts'
import { countWhile, type FilePosition, firstInOrder, namedKeyOf } from '../files/positions.ts'
import type { Call, Facts } from './facts.ts'
import type { NearestFirst } from './nearest.ts'
import { type ResolvedValue, Resolver } from './resolution.ts'
import type { Wrappers } from './wrappers.ts'

/** A flag name where source code uses it. */
export interface Reference extends FilePosition {
  name: string
  kind: 'call' | 'constant'
  /** The source text of the use. */
  text: string
  /** Where the literal with the name is; the same file for a `call`. */
  origin: FilePosition
}

/** A lookup whose flag name could not be read. */
export interface Unresolved extends FilePosition {
  text: string
  /** The values of a constant that has more than one, in code unit order. */
  candidates: string[]
  /** The function around it that takes something, if it has a name. */
  around: string | undefined
  /** What is known of the texts that it may have. */
  texts: readonly PartialText[]
}

/** Where flags are in source code. */
export interface ScanResult {
  /** In the order of the files, then of the text. */
  references: Reference[]
  unresolved: Unresolved[]
  /** How many lookups there are, including those that could not be read. */
  lookups: number
  /** Files with more lookups than are read. */
  incomplete: string[]
  /** Files with lookups of another flag system. */
  otherSystems: string[]
  /** The functions that are lookups. */
  functions: ReadonlySet<string>
}

/** Finds the references in the facts of all files. */
export function resultOf(
  facts: ReadonlyMap<string, Facts>,
  wrappers: Wrappers,
  nearestFirst: NearestFirst,
  incomplete: ReadonlySet<string>,
): ScanResult {
  const results = new Results([...facts.values()], wrappers, nearestFirst)
  const { references, unresolved } = results
  return {
    references: firstInOrder(references, namedKeyOf),
    unresolved,
    lookups: new Set([...references, ...unresolved].map(positionText)).size,
    incomplete: [...incomplete],
    otherSystems: [...facts].flatMap(([file, { hasOtherSystem }]) =>
      hasOtherSystem || results.ofOwnFunctions.has(file) ? file : [],
    ),
    functions: results.functions,
  }
}

/** A lookup whose name has not been found. */
interface Open {
  call: Call
  candidates: readonly string[]
}

class Results {
  readonly references: Reference[] = []
  /** Files that call functions of the project with the names of those of SDKs. */
  readonly ofOwnFunctions = new Set<string>()
  readonly functions = new Set<string>()
  readonly #wrappers: Wrappers
  readonly #resolver: Resolver
  readonly #open: Open[] = []
  /** The places of the functions whose object is the flag. */
  readonly #ofObjects = new Set<string>()
  /** The places of the members of flags, which may be arguments of another lookup. */
  readonly #ofMembers = new Set<string>()
  /** The functions that are called. */
  readonly #called = new Set<string>()
  /** How often a file calls a function. */
  readonly #calls = new Map<string, number>()
  /** Where custom patterns found a name. */
  readonly #matched: FilePosition[] = []
  /** The functions that take such a name, and `file:property` for the properties that have one. */
  readonly #taken = new Set<string>()

  constructor(facts: readonly Facts[], wrappers: Wrappers, nearestFirst: NearestFirst) {
    this.#wrappers = wrappers
    this.#resolver = new Resolver(
      facts.flatMap(({ bindings }) => bindings),
      nearestFirst,
    )
    for (const { calls } of facts) for (const call of calls) this.#add(call)
  }

  get unresolved(): Unresolved[] {
    const matched = groupBy(this.#matched.sort(byPosition), ({ file }) => file)
    const isMatched = ({ file, start, end }: Call) => {
      const places = matched.get(file) ?? []
      const first = places[countWhile(places, (place) => byPosition(place, start) < 0)]
      return first !== undefined && byPosition(first, end) < 0
    }
    const isOpen = (call: Call) => !this.#isRead(call) && !isMatched(call) && !this.#isTaken(call)
    const open = this.#open.filter(({ call }) => isOpen(call))
    const places = open.map(({ call, candidates }) => ({ ...call, call, candidates }))
    return firstInOrder(places, positionText).map(({ call, candidates }) => {
      const { line, column } = call.start
      const sorted = [...new Set(candidates)].sort().slice(0, MAX_CANDIDATES)
      const { file, text, around } = call
      const texts = this.#textsOf(call)
      return { file, line, column, text, around, candidates: sorted, texts }
    })
  }

  #textsOf(call: Call): readonly PartialText[] {
    return isOfCallers(call) ? [ANY_TEXT] : this.#resolver.textsOf(call.expression, call)
  }

  #add(call: Call): void {
    const { expression, lookup } = call
    const wrappers = this.#wrappers
    if (wrappers.isOwnFunction(call)) this.ofOwnFunctions.add(call.file)
    if (!wrappers.isAccepted(call)) return
    this.functions.add(call.name)
    if (call.isIgnored) {
      this.#addCalled(call)
      return
    }
    // Another function has the name of a wrapper: `flag.Bool("verbose", false, "Print more")`.
    const isOther = expression.kind === 'literal' && !isLegalName(expression.value)
    if (isOther && wrappers.isWrapper(call)) return
    const { values, isPartial, candidates } = isOfCallers(call)
      ? NOTHING
      : this.#resolver.resolve(expression, call)
    for (const value of values) this.references.push(referenceOf(call, value))
    if (call.name === '' && values.length > 0) this.#addMatched(call)
    if (lookup.isReceiver && values.length > 0) this.#ofObjects.add(functionPlace(call))
    if (lookup.hasMembers) this.#ofMembers.add(positionText(call))
    // Methods with the name of one of a flag have other objects, too.
    if (lookup.isReceiver && values.length === 0) return
    this.#addCalled(call)
    if (isPartial) this.#open.push({ call, candidates })
  }

  #addMatched(call: Call): void {
    const { file, takenBy } = call
    this.#matched.push(call)
    if (takenBy === undefined) return
    this.functions.add(takenBy)
    this.#taken.add(takenBy).add(`${file}:${takenBy}`)
  }

  /** Whether custom patterns find the names of a lookup: where its function is called, or where the property gets them that it reads. */
  #isTaken({ file, around, passed, expression }: Call): boolean {
    if (around !== undefined && this.#taken.has(around)) return true
    const read = expression.kind === 'name' ? expression.path.slice(1).at(-1) : undefined
    return this.#taken.has(`${file}:${passed?.lookup.member ?? read}`)
  }

  /** Adds the functions that a call may be one of: the first of a file leaves out the one that it is in, the second adds that. */
  #addCalled(call: Call): void {
    const key = `${call.file}:${call.name}`
    const count = (this.#calls.get(key) ?? 0) + 1
    this.#calls.set(key, count)
    if (count > 2) return
    for (const place of this.#wrappers.placesOf(call)) this.#called.add(place)
  }

  /** Whether the name of a lookup is found elsewhere. */
  #isRead(call: Call): boolean {
    const { passed, file, lookup, expression } = call
    // The callers are found.
    const isPassed =
      passed !== undefined &&
      this.#called.has(`${file}:${passed.at}`) &&
      this.#wrappers.isKnown(passed, file)
    const isOfMember =
      !lookup.hasMembers &&
      /^(?:name|unknown)$/.test(expression.kind) &&
      this.#ofMembers.has(positionText(call))
    return (
      isPassed ||
      isOfMember ||
      this.#wrappers.isConfigured(call.around) ||
      this.#ofObjects.has(functionPlace(call))
    )
  }
}

const byPosition = orderBy<Position>(
  ({ line }) => line,
  ({ column }) => column,
)

const NOTHING = { values: [], isPartial: true, candidates: [] }
const MAX_CANDIDATES = 20

/** Whether the callers of the function around a lookup specify the name. */
function isOfCallers({ passed }: Call): boolean {
  return passed !== undefined && !passed.lookup.isReceiver
}

function functionPlace({ file, start }: Call): string {
  return positionText({ file, ...start })
}

function referenceOf(call: Call, { name, isConstant, ...origin }: ResolvedValue): Reference {
  const { file, line, column } = isConstant ? call : origin
  const kind = isConstant ? 'constant' : 'call'
  return { name, file, line, column, kind, text: call.text, origin }
}
