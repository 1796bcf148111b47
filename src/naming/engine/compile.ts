import { UndecidedError, tooLarge } from './budget.ts'
import { legalCharacters, maxNameLength } from './legal.ts'
import type { Body, Instruction, Program, Side } from './program.ts'
import { referencedTexts } from './references.ts'
import {
  type Anchor,
  type Branch,
  type CharacterPart,
  type Element,
  elementsOf,
  type LookPart,
  type ReferencePart,
  type RepeatPart,
  type Syntax,
} from './elements.ts'

/**
 * How a program is made. `forward` reads names from the start and `backward` from the end, look-arounds included;
 * `engine` reads them from the start, but look-behinds from the end, as the engine does.
 */
export type Direction = 'forward' | 'backward' | 'engine'

const wordCharacter = /\w/
const maxInstructions = 50_000
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

function mirrored(anchor: Anchor): Anchor {
  if (anchor === 'start') return 'end'
  return anchor === 'end' ? 'start' : anchor
}

/** Whether every match plainly starts at the start of the name. */
function isAnchored(branches: readonly Branch[], backward: boolean): boolean {
  return branches.every(({ elements }) => {
    const outer = backward ? elements.at(-1) : elements[0]
    return outer?.type === 'anchor' && outer.anchor === (backward ? 'end' : 'start')
  })
}

/**
 * Compiles expressions into one program. Counts are exact for names of legal length.
 * @throws UndecidedError when the program gets too large
 */
