import { UndecidedError, tooLarge } from './budget.ts'
import { legalCharacters, maxNameLength } from '../../input/flag-names.ts'
import type { Body, Instruction, Program, Side } from './program.ts'
import {
  type Anchor,
  type Branch,
  type CharacterPart,
  type Element,
  elementsOf,
  type LookPart,
  type RepeatPart,
  type SyntaxTree,
} from './elements.ts'

/**
 * How a program is made. `forward` reads names from the start and `backward` from the end, look-arounds included;
 * `engine` reads them from the start, but look-behinds from the end, as the engine does.
 */
type Direction = 'forward' | 'backward' | 'engine'

const isWord = /\w/
const maxInstructions = 50_000
// The first instruction: a fork without ways, so it never matches.
const dead = 0

/** The kinds of characters that sets distinguish; kinds in the first set come first. */
function kindsOf(sets: Iterable<string>): string[] {
  const members = Array.from(sets, (set) => new Set(set))
  const kinds = new Map<string, string>()
  for (const character of legalCharacters) {
    const key = members.map((set) => (set.has(character) ? 0 : 1)).join('')
    kinds.set(key, (kinds.get(key) ?? '') + character)
  }
  return [...kinds.keys()].sort().map((key) => kinds.get(key) ?? '')
}

function literalOf({ elements: [element, ...others] }: Branch): CharacterPart | undefined {
  if (element?.type !== 'character' || element.literal === undefined) return undefined
  return others.length === 0 ? element : undefined
}

/** Three or more branches as V8 compiles them: adjacent single characters become a class. */
function withClasses(branches: readonly Branch[]): readonly Branch[] {
  if (branches.length < 3) return branches
  const result: Branch[] = []
  for (const branch of branches) {
    const last = result.at(-1)
    const before = last && literalOf(last)
    const literal = literalOf(branch)
    if (!last || !before || !literal) {
      result.push(branch)
      continue
    }
    const characters = before.characters + literal.characters
    result.splice(-1, 1, { ...last, elements: [{ ...before, characters }] })
  }
  return result
}

/** The next instruction if the current round of a loop has consumed nothing yet (`still`) or something (`moved`). */
interface Exit {
  still: number
  moved: number
}

const impossible: Exit = { still: dead, moved: dead }

function always(next: number): Exit {
  return { still: next, moved: next }
}

/** Makes an instruction that consumes nothing, once for each way on. */
function each({ still, moved }: Exit, make: (next: number) => number): Exit {
  const first = make(still)
  return { still: first, moved: still === moved ? first : make(moved) }
}

function mirrored(anchor: Anchor): Anchor {
  if (anchor === 'start') return 'end'
  return anchor === 'end' ? 'start' : anchor
}

/** Whether an anchor of each branch binds every match to the start of the name. */
function isAnchored(branches: readonly Branch[], backward: boolean): boolean {
  return branches.every(({ elements }) => {
    const outer = backward ? elements.at(-1) : elements[0]
    return outer?.type === 'anchor' && outer.anchor === (backward ? 'end' : 'start')
  })
}

/** The instructions of a program that is being compiled. */
class Compiler {
  readonly instructions: Instruction[] = [{ op: 'fork', unsure: false, next: [], body: 0 }]
  readonly bodies: Body[] = []
  readonly order: number[] = []
  private readonly looks = new Map<LookPart, number>()
  private readonly direction: Direction
  private readonly kinds: readonly string[]
  private readonly numbers: readonly number[]
  private body = 0
  private backward: boolean
  private parts = 0

  constructor(direction: Direction, kinds: readonly string[]) {
    this.direction = direction
    this.kinds = kinds
    this.numbers = kinds.map((_, kind) => kind)
    this.backward = direction === 'backward'
  }

  private emit(instruction: Instruction): number {
    if (this.instructions.length >= maxInstructions) throw new UndecidedError(tooLarge)
    return this.instructions.push(instruction) - 1
  }

  private fork(ways: readonly number[], unsure = false): number {
    const next = [...new Set(ways)].filter((way) => way !== dead)
    const [only] = next
    if (only === undefined) return dead
    if (next.length === 1 && !unsure) return only
    return this.emit({ op: 'fork', unsure, next, body: this.body })
  }

  private character(kinds: readonly number[], { moved }: Exit): Exit {
    if (kinds.length === 0 || moved === dead) return impossible
    return always(this.emit({ op: 'character', kinds, next: [moved], body: this.body }))
  }

  private kindsIn(set: string): readonly number[] {
    return this.numbers.filter((kind) => set.includes(this.kinds[kind]?.charAt(0) ?? ''))
  }

  private sequence({ elements, least }: Branch, exit: Exit, room: number): Exit {
    let next = exit
    for (const element of this.backward ? elements : elements.toReversed()) {
      next = this.build(element, next, room - (least - element.least))
    }
    return next
  }

  private branched(branches: readonly Branch[], exit: Exit, room: number): Exit {
    const entries = (this.direction === 'engine' ? withClasses(branches) : branches)
      .filter(({ least }) => least <= room)
      .map((branch) => this.sequence(branch, exit, room))
    const still = this.fork(entries.map((entry) => entry.still))
    const isSame = entries.every((entry) => entry.still === entry.moved)
    return { still, moved: isSame ? still : this.fork(entries.map((entry) => entry.moved)) }
  }

