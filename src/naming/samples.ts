import type { Subject } from './findings/subject.ts'
import { isLegal } from './legal.ts'
import { orElse } from './limit.ts'
import { ruleSource } from './rule.ts'

const wanted = 3

/** Names that show what a rule means. */
export interface Samples {
  accepts: string[]
  rejects: string[]
}

function orNone(find: () => string[]): string[] {
  return orElse(find, () => [])
}

/** Small slips of a person who writes a name. */
const slips: readonly ((name: string) => string)[] = [
  (name) => name.charAt(0).toUpperCase() + name.slice(1),
  (name) => name.replaceAll('-', '_'),
  (name) => name.replace(/^[A-Za-z0-9]+[^A-Za-z0-9]/, ''),
  (name) => name.replaceAll('_', '-'),
  (name) => name.replace(/[^A-Za-z0-9][A-Za-z0-9]+$/, ''),
  (name) => name.toLowerCase(),
  (name) => name.replaceAll('.', '-'),
  (name) => `${name}-`,
  (name) => `my-${name}`,
  (name) => name.toUpperCase(),
  (name) => name.slice(0, -1),
  (name) => `${name}!`,
]

/** For each slip, its result with the first accepted name that it spoils. */
function nearMisses(accepts: readonly string[], rule: RegExp): string[] {
  const found = slips.flatMap((slip) =>
    accepts
      .map(slip)
      .filter((name) => isLegal(name) && !rule.test(name))
      .slice(0, 1),
  )
  return [...new Set(found)].slice(0, wanted)
}

/** Three legal names that pass, beginning with the example, and three near misses; fewer when they cannot be found. */
export function samplesOf(subject: Subject): Samples {
  const { rule, solver, source } = subject
  const regex = new RegExp(source)
  const { example = '' } = rule
  const own = orNone(() =>
    solver.run(() => [example].filter((name) => isLegal(name) && regex.test(name))),
  )
  const others = orNone(() =>
    solver.someNames(solver.widest(source), wanted, (name) => regex.test(name)),
  )
  const accepts = [...new Set([...own, ...others])].slice(0, wanted)
  const near = orNone(() => solver.run(() => nearMisses(accepts, regex)))
  if (near.length === wanted) return { accepts, rejects: near }
  const rest = orNone(() =>
    solver.someNames(solver.without(solver.names(ruleSource('')), solver.names(source)), wanted),
  )
  return { accepts, rejects: [...new Set([...near, ...rest])].slice(0, wanted) }
}
