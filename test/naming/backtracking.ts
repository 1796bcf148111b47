import { type AST, RegExpParser } from '@eslint-community/regexpp'

// A plain backtracking engine that counts its steps: it remembers nothing between two of them. It shares no code with
// src/naming, so that one mistake cannot pass in both.

/** A place in a pattern, with the places after it. */
type Node = { least: number } & (
  | { type: 'match' }
  | { type: 'character'; set: Uint8Array; isBehind: boolean; next: Node }
  | { type: 'branch'; first: Node; second: Node }
  /** Notes where a round of a loop starts. */
  | { type: 'round-start'; round: number; next: Node }
  /** Fails if the round has read nothing. */
  | { type: 'round-end'; round: number; next: Node }
  | { type: 'edge'; kind: 'start' | 'end' | 'word'; isNegated: boolean; next: Node }
  | { type: 'look-around'; start: Node; isNegated: boolean; next: Node }
)

/** What to try when a path fails. */
interface Choice {
  /** Undefined to only restore where a round started. */
  node: Node | undefined
  at: number
  round: number
}

const MATCH: Node = { type: 'match', least: 0 }

/** The characters of ASCII that an element matches. */
function setOf(source: string): Uint8Array {
  const expression = new RegExp(`^(?:${source})$`)
  return Uint8Array.from({ length: 128 }, (_, code) =>
    expression.test(String.fromCharCode(code)) ? 1 : 0,
  )
}

/** Turns a pattern without back-references into nodes, from its end to its start. */
class Compiler {
  rounds = 0

  compile(pattern: string): Node {
    const source = `^${pattern}$`
    const tree = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length)
    return this.#branches(tree.alternatives, MATCH, false)
  }

  #branches(branches: readonly AST.Alternative[], next: Node, isBehind: boolean): Node {
    const nodes = branches.map(({ elements }) => this.#sequence(elements, next, isBehind))
    return nodes.reduceRight((second, first) => this.#branch(first, second))
  }

  #branch(first: Node, second: Node): Node {
    return { type: 'branch', first, second, least: Math.min(first.least, second.least) }
  }

  #sequence(elements: readonly AST.Element[], next: Node, isBehind: boolean): Node {
    const fromEnd = isBehind ? elements : elements.toReversed()
    return fromEnd.reduce((after, element) => this.#element(element, after, isBehind), next)
  }

  #element(element: AST.Element, next: Node, isBehind: boolean): Node {
    const { least } = next
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#branches(element.alternatives, next, isBehind)
      case 'Quantifier':
        return this.#loop(element, next, isBehind)
      case 'Assertion': {
        const isNegated = 'negate' in element && element.negate
        if (!('alternatives' in element)) {
          return { type: 'edge', kind: element.kind, isNegated, next, least }
        }
        const start = this.#branches(element.alternatives, MATCH, element.kind === 'lookbehind')
        return { type: 'look-around', start, isNegated, next, least }
      }
      default: {
        const set = setOf(element.raw)
        return { type: 'character', set, isBehind, next, least: isBehind ? least : least + 1 }
      }
    }
  }

  #loop({ element, min, max, greedy }: AST.Quantifier, next: Node, isBehind: boolean): Node {
    const reads = this.#element(element, MATCH, false).least > 0
    /** One more round before a node, or what follows the loop. */
    const option = (after: Node): Node => {
      const start = reads
        ? this.#element(element, after, isBehind)
        : this.#checkedRound(element, after, isBehind)
      return greedy ? this.#branch(start, next) : this.#branch(next, start)
    }
    let node = next
    if (max === Infinity) {
      const loop: Node = { type: 'branch', first: next, second: next, least: next.least }
      const again = option(loop)
      node = Object.assign(loop, again)
    } else {
      for (let round = min; round < max; round++) node = option(node)
    }
    for (let round = 0; round < min; round++) node = this.#element(element, node, isBehind)
    return node
  }

  /** A round that could read nothing, but must not. */
  #checkedRound(element: AST.Element, after: Node, isBehind: boolean): Node {
    const round = this.rounds++
    const end: Node = { type: 'round-end', round, next: after, least: after.least }
    const body = this.#element(element, end, isBehind)
    return { type: 'round-start', round, next: body, least: body.least }
  }
}

/** Matches names with one pattern, as the service does. */
export class BacktrackingEngine {
  readonly #start: Node
  /** Where each round that was begun started. */
  readonly #starts: Int32Array
  #steps = 0
  #limit = 0

  constructor(pattern: string) {
    const compiler = new Compiler()
    this.#start = compiler.compile(pattern)
    this.#starts = new Int32Array(compiler.rounds)
  }

  /** Ends at a limit of steps. */
  match(name: string, limit: number): { matches: boolean; steps: number } {
    this.#steps = 0
    this.#limit = limit
    let matches = false
    for (let at = 0; at <= name.length && !matches; at++) {
      matches = this.#run(this.#start, name, at)
    }
    return { matches, steps: this.#steps }
  }

  #run(start: Node, name: string, from: number): boolean {
    const choices: Choice[] = []
    let node = start
    let at = from
    while (this.#steps < this.#limit) {
      this.#steps++
      let isPassed = true
      switch (node.type) {
        case 'match':
          return true
        case 'character':
          isPassed = node.set[name.charCodeAt(node.isBehind ? at - 1 : at)] === 1
          at += node.isBehind ? -1 : 1
          node = node.next
          break
        case 'branch':
          // V8 gives up where too few characters are left.
          if (node.second.least <= name.length - at)
            choices.push({ node: node.second, at, round: 0 })
          isPassed = node.first.least <= name.length - at
          node = node.first
          break
        case 'round-start':
          choices.push({ node: undefined, at: this.#starts[node.round] ?? 0, round: node.round })
          this.#starts[node.round] = at
          node = node.next
          break
        case 'round-end':
          isPassed = this.#starts[node.round] !== at
          node = node.next
          break
        case 'edge':
          isPassed = holds(node, name, at)
          node = node.next
          break
        case 'look-around':
          isPassed = this.#run(node.start, name, at) !== node.isNegated
          node = node.next
      }
      if (isPassed) continue
      const choice = this.#backtrack(choices)
      if (!choice?.node) return false
      node = choice.node
      at = choice.at
    }
    return false
  }

  /** The last choice that is left. */
  #backtrack(choices: Choice[]): Choice | undefined {
    for (let choice = choices.pop(); choice; choice = choices.pop()) {
      if (choice.node) return choice
      this.#starts[choice.round] = choice.at
    }
    return undefined
  }
}

function isWord(name: string, at: number): boolean {
  return /\w/.test(name.charAt(at))
}

function holds(edge: Extract<Node, { type: 'edge' }>, name: string, at: number): boolean {
  if (edge.kind === 'start') return at === 0
  if (edge.kind === 'end') return at === name.length
  return (isWord(name, at - 1) !== isWord(name, at)) !== edge.isNegated
}
