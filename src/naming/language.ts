import {
  CharSet,
  FAIterators,
  getIntersectionIterator,
  type TransitionIterable,
  type TransitionIterator,
  Words,
} from 'refa'
import { legal, maxCharacter } from './alphabet.ts'
import { automatonOf, nodeLimit, type Reading } from './automaton.ts'
import { maxNameLength } from './legal.ts'

/** A state is the map of its own exits. */
export type State = FAIterators.MapFABuilderNode

/**
 * A set of flag names as an automaton that grows while it is walked. It may hold names over the length limit too.
 * Walking it throws refa's `TooManyNodesError` when it grows too large.
 */
export type Language = TransitionIterable<State>

function languageOf(iterator: TransitionIterator<State>): Language {
  return { maxCharacter, transitionIterator: () => iterator }
}

/** The names that both languages hold. */
export function both(left: Language, right: Language): Language {
  return languageOf(getIntersectionIterator(left, right, nodeLimit))
}

function deterministic({ transitionIterator }: Language): TransitionIterator<State> {
  const builder = new FAIterators.MapFABuilder(nodeLimit)
  return FAIterators.makeDeterministic(builder, transitionIterator())
}

function complement(language: Language): Language {
  const { initial, getOut, isFinal } = deterministic(language)
  const rest: State = new Map()
  rest.set(rest, legal)
  return languageOf({
    initial,
    getOut(state) {
      if (state === rest) return rest
      const out = getOut(state)
      const missing = legal.without(CharSet.empty(maxCharacter).union(...out.values()))
      return missing.isEmpty ? out : new Map(out).set(rest, missing)
    },
    isFinal: (state) => state === rest || !isFinal(state),
  })
}

/** The names that the left language holds and the right one does not. */
export function without(left: Language, right: Language): Language {
  // Two deterministic automata have far fewer common states than one that is not: alike, no more than one of them.
  return both(languageOf(deterministic(left)), complement(right))
}

// Everything but the empty name, "." and "..".
const shape = '^(?:[^.]|\\.[^.]|\\.\\..)[^]*$'

/** The legal names in which a regular expression finds a match, whatever their length. */
export function names(source: string, reading: Reading): Language {
  const left = automatonOf(source, reading)
  return languageOf(getIntersectionIterator(left, automatonOf(shape, 'exact'), nodeLimit))
}

/** Whether a language holds no name of at most `most` characters. */
export function isEmpty(language: Language, most = maxNameLength): boolean {
  const { initial, getOut, isFinal } = language.transitionIterator()
  const seen = new Set([initial])
  let level = [initial]
  for (let length = 0; length <= most && level.length > 0; length++) {
    if (level.some(isFinal)) return false
    const reached = new Set(level.flatMap((state) => [...getOut(state).keys()]))
    level = [...reached].filter((state) => !seen.has(state))
    for (const state of level) seen.add(state)
  }
  return true
}

/** A shortest name of a language; undefined when there is none, or none that is legal. */
export function shortestName(language: Language): string | undefined {
  const set = FAIterators.shortestWordSet(language.transitionIterator())
  if (!set || set.length > maxNameLength) return undefined
  return Words.fromUTF16ToString(Words.pickMostReadableWord(set))
}
