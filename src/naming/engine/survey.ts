import { type LookBehindState, lookBehindStates } from './look-behind.ts'
import { type Budget, UndecidedError, tooLong } from './budget.ts'
import { backlinksOf, createEvaluation } from './evaluation.ts'
import { maxNameLength } from './legal.ts'
import { holds, type Program, type Side } from './program.ts'

/** Which expressions of a program match the rest of a name, read from its end. */
export interface State {
  /** The expressions that match if the name starts here, as bits; undefined if no name can. */
  verdict: number | undefined
  /** The characters of the shortest rest. */
  length: number
}

/** A transition between states, in the direction in which the program reads. */
interface Edge {
  from: State
  to: State
  /** Characters that lead there. */
  characters: string
}

/** The explored part of an automaton of the names of legal length, with the verdicts of all expressions. */
export interface Survey {
  states: readonly State[]
  edges: readonly Edge[]
  /** The states at which a name ends, as the program reads. */
  ends: ReadonlySet<State>
  verdicts: ReadonlySet<number>
  isComplete: boolean
}

interface Open extends State {
  /** The instructions that match the next character of the rest, and all of it. */
  matching: readonly number[]
  after: Side
  lookBehind: LookBehindState
}

/** Explores the verdicts of a program's expressions on all names of legal length, within the budget. */
export async function survey(program: Program, budget: Budget): Promise<Survey> {
  const { instructions, bodies, kinds, sides, usesWords, mains } = program
  const backlinks = backlinksOf(program)
  const evaluation = createEvaluation<Open>(program, backlinks, (it, state, before, matches) => {
    if (it.op === 'anchor') return holds(it.anchor, before, state.after)
    if (it.op !== 'look') return true
    const isBehind = bodies[it.inner]?.behind
    return (isBehind ? state.lookBehind.matching[state.after].has(it.inner) : matches) !== it.negate
  })
  const states: Open[] = []
  const edges: Edge[] = []
  const verdicts = new Set<number>()
  const known = new Map<LookBehindState, Map<string, Open>>()
  const marks = new Uint16Array(Math.ceil(instructions.length / 16))

  function keyOf(matching: readonly number[], after: Side): string {
    for (const at of matching) marks[at >> 4] = (marks[at >> 4] ?? 0) | (1 << (at & 15))
    let key = after
    for (let i = 0; i < marks.length; i += 4096) {
      key += String.fromCharCode(...marks.subarray(i, i + 4096))
    }
    for (const at of matching) marks[at >> 4] = 0
    return key
  }

  function open(
    matching: readonly number[],
    key: string,
    after: Side,
    lookBehind: LookBehindState,
    length: number,
  ) {
    const siblings = known.get(lookBehind) ?? new Map<string, Open>()
    known.set(lookBehind, siblings)
    const found = siblings.get(key)
    if (found) return found
    const created: Open = { matching, after, lookBehind, length, verdict: undefined }
    siblings.set(key, created)
    states.push(created)
    return created
  }

  function verdictOf(state: Open): number {
    evaluation.run(state.matching, state, 'edge')
    return mains.reduce(
      (bits, body, i) => bits | (evaluation.isTrue(bodies[body]?.entry ?? 0) ? 1 << i : 0),
      0,
    )
  }

  /** The instructions that match once a character of each kind is put before the rest. */
  function longer(state: Open, before: Side) {
    const matching: number[][] = kinds.map(() => [])
    const found = evaluation.run(state.matching, state, before)
    for (const to of found) {
      for (const at of backlinks.consuming[to] ?? []) {
        const it = instructions[at]
        if (it?.op !== 'character') continue
        for (const kind of it.kinds)
          if (!usesWords || sides[kind] === before) matching[kind]?.push(at)
      }
    }
    return { matching, steps: 2 * found.length }
  }

  const lookBehinds = await lookBehindStates(program, budget)
  const [start] = lookBehinds
  const none = keyOf([], 'edge')
  for (const lookBehind of lookBehinds) open([], none, 'edge', lookBehind, 0)
  const ends = new Set<State>(states)
  const befores: readonly Side[] = usesWords ? ['word', 'other'] : ['other']

  async function explore(): Promise<void> {
    for (const state of states) {
      if (state.lookBehind === start) {
        state.verdict = verdictOf(state)
        verdicts.add(state.verdict)
      }
      if (state.length === maxNameLength) continue
      let steps = marks.length
      for (const before of befores) {
        const { matching, ...work } = longer(state, before)
        steps += work.steps
        for (const [kind, characters] of kinds.entries()) {
          const side = sides[kind] ?? 'other'
          if (usesWords && side !== before) continue
          const after = usesWords ? side : 'other'
          const next = matching[kind] ?? []
          const key = keyOf(next, after)
          steps += next.length + marks.length + 10
          for (const lookBehind of state.lookBehind.from[kind] ?? []) {
            const from = open(next, key, after, lookBehind, state.length + 1)
            edges.push({ from, to: state, characters })
          }
        }
      }
      await budget.spend(steps)
    }
  }

  let isComplete = true
  try {
    await explore()
  } catch (error) {
    if (!(error instanceof UndecidedError) || error.message !== tooLong) throw error
    isComplete = false
  }
  return { states, edges, ends, verdicts, isComplete }
}
