// Patterns as formulas: what must follow in a name (README.md has an example). Formulas with the same parts are the same
// object, so they serve as the states of an automaton (automaton.ts) and as the positions of an engine in a pattern
// (step-count.ts, path-search.ts).
import type { AST } from '@eslint-community/regexpp'
import { LEGAL_CHARACTERS, MAX_NAME_LENGTH } from '../../input/flag-names.ts'
import type { Budget } from './budget.ts'
import { characterSource, flagsAt, modified, parsePattern } from './syntax.ts'

interface Common {
  id: number
  /** The fewest characters that it reads. */
  least: number
}

/** Reads one character of a set. */
export interface CharacterSet extends Common {
  type: 'characters'
  set: ReadonlySet<string>
}

/** A group; one branch if it has no `|`. */
export interface Alternation extends Common {
  type: 'alternation'
  branches: PatternPart[][]
}

export interface Loop extends Common {
  type: 'loop'
  body: PatternPart
  min: number
  max: number
  isLazy: boolean
  /** Whether it replaces a back-reference, which reads only one of its texts. */
  isCopy: boolean
  /** The loop after one round; set by `Formulas.unrollRound`. */
  next?: Loop
  /** Set by `Formulas.unrollRound`. */
  roundEnd?: RoundEnd
}

/** How often a loop reads its body, and in which order an engine tries that. */
type LoopOptions = Pick<Loop, 'min' | 'max'> & Partial<Pick<Loop, 'isLazy' | 'isCopy'>>

/** The end of an optional round of a loop, which must have read something: engines refuse empty rounds. */
interface RoundEnd extends Common {
  type: 'round-end'
  loop: Loop
}

/** `^`, `$`, `\b` or `\B`. */
export interface Edge extends Common {
  type: 'edge'
  kind: 'start' | 'end' | 'word'
  isNegated: boolean
}

export interface LookAround extends Common {
  type: 'look-around'
  branches: PatternPart[][]
  isNegated: boolean
  isBehind: boolean
  /** Its number among the look-behinds of all patterns; -1 for a look-ahead. */
  behindIndex: number
}

interface BackReference extends Common {
  type: 'back-reference'
  /** Reads at least what it reads: nothing, or any text that its group may capture. */
  text: PatternPart
}

export type PatternPart =
  | CharacterSet
  | Alternation
  | Loop
  | RoundEnd
  | Edge
  | LookAround
  | BackReference

export interface Sequence {
  type: 'sequence'
  id: number
  part: PatternPart
  rest: Formula
  hasRoundEnd: boolean
  /** Whether it is in a look-behind, which engines match from right to left. */
  isBehind: boolean
  /** The fewest characters that the part and its rest read. */
  least: number
  /** Set by `Formulas.endRounds`. */
  withEndedRounds?: Formula
  /** Set by `Formulas.branchesOf`. */
  branches?: readonly Formula[]
}

/** What must follow in a name. */
export type Formula =
  | { type: 'yes' | 'no' | 'look-ahead-end' | 'look-behind-end'; id: number }
  | Sequence
  | { type: 'not'; id: number; formula: Formula }
  | { type: 'or' | 'and'; id: number; formulas: readonly Formula[] }

const WORD_CHARACTER = /\w/
// Larger least lengths are equal: no name has them.
const MANY_CHARACTERS = 999
// Above any number of parts.
const ID_STEP = 2 ** 24

// Units of work.
const WORK_TO_MAKE_PART = 12
const WORK_TO_MAKE_FORMULA = 8
const WORK_TO_FIND_FORMULA = 1
const KEY_CHARACTERS_PER_WORK = 4

export function isWordCharacter(text: string | undefined): boolean {
  return text !== undefined && WORD_CHARACTER.test(text)
}

/** Whether an assertion holds between two characters; undefined is the start or the end of the name. */
export function edgeHolds(
  edge: Pick<Edge, 'kind' | 'isNegated'>,
  before: string | undefined,
  next: string | undefined,
): boolean {
  if (edge.kind === 'start') return before === undefined
  if (edge.kind === 'end') return next === undefined
  return (isWordCharacter(before) !== isWordCharacter(next)) !== edge.isNegated
}

function leastOf(parts: readonly PatternPart[]): number {
  return parts.reduce((sum, { least }) => sum + least, 0)
}

