import type { AST } from '@eslint-community/regexpp'
import { CharSet } from 'refa'
import { legalOf, maxCharacter } from './alphabet.ts'
import { maxNameLength } from './legal.ts'
import { OutOfReach } from './limit.ts'

/** In how many ways each position can be reached. */
export type Ways = Map<number, number>

/** One character of an expression, as an engine meets it. */
export interface Position {
  characters: CharSet
  /** The positions that may come next. */
  next: Ways
}

/** A part of an expression: where it can start and end, and in how many ways it matches the empty text. */
interface Part {
  first: Ways
  last: Ways
  emptyWays: number
}

const maxPositions = 20_000

function emptyPart(emptyWays: number): Part {
  return { first: new Map(), last: new Map(), emptyWays }
}

/** Adds ways, so many times each. */
function add(ways: Ways, more: Ways, times = 1): Ways {
  for (const [position, count] of times === 0 ? [] : more) {
    ways.set(position, (ways.get(position) ?? 0) + count * times)
  }
  return ways
}

/**
 * The positions of an expression; the first one stands before its start. An engine has no more ways through them than
 * they tell; anchors are taken to hold everywhere.
 * @throws OutOfReach for look-around, back-references, repetitions of what may be empty, and too many positions
 */
export function positionsOf({ alternatives }: AST.Pattern): Position[] {
  const start = CharSet.empty(maxCharacter)
  const positions: Position[] = [{ characters: start, next: new Map() }]

  function link(last: Ways, first: Ways): void {
    for (const [from, ways] of last) add(positions[from]?.next ?? new Map(), first, ways)
  }

  function character(characters: CharSet): Part {
    if (positions.length > maxPositions) throw new OutOfReach('it has too many positions')
    const self = positions.push({ characters, next: new Map() }) - 1
    return { first: new Map([[self, 1]]), last: new Map([[self, 1]]), emptyWays: 0 }
  }

  function inTurn(left: Part, right: Part): Part {
    link(left.last, right.first)
    return {
      first: add(left.first, right.first, left.emptyWays),
      last: add(right.last, left.last, right.emptyWays),
      emptyWays: left.emptyWays * right.emptyWays,
    }
  }

  function oneOf(branches: readonly AST.Alternative[]): Part {
    const total = emptyPart(0)
    for (const { elements } of branches) {
      const part = elements.map(partOf).reduce(inTurn, emptyPart(1))
      add(total.first, part.first)
      add(total.last, part.last)
      total.emptyWays += part.emptyWays
    }
    return total
  }

  /** Round after round; no name has room for more rounds than characters. */
  function repeated({ element, min, max }: AST.Quantifier): Part {
    const total = emptyPart(min === 0 ? 1 : 0)
    const rounds = Math.min(max === Infinity ? Math.max(min, 1) : max, maxNameLength + 1)
    let before: Part | undefined
    for (let round = 1; round <= rounds; round++) {
      const part = partOf(element)
      if (part.emptyWays > 0 && max > 1) throw new OutOfReach('it repeats what may be empty')
      total.emptyWays += round >= min ? part.emptyWays : 0
      if (before) link(before.last, part.first)
      else add(total.first, part.first)
      if (max === Infinity && round === rounds) link(part.last, part.first)
      if (round >= min) add(total.last, part.last)
      before = part
    }
    return total
  }

  function partOf(element: AST.Element): Part {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return oneOf(element.alternatives)
      case 'Quantifier':
        return repeated(element)
      case 'Assertion':
        if ('alternatives' in element) throw new OutOfReach('it uses a look-around')
        return emptyPart(1)
      case 'Backreference':
        throw new OutOfReach('it uses a back-reference')
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
        return character(legalOf(element))
      case 'ExpressionCharacterClass':
        throw new OutOfReach('it uses sets of strings')
    }
  }

  link(new Map([[0, 1]]), oneOf(alternatives).first)
  return positions
}
