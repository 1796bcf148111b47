import type { AST } from '@eslint-community/regexpp'
import { CharSet } from 'refa'
import { legalOf, maxCharacter } from './alphabet.ts'
import { OutOfReach } from './limit.ts'

/** How often, for each position. */
export type Counts = ReadonlyMap<number, number>

/** One character of an expression, as an engine meets it. */
export interface Position {
  characters: CharSet
  /** The positions that may come next, and in how many ways each. */
  next: Counts
}

interface Part {
  first: Counts
  last: Counts
  /** In how many ways it matches the empty text. */
  emptyWays: number
}

const empty: Part = { first: new Map(), last: new Map(), emptyWays: 1 }
const impossible: Part = { ...empty, emptyWays: 0 }

export function sum(left: Counts, right: Counts, times = 1): Counts {
  const total = new Map(left)
  if (times === 0) return total
  for (const [position, count] of right) {
    total.set(position, (total.get(position) ?? 0) + count * times)
  }
  return total
}

/**
 * The positions of an expression; the first one stands before its start. An engine never has more ways through them
 * than they tell: counted repetitions are taken for endless ones, and anchors hold everywhere.
 * @throws OutOfReach for look-around, back-references, and repetitions of what may be empty
 */
export function positionsOf({ alternatives }: AST.Pattern): Position[] {
  const nowhere = CharSet.empty(maxCharacter)
  const positions: Position[] = [{ characters: nowhere, next: new Map() }]

  function link(last: Counts, first: Counts): void {
    for (const [from, ways] of last) {
      const position = positions[from]
      if (position) position.next = sum(position.next, first, ways)
    }
  }

  function character(characters: CharSet): Part {
    positions.push({ characters, next: new Map() })
    const self = new Map([[positions.length - 1, 1]])
    return { first: self, last: self, emptyWays: 0 }
  }

  function inTurn(left: Part, right: Part): Part {
    link(left.last, right.first)
    return {
      first: sum(left.first, right.first, left.emptyWays),
      last: sum(right.last, left.last, right.emptyWays),
      emptyWays: left.emptyWays * right.emptyWays,
    }
  }

  function oneOf(branches: readonly AST.Alternative[]): Part {
    const parts = branches.map(({ elements }) => elements.map(partOf).reduce(inTurn, empty))
    return parts.reduce((left, right) => ({
      first: sum(left.first, right.first),
      last: sum(left.last, right.last),
      emptyWays: left.emptyWays + right.emptyWays,
    }), impossible)
  }

  function repeated({ element, min, max }: AST.Quantifier): Part {
    const part = max === 0 ? empty : partOf(element)
    if (max > 1) {
      if (part.emptyWays > 0) throw new OutOfReach('it repeats what may be empty')
      link(part.last, part.first)
    }
    return min === 0 && max > 0 ? { ...part, emptyWays: part.emptyWays + 1 } : part
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
        return empty
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
