import type { Diagnostics, VulnerableComplexity } from 'recheck'
import { type Finding, finding } from '../finding.ts'
import { createGuard, type Guard, OutOfReach, orElse } from '../limit.ts'
import { type Attack, attacks, plainAttacks } from './attack.ts'
import { maxChoices } from './choices.ts'
import type { Subject } from './subject.ts'

const checkLimit = 2000
const searchLimit = 300
// Measured on Node 20 with names of 100 characters, first use: degree 3 takes 1 ms, 4 30 ms, 5 600 ms, 6 10 s.
const harmfulDegree = 5
// The highest degree that recheck's search by trial tells apart.
const highestTried = 4
const slowMatch = 50

/** The verdict of recheck on what legal names can meet. */
async function diagnose(source: string, syntax: AST.Pattern, solver: Solver): Promise<Diagnostics> {
  const { legalSource } = await import('../legal-source.ts')
  const loaded = await import('recheck/lib/browser.js')
  // Node alone gives what a CommonJS module exports as its default, a bundler may give it by name.
  const { checkSync } = loaded.default ?? loaded
  return solver.run(
    () => checkSync(legalSource(source, syntax), '', { timeout: checkLimit }),
    checkLimit + 200,
  )
}

function isHarmful(complexity: VulnerableComplexity): boolean {
  if (complexity.type === 'exponential') return true
  return complexity.degree >= (complexity.isFuzz ? highestTried : harmfulDegree)
}

function isSlow(rule: RegExp, name: string, guard: Guard): boolean {
  return orElse(
    () => {
      guard.run(slowMatch, () => rule.test(name))
      return false
    },
    () => true,
  )
}

/** The first attack that works. */
function provenAttack(source: string, attempts: readonly Attack[]): Attack | undefined {
  const rule = new RegExp(source)
  const guard = createGuard()
  const end = performance.now() + searchLimit
  return attempts.find(({ name }) => {
    if (performance.now() > end) throw new OutOfReach('it takes too long')
    return isSlow(rule, name, guard)
  })
}

function slowFinding({ name, form }: Attack, time: string): Finding {
  return finding('catastrophic', `the name ${form} takes ${time} time to match`, { witness: name })
}

/** How the time grows, as far as it is known to be harmful; undefined when it is harmless. */
function growthOf(result: Diagnostics): string | undefined {
  if (result.status === 'safe') return undefined
  if (result.status === 'unknown') return 'exponential or high polynomial'
  const { complexity } = result
  if (complexity.type === 'exponential') return 'exponential'
  const harmful = complexity.isFuzz ? highestTried : harmfulDegree
  return complexity.degree < harmful ? undefined : `polynomial (degree ${complexity.degree})`
}

/**
 * Whether a name can make the match take so long that it holds up the service. Each finding is proven by a legal name.
 * @throws OutOfReach when that cannot be told
 */
export async function costFindings({ source, syntax, solver }: Subject): Promise<Finding[]> {
  const { hasFewWays, heaviestBeginning } = await import('../ways.ts')
  const tree = syntax()
  if (orElse(() => solver.run(() => hasFewWays(tree)), () => false)) return []
  const result = await diagnose(source, tree, solver)
  const growth = growthOf(result)
}
