// Patterns as terms: a term is what may follow in a name. Terms with the same parts are the same object, so they serve as
// the states of an automaton (language.ts) and as the places of a backtracking engine (slow.ts).
import type { AST } from '@eslint-community/regexpp'
import { legalCharacters, maxNameLength } from '../input/flag-names.ts'
import type { Budget } from './budget.ts'
import { hexEscape, isNegated, parsePattern } from './syntax.ts'

interface Common {
  id: number
  /** The fewest characters that it reads. */
  least: number
}

export interface Characters extends Common {
  type: 'characters'
  set: ReadonlySet<string>
}

export interface Group extends Common {
  type: 'group'
  branches: Part[][]
}

export interface Loop extends Common {
  type: 'loop'
  body: Part
  min: number
  max: number
  isLazy: boolean
  /** The loop after one round. */
  next?: Loop
  mark?: Mark
}

/** The end of an optional round, which must have read something. */
interface Mark extends Common {
  type: 'mark'
  loop: Loop
}

export interface Edge extends Common {
  type: 'edge'
  kind: 'start' | 'end' | 'word'
  negate: boolean
}

export interface Look extends Common {
  type: 'look'
  branches: Part[][]
  negate: boolean
  isBehind: boolean
  hasReference: boolean
  /** Its number among the look-behinds of all patterns. */
  index: number
}

interface Reference extends Common {
  type: 'reference'
  /** Whether the pattern matches fewer names if it matches more texts. */
  isNegated: boolean
}

export type Part = Characters | Group | Loop | Mark | Edge | Look | Reference

/** A part, and what follows it. */
export interface Then {
  type: 'then'
  id: number
  part: Part
  rest: Term
  hasMark: boolean
  /** Whether it is in a look-behind, which engines match from right to left. */
  isBehind: boolean
  /** The fewest characters that can follow. */
  least: number
  moved?: Term
  /** The branches of its group, each with what follows. */
  ways?: readonly Term[]
}

export type Term =
  /** `hit` is the end of a look-behind, and `passed` that of a look-ahead. */
  | { type: 'yes' | 'no' | 'hit' | 'passed'; id: number }
  | Then
  | { type: 'not'; id: number; term: Term }
  | { type: 'or' | 'and'; id: number; terms: readonly Term[] }

const wordCharacter = /\w/
// Larger least lengths are equal: no name has them.
const manyCharacters = 999
// Above any number of parts.
const idStep = 2 ** 24

export function isWordCharacter(text: string | undefined): boolean {
  return text !== undefined && wordCharacter.test(text)
}

/** Whether an assertion holds between two characters; undefined is the end of the name. */
export function holds({ kind, negate }: Edge, before?: string, next?: string): boolean {
  if (kind === 'start') return before === undefined
  if (kind === 'end') return next === undefined
  return (isWordCharacter(before) !== isWordCharacter(next)) !== negate
}

function leastOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { least }) => sum + least, 0)
}

/** Makes terms, and the parts of the patterns that share them. */
export class Terms {
  readonly looksBehind: Look[] = []
  hasReference = false
  readonly yes: Term = { type: 'yes', id: 0 }
  readonly no: Term = { type: 'no', id: 1 }
  readonly hit: Term = { type: 'hit', id: 2 }
  readonly passed: Term = { type: 'passed', id: 3 }
  readonly anyText: Loop
  /** Reads at least what a back-reference reads. */
  readonly someText: Loop
  private count = 4
  private hasWordEdge = false
  private readonly known = new Map<string, Term>()
  private readonly thens = new Map<number, Then>()
  private readonly sets = new Map<string, ReadonlySet<string>>()
  private readonly budget: Budget

  constructor(budget: Budget) {
    this.budget = budget
    const set = new Set(legalCharacters)
    const any: Part = { ...this.common(1), type: 'characters', set }
    this.anyText = this.loopOf(any, 0, Infinity, true)
    this.someText = this.loopOf(any, 0, Infinity, true)
  }

  private common(least: number): Common {
    this.budget.spend(12)
    return { id: this.count++, least }
  }

  private make(key: string, create: (id: number) => Term): Term {
    const old = this.known.get(key)
    this.budget.spend((old ? 1 : 8) + key.length / 4)
    if (old) return old
    const term = create(this.count++)
    this.known.set(key, term)
    return term
  }

  prepend(part: Part, rest: Term): Term {
    if (rest === this.no) return rest
    const key = rest.id * idStep + part.id
    const old = this.thens.get(key)
    this.budget.spend(old ? 1 : 8)
    if (old) return old
    const after = rest.type === 'then' ? rest : undefined
    const term: Then = {
      type: 'then',
      id: this.count++,
      part,
      rest,
      hasMark: part.type === 'mark' || after?.hasMark === true,
      isBehind: rest === this.hit || after?.isBehind === true,
      least: part.least + (after?.least ?? 0),
    }
    this.thens.set(key, term)
    return term
  }

  prependAll(parts: readonly Part[], rest: Term): Term {
    return parts.reduceRight((after, part) => this.prepend(part, after), rest)
  }

  not(term: Term): Term {
    if (term === this.yes) return this.no
    if (term === this.no) return this.yes
    if (term.type === 'not') return term.term
    return this.make(`!${term.id}`, (id) => ({ type: 'not', id, term }))
  }

  or(terms: readonly Term[]): Term {
    return this.join('or', terms, this.no, this.yes)
  }

  and(terms: readonly Term[]): Term {
    return this.join('and', terms, this.yes, this.no)
  }