export class Formulas {
  readonly yes: Formula = { type: 'yes', id: 0 }
  readonly no: Formula = { type: 'no', id: 1 }
  readonly lookBehindEnd: Formula = { type: 'look-behind-end', id: 2 }
  readonly lookAheadEnd: Formula = { type: 'look-ahead-end', id: 3 }
  /** In the order in which they can be matched: those inside others come first. */
  readonly lookBehinds: LookAround[] = []
  readonly anyText: Loop
  readonly #budget: Budget
  readonly #ignoresReferences: boolean
  readonly #byKey = new Map<string, Formula>()
  readonly #sequences = new Map<number, Sequence>()
  readonly #sets = new Map<string, ReadonlySet<string>>()
  /** The groups that are being copied for a back-reference. */
  readonly #copied = new Set<AST.CapturingGroup>()
  #count = 4
  #references = 0
  #hasWordEdge = false

  /** @param ignoresReferences whether back-references read any text, and look-arounds with them hold everywhere */
  constructor(budget: Budget, { ignoresReferences = false } = {}) {
    this.#budget = budget
    this.#ignoresReferences = ignoresReferences
    const set = new Set(LEGAL_CHARACTERS)
    const any: PatternPart = { ...this.#common(1), type: 'characters', set }
    this.anyText = this.#loopOf(any, { min: 0, max: Infinity, isLazy: true })
  }

  /** Whether there are back-references, which are not ignored. */
  get hasReference(): boolean {
    return this.#references > 0 && !this.#ignoresReferences
  }

  #common(least: number): Common {
    this.#budget.spend(WORK_TO_MAKE_PART)
    return { id: this.#count++, least }
  }

  #make(key: string, create: (id: number) => Formula): Formula {
    const existing = this.#byKey.get(key)
    const work = existing ? WORK_TO_FIND_FORMULA : WORK_TO_MAKE_FORMULA
    this.#budget.spend(work + key.length / KEY_CHARACTERS_PER_WORK)
    if (existing) return existing
    const formula = create(this.#count++)
    this.#byKey.set(key, formula)
    return formula
  }

  prepend(part: PatternPart, rest: Formula): Formula {
    if (rest === this.no) return rest
    const key = rest.id * ID_STEP + part.id
    const existing = this.#sequences.get(key)
    this.#budget.spend(existing ? WORK_TO_FIND_FORMULA : WORK_TO_MAKE_FORMULA)
    if (existing) return existing
    const after = rest.type === 'sequence' ? rest : undefined
    const sequence: Sequence = {
      type: 'sequence',
      id: this.#count++,
      part,
      rest,
      hasRoundEnd: part.type === 'round-end' || after?.hasRoundEnd === true,
      isBehind: rest === this.lookBehindEnd || after?.isBehind === true,
      least: part.least + (after?.least ?? 0),
    }
    this.#sequences.set(key, sequence)
    return sequence
  }

  prependAll(parts: readonly PatternPart[], rest: Formula): Formula {
    return parts.reduceRight((after, part) => this.prepend(part, after), rest)
  }

  not(formula: Formula): Formula {
    if (formula === this.yes) return this.no
    if (formula === this.no) return this.yes
    if (formula.type === 'not') return formula.formula
    return this.#make(`!${formula.id}`, (id) => ({ type: 'not', id, formula }))
  }

  or(formulas: readonly Formula[]): Formula {
    return this.#join('or', formulas, { neutral: this.no, decisive: this.yes })
  }

  and(formulas: readonly Formula[]): Formula {
    return this.#join('and', formulas, { neutral: this.yes, decisive: this.no })
  }

  #join(
    type: 'or' | 'and',
    formulas: readonly Formula[],
    { neutral, decisive }: { neutral: Formula; decisive: Formula },
  ): Formula {
    const parts = new Set(formulas.flatMap((one) => (one.type === type ? one.formulas : [one])))
    this.#budget.spend(parts.size)
    parts.delete(neutral)
    if (parts.has(decisive)) return decisive
    const sorted = [...parts].sort((a, b) => a.id - b.id)
    const [first = neutral] = sorted
    if (sorted.length < 2) return first
    const key = type + sorted.map(({ id }) => id).join()
    return this.#make(key, (id) => ({ type, id, formulas: sorted }))
  }