export function compile(syntaxes: readonly Syntax[], direction: Direction): Program {
  const sets = new Set([legalCharacters.match(/\w/g)?.join('') ?? ''])
  let usesWords = false
  for (const { branches } of syntaxes) {
    for (const element of elementsOf(branches)) {
      if (element.type === 'character') sets.add(element.characters)
      if (element.type === 'anchor' && element.anchor.endsWith('word')) usesWords = true
    }
  }
  const kinds = kindsOf(sets)
  const numbers = kinds.map((_, kind) => kind)
  const known = new Map<string, number[]>()
  const instructions: Instruction[] = [{ op: 'fork', unsure: false, next: [], body: 0 }]
  const bodies: Body[] = []
  const order: number[] = []
  const looks = new Map<LookPart, number>()
  const texts = new Map(syntaxes.flatMap((syntax) => [...referencedTexts(syntax)]))
  let body = 0
  let backward = direction === 'backward'
  let parts = 0

  function emit(instruction: Instruction): number {
    if (instructions.length >= maxInstructions) throw new UndecidedError(tooLarge)
    return instructions.push(instruction) - 1
  }

  function fork(ways: readonly number[], unsure = false): number {
    const next = [...new Set(ways)].filter((way) => way !== dead)
    if (next.length === 0) return dead
    const [only] = next
    if (next.length === 1 && only !== undefined && !unsure) return only
    return emit({ op: 'fork', unsure, next, body })
  }

  /** Emits an instruction that consumes nothing, once for each way on. */
  function each({ still, moved }: Exit, make: (next: number) => number): Exit {
    const first = make(still)
    return { still: first, moved: still === moved ? first : make(moved) }
  }

  function character(kinds: readonly number[], { moved }: Exit): Exit {
    if (kinds.length === 0 || moved === dead) return { still: dead, moved: dead }
    const only = emit({ op: 'character', kinds, next: [moved], body })
    return { still: only, moved: only }
  }

  function kindsIn(set: string): readonly number[] {
    const found =
      known.get(set) ?? numbers.filter((kind) => set.includes(kinds[kind]?.charAt(0) ?? ''))
    known.set(set, found)
    return found
  }

  function sequence({ elements, least }: Branch, exit: Exit, room: number): Exit {
    let next = exit
    for (const element of backward ? elements : elements.toReversed()) {
      next = build(element, next, room - (least - element.least))
    }
    return next
  }

  function branched(branches: readonly Branch[], exit: Exit, room: number): Exit {
    const entries = (direction === 'engine' ? withClasses(branches) : branches)
      .filter(({ least }) => least <= room)
      .map((branch) => sequence(branch, exit, room))
    const still = entries.map((entry) => entry.still)
    const moved = entries.map((entry) => entry.moved)
    const first = fork(still)
    const isSame = still.every((entry, i) => entry === moved[i])
    return { still: first, moved: isSame ? first : fork(moved) }
  }

  /** A loop's fork, whose way into the next round is only known once the round has been built. */
  function loop(round: (again: number) => number, out: number, lazy: boolean): number {
    const next: number[] = []
    const again = emit({ op: 'fork', unsure: false, next, body })
    const entry = round(again)
    next.push(...(lazy ? [out, entry] : [entry, out]).filter((way) => way !== dead))
    return again
  }

  function repeated({ element, min, max, lazy }: RepeatPart, exit: Exit, room: number): Exit {
    const { least } = element
    if (max === 0) return exit
    if (min * least > room) return { still: dead, moved: dead }
    // A name has no room for more rounds than this; of rounds that match nothing, one is enough.
    const most = least === 0 ? room + 1 : Math.floor(room / least)
    const few = Math.min(min, most)
    const inner = room - Math.max(few - 1, 0) * least
    const choice = (round: number, out: number) => fork(lazy ? [out, round] : [round, out])
    function optional({ moved }: Exit): Exit {
      const round = build(element, { still: least === 0 ? dead : moved, moved }, inner).still
      return each(exit, (out) => choice(round, out))
    }
    let next = exit
    let mandatory = few
    if (max >= most) {
      let entry = dead
      const moved = loop(
        (again) => {
          entry = build(element, { still: least === 0 ? dead : again, moved: again }, inner).still
          return entry
        },
        exit.moved,
        lazy,
      )
      next = { still: exit.still === exit.moved ? moved : choice(entry, exit.still), moved }
      if (least > 0 && few > 0) {
        // The last mandatory round is the first one of the loop.
        mandatory--
        next = { still: entry, moved: entry }
      }
    } else {
      for (let round = max; round > few; round--) next = optional(next)
    }
    for (let round = 0; round < mandatory; round++) next = build(element, next, inner)
    return next
  }

  function look(part: LookPart, exit: Exit): Exit {
    const index =
      looks.get(part) ?? bodyOf(part.branches, part.behind !== (direction === 'backward'))
    looks.set(part, index)
    return each(exit, (next) =>
      next === dead
        ? dead
        : emit({ op: 'look', inner: index, negate: part.negate, next: [next], body }),
    )
  }

  function bodyOf(branches: readonly Branch[], behind: boolean, isMain = false): number {
    const [outerBody, outerBackward] = [body, backward]
    const here: Body = { entry: dead, fixed: dead, end: dead, behind }
    body = bodies.push(here) - 1
    if (direction === 'engine') backward = behind
    here.end = emit({ op: 'end', next: [], body })
    const { still } = branched(branches, { still: here.end, moved: here.end }, maxNameLength)
    here.fixed = still
    // A match may start anywhere: from the start on, each place is tried in turn.
    here.entry =
      isMain && !isAnchored(branches, backward)
        ? loop((again) => character(numbers, { still: again, moved: again }).still, still, true)
        : still
    const index = body
    order.push(index)
    body = outerBody
    backward = outerBackward
    return index
  }

  /** The texts that a back-reference can match, only one of which it does. */
  function referred(part: ReferencePart, exit: Exit, room: number): Exit {
    const text = texts.get(part)
    const { still, moved } = text ? build(text, exit, room) : exit
    const first = fork([still], true)
    return { still: first, moved: still === moved ? first : fork([moved], true) }
  }

  function build(element: Element, exit: Exit, room: number): Exit {
    if (++parts > maxInstructions) throw new UndecidedError(tooLarge)
    if (element.least > room) return { still: dead, moved: dead }
    switch (element.type) {
      case 'character':
        return character(kindsIn(element.characters), exit)
      case 'group':
        return branched(element.branches, exit, room)
      case 'look':
        return look(element, exit)
      case 'anchor': {
        const anchor = direction === 'backward' ? mirrored(element.anchor) : element.anchor
        return each(exit, (next) => emit({ op: 'anchor', anchor, next: [next], body }))
      }
      case 'repeat':
        return repeated(element, exit, room)
      case 'reference':
        return referred(element, exit, room)
    }
  }

  const mains = syntaxes.map(({ branches }) => bodyOf(branches, false, true))
  const sides = kinds.map((kind): Side => (wordCharacter.test(kind) ? 'word' : 'other'))
  return { instructions, bodies, order, mains, kinds, sides, usesWords }
}
