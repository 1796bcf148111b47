import { type Budget, UndecidedError } from './budget.ts'
import { type Backlinks, createEvaluation } from './evaluation.ts'
import { holds, type Program, type Side } from './program.ts'

/** The end of a name, and the instructions that match it after any beginning. */
export interface Suffix {
  text: string
  matching: ReadonlySet<number>
}

export interface Suffixes {
  /** Shorter ones first. No other of that length or less matches fewer of the instructions. */
  list: readonly Suffix[]
  isComplete: boolean
}

interface Open {
  text: string
  matching: readonly number[]
  after: Side
}

const maxSuffixes = 60
const suffixSteps = 1_000_000

function unusual(kind = ''): number {
  return /!/.test(kind) ? 2 : /[-_.~*'()]/.test(kind) ? 1 : 0
}

function lastCharacterOf(kind: string): string {
  return kind.includes('!') ? '!' : (/[a-z]/.exec(kind)?.[0] ?? kind.charAt(0))
}

/** The suffixes that few instructions match, which make an engine backtrack. */
export async function suffixesOf(
  program: Program,
  backlinks: Backlinks,
  budget: Budget,
): Promise<Suffixes> {
  const { instructions, bodies, kinds, sides } = program
  // The character that most rules refuse comes first.
  const order = [...kinds.keys()].sort((a, b) => unusual(kinds[b]) - unusual(kinds[a]))
  // The start of the name and look-behinds depend on the beginning, so they do not count as matches.
  const evaluation = createEvaluation<Open>(
    program,
    backlinks,
    (it, { after }, before, matches) => {
      if (it.op === 'anchor' && it.anchor === 'end') return after === 'edge'
      if (it.op === 'anchor') return before !== 'edge' && holds(it.anchor, before, after)
      return it.op === 'look' && !bodies[it.inner]?.behind && matches && !it.negate
    },
  )
  const list: Suffix[] = []
  const queue: Open[] = [{ text: '', matching: [], after: 'edge' }]
  const known = new Set<string>()
  const limit = budget.part(suffixSteps)

  function isNeeded(matching: ReadonlySet<number>): boolean {
    return !list.some(
      (shorter) =>
        shorter.matching.size <= matching.size &&
        [...shorter.matching].every((at) => matching.has(at)),
    )
  }

  async function explore(): Promise<boolean> {
    for (const suffix of queue) {
      if (list.length === maxSuffixes) return false
      const matching = new Set(evaluation.run(suffix.matching, suffix, 'edge'))
      await limit.spend(matching.size * list.length + 100)
      if (isNeeded(matching)) list.push({ text: suffix.text, matching })
      if (matching.size <= bodies.length) return true
      for (const before of ['other', 'word'] as const) {
        const longer: number[][] = kinds.map(() => [])
        for (const to of evaluation.run(suffix.matching, suffix, before)) {
          for (const at of backlinks.consuming[to] ?? []) {
            const it = instructions[at]
            if (it?.op === 'character') for (const kind of it.kinds) longer[kind]?.push(at)
          }
        }
        for (const kind of order) {
          const next = longer[kind] ?? []
          const key = `${before} ${next.sort((a, b) => a - b).join()}`
          if (sides[kind] !== before || known.has(key)) continue
          known.add(key)
          await limit.spend(next.length)
          queue.push({
            text: lastCharacterOf(kinds[kind] ?? '') + suffix.text,
            matching: next,
            after: before,
          })
        }
      }
    }
    return true
  }

  try {
    return { list, isComplete: await explore() }
  } catch (error) {
    if (!(error instanceof UndecidedError)) throw error
    return { list, isComplete: false }
  }
}