  /**
   * One round of a loop, and what follows the loop: `a*b` becomes `a` and then `a*b`. An engine gives up an optional round
   * that has read nothing, so a body that may be empty is followed by a round end: it lets nothing pass until `endRounds`,
   * after a character was read, puts the loop in its place. Which rounds count is in test/naming/rounds.test.ts.
   */
  unrollRound(loop: Loop, rest: Formula): Formula {
    const { min, max, body } = loop
    loop.next ??= min === 0 && max === Infinity ? loop : this.#afterRound(loop)
    if (min > 0 || body.least > 0) return this.prepend(body, this.prepend(loop.next, rest))
    loop.roundEnd ??= { ...this.#common(0), type: 'round-end', loop: loop.next }
    return this.prepend(body, this.prepend(loop.roundEnd, rest))
  }

  #afterRound({ body, min, max, isLazy, isCopy }: Loop): Loop {
    // A name has no more characters for further rounds to read.
    const rounds = max === Infinity ? max : Math.min(max - 1, min + MAX_NAME_LENGTH)
    return this.#loopOf(body, { min: Math.max(min - 1, 0), max: rounds, isLazy, isCopy })
  }

  #loopOf(
    body: PatternPart,
    { min, max, isLazy = false, isCopy = this.#copied.size > 0 }: LoopOptions,
  ): Loop {
    const least = Math.min(min * body.least, MANY_CHARACTERS)
    return { ...this.#common(least), type: 'loop', body, min, max, isLazy, isCopy }
  }

  /** A formula after a character was read: the rounds that were begun have read something, and may end. */
  endRounds(formula: Formula): Formula {
    if (formula.type !== 'sequence' || !formula.hasRoundEnd) return formula
    const { part, rest } = formula
    formula.withEndedRounds ??= this.prepend(
      part.type === 'round-end' ? part.loop : part,
      this.endRounds(rest),
    )
    return formula.withEndedRounds
  }

  /** The branches of the group or look-around at the start of a sequence, in the order in which engines try them. */
  branchesOf(sequence: Sequence): readonly Formula[] {
    const { part, rest } = sequence
    if (part.type !== 'alternation' && part.type !== 'look-around') return []
    const end = part.type === 'alternation' ? rest : this.#endOf(part)
    const isBehind = end === this.lookBehindEnd || (end.type === 'sequence' && end.isBehind)
    sequence.branches ??= part.branches.map((parts) =>
      this.prependAll(isBehind ? parts.toReversed() : parts, end),
    )
    return sequence.branches
  }

  #endOf({ isBehind }: LookAround): Formula {
    return isBehind ? this.lookBehindEnd : this.lookAheadEnd
  }

  /**
   * Reads a pattern as the service uses it.
   * @throws Undecided if the parser does not know the syntax
   */
  read(pattern: string): Formula {
    const { alternatives } = parsePattern(pattern)
    const branches = this.#branchesFrom(alternatives, '')
    return this.#searched(branches)
  }