  /**
   * @param unit the term that changes nothing
   * @param zero the term that decides
   */
  private join(type: 'or' | 'and', terms: readonly Term[], unit: Term, zero: Term): Term {
    const set = new Set(terms.flatMap((term) => (term.type === type ? term.terms : [term])))
    this.budget.spend(set.size)
    set.delete(unit)
    if (set.has(zero)) return zero
    const sorted = [...set].sort((a, b) => a.id - b.id)
    const [first = unit] = sorted
    if (sorted.length < 2) return first
    const key = type + sorted.map(({ id }) => id).join()
    return this.make(key, (id) => ({ type, id, terms: sorted }))
  }

  /** One round of a loop, and then a term. */
  round(loop: Loop, rest: Term): Term {
    const { min, max, body } = loop
    loop.next ??= min === 0 && max === Infinity ? loop : this.nextOf(loop)
    if (min > 0 || body.least > 0) return this.prepend(body, this.prepend(loop.next, rest))
    loop.mark ??= { ...this.common(0), type: 'mark', loop: loop.next }
    return this.prepend(body, this.prepend(loop.mark, rest))
  }

  private nextOf({ body, min, max, isLazy }: Loop): Loop {
    // A name has no more characters for further rounds to read.
    const rounds = max === Infinity ? max : Math.min(max - 1, min + maxNameLength)
    return this.loopOf(body, Math.max(min - 1, 0), rounds, isLazy)
  }

  private loopOf(body: Part, min: number, max: number, isLazy: boolean): Loop {
    const least = Math.min(min * body.least, manyCharacters)
    return { ...this.common(least), type: 'loop', body, min, max, isLazy }
  }

  /** A term after a character: the rounds that were begun may end now. */
  moved(term: Term): Term {
    if (term.type !== 'then' || !term.hasMark) return term
    const { part, rest } = term
    term.moved ??= this.prepend(part.type === 'mark' ? part.loop : part, this.moved(rest))
    return term.moved
  }

  /**
   * Reads a pattern as the service uses it.
   * @throws Undecided if the parser does not know the syntax
   */
  read(pattern: string): Term {
    const { alternatives } = parsePattern(pattern)
    const branches = this.branchesOf(alternatives, '')
    const whole = this.prepend(this.groupOf(branches), this.yes)
    const isAnchored = branches.every(([first]) => first?.type === 'edge' && first.kind === 'start')
    return isAnchored ? whole : this.prepend(this.anyText, whole)
  }

  /** Returns one character of each kind that the patterns distinguish. */
  kinds(): string[] {
    const found = new Map<string, string>()
    for (const character of legalCharacters) {
      let key = this.hasWordEdge && isWordCharacter(character) ? 'w' : ''
      for (const set of this.sets.values()) key += set.has(character) ? 1 : 0
      if (!found.has(key)) found.set(key, character)
    }
    return [...found.values()]
  }

  private branchesOf(list: AST.Alternative[], flags: string): Part[][] {
    return list.map(({ elements }) => elements.map((it) => this.partOf(it, flags)))
  }

  private groupOf(branches: Part[][]): Group {
    const least = branches.reduce((found, parts) => Math.min(found, leastOf(parts)), manyCharacters)
    return { ...this.common(least), type: 'group', branches }
  }

  private partOf(element: AST.Element, flags: string): Part {
    switch (element.type) {
      case 'Group': {
        const { add, remove } = element.modifiers ?? {}
        const inner = add?.ignoreCase ? 'i' : remove?.ignoreCase ? '' : flags
        return this.groupOf(this.branchesOf(element.alternatives, inner))
      }
      case 'CapturingGroup':
        return this.groupOf(this.branchesOf(element.alternatives, flags))
      case 'Quantifier': {
        const { min, max, greedy } = element
        return this.loopOf(this.partOf(element.element, flags), min, max, !greedy)
      }
      case 'Backreference': {
        this.hasReference = true
        return { ...this.common(0), type: 'reference', isNegated: isNegated(element) }
      }
      case 'Assertion':
        return this.assertionOf(element, flags)
      case 'Character':
        // The raw text of an octal escape may mean a back-reference elsewhere.
        return this.charactersOf(hexEscape(element.value), flags)
      default:
        return this.charactersOf(element.raw, flags)
    }
  }

  private assertionOf(element: AST.Assertion, flags: string): Part {
    const negate = 'negate' in element && element.negate
    if (!('alternatives' in element)) {
      const { kind } = element
      this.hasWordEdge ||= kind === 'word'
      return { ...this.common(0), type: 'edge', kind, negate }
    }
    const isBehind = element.kind === 'lookbehind'
    const isOuter = this.hasReference
    this.hasReference = false
    // Look-arounds inside come first.
    const branches = this.branchesOf(element.alternatives, flags)
    const { hasReference } = this
    this.hasReference ||= isOuter
    const index = isBehind ? this.looksBehind.length : -1
    const kind = { negate, isBehind, hasReference, index }
    const look: Look = { ...this.common(0), type: 'look', branches, ...kind }
    if (isBehind) this.looksBehind.push(look)
    return look
  }

  private charactersOf(raw: string, flags: string): Characters {
    const key = `${flags}/${raw}`
    const set = this.sets.get(key) ?? new Set(legalCharacters.match(new RegExp(raw, `g${flags}`)))
    this.sets.set(key, set)
    return { ...this.common(1), type: 'characters', set }
  }
}
