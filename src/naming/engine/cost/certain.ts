import { type Budget, orElse } from '../budget.ts'
import { backlinksOf, type Program } from '../program.ts'

const maxSteps = 500_000

/**
 * The instructions from which every rest of a name matches, unless it is empty. An engine that gets to one of them
 * succeeds, so it gets there at most once at each place before the end. Empty if they cannot be found within the budget.
 */
export async function certainInstructions(
  program: Program,
  outer: Budget,
): Promise<ReadonlySet<number>> {
  const { instructions, bodies, mains, kinds } = program
  const budget = outer.part(maxSteps)
  const { free } = backlinksOf(program)
  const ends = mains.map((main) => bodies[main]?.end ?? 0)

  /** These instructions, and those that certainly lead to them without consuming a character. */
  function leadingTo(targets: readonly number[], isEndOfName: boolean): Set<number> {
    const found = new Set(targets)
    for (const to of found) {
      for (const at of free[to] ?? []) {
        const it = instructions[at]
        const isPassed = it?.op === 'fork' && !it.unsure
        const isHeld = isEndOfName && it?.op === 'anchor' && it.anchor === 'end'
        if (isPassed || isHeld) found.add(at)
      }
    }
    return found
  }

  /** The instructions that match at once, or get to one of these with a character of the kind. */
  function leadingWith(kind: number, targets: ReadonlySet<number>): Set<number> {
    const consuming = instructions.flatMap((it, at) =>
      it.op === 'character' && it.kinds.includes(kind) && targets.has(it.next[0]) ? [at] : [],
    )
    return leadingTo([...ends, ...consuming], false)
  }

  /** Those of the instructions that match at once, or get to one of the targets with every next character. */
  async function certain(
    among: Iterable<number>,
    targets: ReadonlySet<number>,
  ): Promise<Set<number>> {
    await budget.spend(instructions.length * kinds.length)
    const sets = kinds.map((_, kind) => leadingWith(kind, targets))
    return new Set([...among].filter((at) => sets.every((set) => set.has(at))))
  }

  async function find(): Promise<ReadonlySet<number>> {
    let found = await certain(instructions.keys(), leadingTo(ends, true))
    for (let size = 0; size !== found.size; ) {
      size = found.size
      found = await certain(found, found)
    }
    return found
  }

  return orElse(find(), new Set<number>())
}
