import { CharBase, type CharSet } from 'refa'
import { maxNameLength } from './legal.ts'
import type { Position, Ways } from './positions.ts'

const maxWays = 10_000
const maxBeginnings = 2_000

/** Characters that no position tells apart, and one of them. */
interface Kind {
  characters: CharSet
  text: string
}

function kindsOf(positions: readonly Position[]): Kind[] {
  const { sets } = new CharBase(positions.map(({ characters }) => characters))
  return sets.map((characters) => {
    const [first] = characters.characters()
    return { characters, text: String.fromCharCode(first ?? 0) }
  })
}

/** The positions at which an engine can be after one more character. */
function advance(positions: readonly Position[], ways: Ways, { characters }: Kind): Ways {
  const reached: Ways = new Map()
  for (const [from, count] of ways) {
    for (const [to, each] of positions[from]?.next ?? []) {
      if (!positions[to]?.characters.isSupersetOf(characters)) continue
      reached.set(to, (reached.get(to) ?? 0) + count * each)
    }
  }
  return reached
}

function total(ways: Ways): number {
  return [...ways.values()].reduce((a, b) => a + b, 0)
}

function keyOf(ways: Ways): string {
  return [...ways].sort(([a], [b]) => a - b).join(' ')
}

const start: Ways = new Map([[0, 1]])

/**
 * Whether there are so few ways in which an engine can match any beginning of a name that trying them all is quick.
 * False when that is not found out soon.
 */
export function hasFewWays(positions: readonly Position[]): boolean {
  const kinds = kindsOf(positions)
  const seen = new Set<string>()
  let beginnings = [start]
  for (let length = 0; length < maxNameLength && beginnings.length > 0; length++) {
    const longer = beginnings.flatMap((ways) => kinds.map((kind) => advance(positions, ways, kind)))
    if (longer.some((ways) => total(ways) > maxWays)) return false
    beginnings = longer.filter(
      (ways) => ways.size > 0 && !seen.has(keyOf(ways)) && seen.add(keyOf(ways)),
    )
    if (seen.size > maxBeginnings) return false
  }
  return true
}

/** A beginning of a name, nearly as long as one may be, that an engine can match in as many ways as possible. */
export function heaviestBeginning(positions: readonly Position[]): string {
  const kinds = kindsOf(positions)
  let text = ''
  let ways = start
  while (text.length < maxNameLength - 1) {
    const choices = kinds.map((kind) => ({ kind, ways: advance(positions, ways, kind) }))
    const [best] = choices.sort((a, b) => total(b.ways) - total(a.ways))
    if (!best || best.ways.size === 0) break
    text += best.kind.text
    ways = best.ways
  }
  return text
}