  /**
   * Reads the names of a pattern that reach a part outside look-arounds: a branch, or a round of an optional loop. Loops
   * around the part may have some more rounds.
   */
  readThrough(part: AST.Alternative | AST.Quantifier): Formula {
    const flags = flagsAt(part)
    let parts =
      part.type === 'Alternative'
        ? this.#partsOf(part.elements, flags)
        : [this.#loopOf(this.#partOf(part.element, flags), { min: 1, max: part.max })]
    let node: AST.Node = part
    for (let parent: AST.Node | null = node.parent; parent; parent = parent.parent) {
      parts = this.#partsAround(parts, node, parent)
      node = parent
    }
    return this.#searched([parts])
  }

  /** The parts of a node, given those of a child that must be reached. */
  #partsAround(parts: PatternPart[], child: AST.Node, node: AST.Node): PatternPart[] {
    const flags = flagsAt(node)
    if (node.type === 'Alternative') {
      const before = node.elements.filter(({ end }) => end <= child.start)
      const after = node.elements.filter(({ start }) => start >= child.end)
      return [...this.#partsOf(before, flags), ...parts, ...this.#partsOf(after, flags)]
    }
    if (node.type === 'Quantifier') {
      const body = this.#partOf(node.element, flags)
      const others = this.#loopOf(body, { min: 0, max: node.max - 1 })
      return [others, ...parts, others]
    }
    return parts
  }

  /** Looks for branches from the start of a name or, if one has no anchor, anywhere. */
  #searched(branches: PatternPart[][]): Formula {
    const whole = this.prepend(this.#alternationOf(branches), this.yes)
    const isAnchored = branches.every(([first]) => first?.type === 'edge' && first.kind === 'start')
    return isAnchored ? whole : this.prepend(this.anyText, whole)
  }

  /** Returns one character of each kind that the patterns distinguish. */
  characterKinds(): string[] {
    const kinds = new Map<string, string>()
    for (const character of LEGAL_CHARACTERS) {
      let key = this.#hasWordEdge && isWordCharacter(character) ? 'w' : ''
      for (const set of this.#sets.values()) key += set.has(character) ? 1 : 0
      if (!kinds.has(key)) kinds.set(key, character)
    }
    return [...kinds.values()]
  }

  #branchesFrom(list: AST.Alternative[], flags: string): PatternPart[][] {
    return list.map(({ elements }) => this.#partsOf(elements, flags))
  }

  #partsOf(elements: readonly AST.Element[], flags: string): PatternPart[] {
    return elements.map((element) => this.#partOf(element, flags))
  }

  #alternationOf(branches: PatternPart[][]): Alternation {
    const least = Math.min(MANY_CHARACTERS, ...branches.map(leastOf))
    return { ...this.#common(least), type: 'alternation', branches }
  }

  #partOf(element: AST.Element, flags: string): PatternPart {
    switch (element.type) {
      case 'Group': {
        const inner = modified(flags, element)
        return this.#alternationOf(this.#branchesFrom(element.alternatives, inner))
      }
      case 'CapturingGroup':
        return this.#alternationOf(this.#branchesFrom(element.alternatives, flags))
      case 'Quantifier': {
        const { min, max, greedy } = element
        const body = this.#partOf(element.element, flags)
        return this.#loopOf(body, { min, max, isLazy: !greedy })
      }
      case 'Backreference':
        this.#references++
        if (this.#ignoresReferences) return this.anyText
        return this.#referenceOf(element, flags)
      case 'Assertion':
        return this.#assertionOf(element, flags)
      default:
        return this.#charactersOf(characterSource(element), flags)
    }
  }

  #referenceOf(element: AST.Backreference, flags: string): BackReference {
    const copies = [element.resolved].flat().map((group) => [this.#copyOf(group, flags)])
    // A group that has not captured anything reads nothing.
    return {
      ...this.#common(0),
      type: 'back-reference',
      text: this.#alternationOf([...copies, []]),
    }
  }

  /** A part that reads what a group may capture, in upper or lower case if a reference ignores that. */
  #copyOf(group: AST.CapturingGroup, flags: string): PatternPart {
    // A group that refers to itself, or to one that refers to it, would have no end.
    const isInItself = this.#copied.has(group)
    const heedsCase = flags === 'i' && /\(\?i?-/.test(group.raw)
    if (isInItself || heedsCase) {
      const { body, min, max, isLazy } = this.anyText
      return this.#loopOf(body, { min, max, isLazy, isCopy: true })
    }
    this.#copied.add(group)
    const copy = this.#partOf(group, flags || flagsAt(group))
    this.#copied.delete(group)
    return copy
  }

  #assertionOf(element: AST.Assertion, flags: string): PatternPart {
    const isNegated = 'negate' in element && element.negate
    if (!('alternatives' in element)) {
      const { kind } = element
      this.#hasWordEdge ||= kind === 'word'
      return { ...this.#common(0), type: 'edge', kind, isNegated }
    }
    const references = this.#references
    // Before the look-around gets its number: those inside it come first.
    const branches = this.#branchesFrom(element.alternatives, flags)
    const hasReference = this.#references > references
    if (hasReference && this.#ignoresReferences) return this.#alternationOf([[]])
    const isBehind = element.kind === 'lookbehind'
    const look: LookAround = {
      ...this.#common(0),
      type: 'look-around',
      branches,
      isNegated,
      isBehind,
      behindIndex: isBehind ? this.lookBehinds.length : -1,
    }
    if (isBehind) this.lookBehinds.push(look)
    return look
  }

  #charactersOf(source: string, flags: string): CharacterSet {
    const key = `${flags}/${source}`
    const set =
      this.#sets.get(key) ?? new Set(LEGAL_CHARACTERS.match(new RegExp(source, `g${flags}`)))
    this.#sets.set(key, set)
    return { ...this.#common(1), type: 'characters', set }
  }
}
