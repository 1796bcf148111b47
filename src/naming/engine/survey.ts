import { type LookBehindState, lookBehindStates } from './look-behind.ts'
import { type Budget, orElse } from './budget.ts'
import type { Exit } from './deterministic.ts'
import { maxNameLength } from '../../input/flag-names.ts'
import type { Program, Side } from './program.ts'
import { Reader, type Rest } from './reader.ts'

/** Which expressions of a program match the rest of a name, read from its end. */
export interface State {
  /** The expressions that match if the name starts here, as bits; undefined if no name can. */
  verdict: number | undefined
  /** The characters of the shortest rest. */
  length: number
}

/** A transition between states, in the direction in which the program reads. */
export interface Edge extends Exit<State> {
  from: State
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

interface Open extends State, Rest {}

/** The states of a survey, each once. */
class States {
  readonly all: Open[] = []
  private readonly known = new Map<LookBehindState, Map<string, Open>>()
  private readonly marks: Uint16Array

  /** @param size the number of instructions */
  constructor(size: number) {
    this.marks = new Uint16Array(Math.ceil(size / 16))
  }

  get keySteps(): number {
    return this.marks.length
  }

  /** A short text that differs for different instructions or sides. */
  keyOf(matching: readonly number[], after: Side): string {
    const { marks } = this
    // One bit for each instruction, 16 in each character, because a key is made for every edge.
    for (const at of matching) marks[at >> 4] = (marks[at >> 4] ?? 0) | (1 << (at & 15))
    let key = after
    // String.fromCharCode takes a limited number of arguments.
    for (let i = 0; i < marks.length; i += 4096) {
      key += String.fromCharCode(...marks.subarray(i, i + 4096))
    }
    for (const at of matching) marks[at >> 4] = 0
    return key
  }

  /** The state with this key and these look-behinds, which is new if it is not known. */
  open(key: string, state: Omit<Open, 'verdict'>): Open {
    const siblings = this.known.get(state.lookBehind) ?? new Map<string, Open>()
    this.known.set(state.lookBehind, siblings)
    const found = siblings.get(key)
    if (found) return found
    const created: Open = { ...state, verdict: undefined }
    siblings.set(key, created)
    this.all.push(created)
    return created
  }
}

/** Explores the verdicts of a program's expressions on all names of legal length, within the budget. */
export async function survey(program: Program, budget: Budget): Promise<Survey> {
  const { kinds, sides } = program
  const reader = new Reader(program)
  const states = new States(program.instructions.length)
  const edges: Edge[] = []
  const verdicts = new Set<number>()

  /** Opens the states that are one character longer; returns the steps that this takes. */
  function extend(state: Open): number {
    const longer = reader.longer(state)
    let { steps } = longer
    const length = state.length + 1
    for (const [kind, characters] of kinds.entries()) {
      const after = sides[kind] ?? 'other'
      const next = longer.matching[kind] ?? []
      const key = states.keyOf(next, after)
      steps += next.length + states.keySteps + 10
      for (const lookBehind of state.lookBehind.from[kind] ?? []) {
        const from = states.open(key, { matching: next, after, lookBehind, length })
        edges.push({ from, to: state, characters })
      }
    }
    return steps
  }

  const lookBehinds = await lookBehindStates(program, budget)
  const [start] = lookBehinds
  const none = states.keyOf([], 'edge')
  for (const lookBehind of lookBehinds) {
    states.open(none, { matching: [], after: 'edge', lookBehind, length: 0 })
  }
  const ends = new Set<State>(states.all)

  async function explore(): Promise<boolean> {
    // The list grows during the walk.
    for (const state of states.all) {
      if (state.lookBehind === start) {
        state.verdict = reader.verdictOf(state)
        verdicts.add(state.verdict)
      }
      if (state.length < maxNameLength) await budget.spend(extend(state) + states.keySteps)
    }
    return true
  }

  const isComplete = await orElse(explore(), false)
  return { states: states.all, edges, ends, verdicts, isComplete }
}