  /** A loop's fork, whose way into the next round is only known once the round has been built. */
  private loop(round: (again: number) => number, out: number, lazy: boolean): number {
    const next: number[] = []
    const again = this.emit({ op: 'fork', unsure: false, next, body: this.body })
    const entry = round(again)
    next.push(...(lazy ? [out, entry] : [entry, out]).filter((way) => way !== dead))
    return again
  }

  private choice(lazy: boolean, round: number, out: number): number {
    return this.fork(lazy ? [out, round] : [round, out])
  }

  private repeated(part: RepeatPart, exit: Exit, room: number): Exit {
    const { element, min, max } = part
    const { least } = element
    if (max === 0) return exit
    if (min * least > room) return impossible
    // A name has no room for more rounds than this; of rounds that match nothing, one is enough.
    const most = least === 0 ? room + 1 : Math.floor(room / least)
    const few = Math.min(min, most)
    const inner = room - Math.max(few - 1, 0) * least
    let next = exit
    let rounds = few
    if (max < most) {
      for (let round = max; round > few; round--) next = this.optional(part, exit, next, inner)
    } else if (least > 0 && few > 0) {
      // The last mandatory round is the first one of the loop.
      next = always(this.endless(part, exit, inner).round)
      rounds--
    } else next = this.endless(part, exit, inner).next
    for (let round = 0; round < rounds; round++) next = this.build(element, next, inner)
    return next
  }

  /** The entry of a round without which a repetition may go on at `exit`, and after which it goes on at `next`. */
  private optional({ element, lazy }: RepeatPart, exit: Exit, next: Exit, room: number): Exit {
    const still = element.least === 0 ? dead : next.moved
    const round = this.build(element, { still, moved: next.moved }, room).still
    return each(exit, (out) => this.choice(lazy, round, out))
  }

  /** The entries of a repetition without limit: of a mandatory round, and of any number of rounds. */
  private endless({ element, lazy }: RepeatPart, exit: Exit, room: number) {
    let round = dead
    const build = (again: number) => {
      const still = element.least === 0 ? dead : again
      round = this.build(element, { still, moved: again }, room).still
      return round
    }
    const moved = this.loop(build, exit.moved, lazy)
    const still = exit.still === exit.moved ? moved : this.choice(lazy, round, exit.still)
    return { round, next: { still, moved } }
  }

  private look(part: LookPart, exit: Exit): Exit {
    const { branches, behind, negate } = part
    const inner =
      this.looks.get(part) ?? this.bodyOf(branches, behind !== (this.direction === 'backward'))
    this.looks.set(part, inner)
    return each(exit, (next) =>
      next === dead
        ? dead
        : this.emit({ op: 'look', inner, negate, next: [next], body: this.body }),
    )
  }

  bodyOf(branches: readonly Branch[], behind: boolean, isMain = false): number {
    const { body, backward } = this
    const here: Body = { entry: dead, end: dead, behind }
    const index = this.bodies.push(here) - 1
    this.body = index
    if (this.direction === 'engine') this.backward = behind
    here.end = this.emit({ op: 'end', next: [], body: index })
    const entry = this.branched(branches, always(here.end), maxNameLength).still
    // A match may start anywhere: from the start on, each place is tried in turn.
    const anywhere = (again: number) => this.character(this.numbers, always(again)).still
    const isFree = isMain && !isAnchored(branches, this.backward)
    here.entry = isFree ? this.loop(anywhere, entry, true) : entry
    this.order.push(index)
    this.body = body
    this.backward = backward
    return index
  }

  private build(element: Element, exit: Exit, room: number): Exit {
    if (++this.parts > maxInstructions) throw new UndecidedError(tooLarge)
    if (element.least > room) return impossible
    switch (element.type) {
      case 'character':
        return this.character(this.kindsIn(element.characters), exit)
      case 'group':
        return this.branched(element.branches, exit, room)
      case 'look':
        return this.look(element, exit)
      case 'anchor': {
        const anchor = this.direction === 'backward' ? mirrored(element.anchor) : element.anchor
        return each(exit, (next) =>
          this.emit({ op: 'anchor', anchor, next: [next], body: this.body }),
        )
      }
      case 'repeat':
        return this.repeated(element, exit, room)
      case 'reference':
        // A back-reference matches only one of these texts.
        return each(this.build(element.text, exit, room), (next) => this.fork([next], true))
    }
  }
}

/**
 * Compiles expressions into one program. Counts are exact for names of legal length.
 * @throws UndecidedError when the program gets too large
 */
export function compile(syntaxes: readonly SyntaxTree[], direction: Direction): Program {
  const elements = syntaxes.flatMap(({ branches }) => elementsOf(branches))
  const sets = elements.flatMap((it) => (it.type === 'character' ? it.characters : []))
  // A set of all word characters, so that no kind mixes them with others: word boundaries distinguish them.
  const kinds = kindsOf(new Set([legalCharacters.replace(/\W/g, ''), ...sets]))
  const compiler = new Compiler(direction, kinds)
  const mains = syntaxes.map(({ branches }) => compiler.bodyOf(branches, false, true))
  const { instructions, bodies, order } = compiler
  const usesWords = elements.some((it) => it.type === 'anchor' && it.anchor.endsWith('word'))
  const sides = kinds.map((kind): Side => (usesWords && isWord.test(kind) ? 'word' : 'other'))
  return { instructions, bodies, order, mains, kinds, sides }
}
