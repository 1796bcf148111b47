import type { Anchor } from './elements.ts'

/** One side of a place in a name: nothing, a word character, or another one. */
export type Side = 'edge' | 'word' | 'other'

/** One step of a matcher; `next` are indices into the instructions of the program. */
export type Instruction = (
  | { op: 'character'; kinds: readonly number[]; next: readonly [number] }
  /** Tries its ways in turn. An `unsure` fork precedes a back-reference, which matches only some of what its ways match. */
  | { op: 'fork'; unsure: boolean; next: readonly number[] }
  | { op: 'anchor'; anchor: Anchor; next: readonly [number] }
  | { op: 'look'; inner: number; negate: boolean; next: readonly [number] }
  | { op: 'end'; next: readonly [] }
) & { body: number }

/** An expression, or the inside of a look-around. */
export interface Body {
  entry: number
  /** Its `end` instruction. */
  end: number
  /** Whether the text before a place is matched: only inside a look-behind. */
  behind: boolean
}

/**
 * Expressions as a matcher runs them, with the characters of legal names alone. Loops without an instruction that
 * consumes a character are cut as the engine cuts them: a round that matches nothing fails.
 */
export interface Program {
  instructions: readonly Instruction[]
  bodies: readonly Body[]
  /** The bodies, each one after the bodies of the look-arounds inside it. */
  order: readonly number[]
  /** The bodies of the expressions themselves. */
  mains: readonly number[]
  /** Characters that no instruction distinguishes: the characters of each kind. */
  kinds: readonly string[]
  /** The side that a character of each kind is, if the program has word boundaries; otherwise all are `other`. */
  sides: readonly Side[]
}

/** The instructions that an engine reaches from one without consuming a character, those inside a look-ahead included. */
export function freeWays({ bodies }: Program, it: Instruction): readonly number[] {
  if (it.op === 'character') return []
  const inner = it.op === 'look' ? bodies[it.inner] : undefined
  return inner && !inner.behind ? [inner.entry, ...it.next] : it.next
}

export interface Backlinks {
  /** The instructions that lead to each one without consuming a character. */
  free: number[][]
  /** The character instructions that lead to each one. */
  consuming: number[][]
}

/** The links of a program in the opposite direction. */
export function backlinksOf({ instructions }: Program): Backlinks {
  const free: number[][] = instructions.map(() => [])
  const consuming: number[][] = instructions.map(() => [])
  for (const [at, { op, next }] of instructions.entries()) {
    for (const to of next) (op === 'character' ? consuming : free)[to]?.push(at)
  }
  return { free, consuming }
}

/** Whether an anchor holds between these sides. */
export function holds(anchor: Anchor, before: Side, after: Side): boolean {
  if (anchor === 'start') return before === 'edge'
  if (anchor === 'end') return after === 'edge'
  return ((before === 'word') !== (after === 'word')) === (anchor === 'word')
}
