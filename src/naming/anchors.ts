import { type CharSet, NFA, type TransitionIterator } from 'refa'
import { legal, markersOf, other, word } from './alphabet.ts'

type Side = 'edge' | 'word' | 'other'

/** A place in a name, by what stands before and after it. */
interface Gap {
  before: Side
  after: Side
}

const sides: readonly Side[] = ['edge', 'word', 'other']
const gaps = sides.flatMap((before) => sides.map((after): Gap => ({ before, after })))
const letters = { edge: undefined, word, other }
// Any place at the edge: what comes after is not chosen yet.
const beginning: Gap = { before: 'edge', after: 'edge' }

/** The anchors that hold at a place. */
function holding({ before, after }: Gap): CharSet {
  const boundary = (before === 'word') !== (after === 'word')
  return markersOf(
    boundary ? 'word' : 'no word',
    ...(before === 'edge' ? ['start'] : []),
    ...(after === 'edge' ? ['end'] : []),
  )
}

function gapsAfter(before: Side): Gap[] {
  return gaps.filter((gap) => gap.before === before)
}

function stepsFrom(gap: Gap): [Gap, CharSet][] {
  const letter = letters[gap.after]
  const onward = letter ? gapsAfter(gap.after).map((next): [Gap, CharSet] => [next, letter]) : []
  return [[gap, holding(gap)], ...onward]
}

/** Accepts the strings of legal characters in which every marker stands where its anchor holds. */
export const wellAnchored: TransitionIterator<Gap> = {
  initial: beginning,
  getOut(from) {
    const out = new Map<Gap, CharSet>()
    for (const gap of from === beginning ? gapsAfter('edge') : [from]) {
      for (const [to, via] of stepsFrom(gap)) out.set(to, out.get(to)?.union(via) ?? via)
    }
    return out
  },
  isFinal: ({ after }) => after === 'edge',
}

/** The same strings without their markers. */
export function withoutMarkers(marked: NFA, nodes: NFA.LimitedNodeFactory): NFA {
  function reachable(from: NFA.ReadonlyNode): Set<NFA.ReadonlyNode> {
    const found = new Set([from])
    for (const node of found) {
      for (const [to, via] of node.out) if (!via.isSubsetOf(legal)) found.add(to)
    }
    return found
  }
  const finals: ReadonlySet<NFA.ReadonlyNode> = marked.finals
  const iterator: TransitionIterator<NFA.ReadonlyNode> = {
    initial: marked.initial,
    getOut(from) {
      const out = new Map<NFA.ReadonlyNode, CharSet>()
      for (const node of reachable(from)) {
        for (const [to, via] of node.out) {
          const letters = via.intersect(legal)
          if (!letters.isEmpty) out.set(to, out.get(to)?.union(letters) ?? letters)
        }
      }
      return out
    },
    isFinal: (from) => [...reachable(from)].some((node) => finals.has(node)),
  }
  return NFA.fromTransitionIterator(iterator, marked, nodes)
}
