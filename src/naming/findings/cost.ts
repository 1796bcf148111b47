import { cpuUsage } from 'node:process'
import type { AST } from '@eslint-community/regexpp'
import type { Diagnostics } from 'recheck'
import { type Finding, finding } from '../finding.ts'
import { maxNameLength } from '../legal.ts'
import { createGuard, type Guard, OutOfReach, orElse } from '../limit.ts'
import { type Attack, attacks, attacksFrom } from './attack.ts'
import type { Subject } from './subject.ts'

const checkLimit = 2000
const searchLimit = 300
// Measured on Node 20 with names of 100 characters, first use: degree 3 takes 1 ms, 4 30 ms, 5 600 ms, 6 10 s.
const harmfulDegree = 5
const slowMatch = 50
// A busy machine may hold up a quick match: what counts is the processor's time. So long it is waited for.
const longestMatch = 800

/** The verdict of recheck on what legal names can meet. */
async function diagnose({ source, solver }: Subject, syntax: AST.Pattern): Promise<Diagnostics> {
  const { legalSource } = await import('../legal-source.ts')
  const loaded = await import('recheck/lib/browser.js')
  // Node alone gives what a CommonJS module exports as its default, a bundler may give it by name.
  const { checkSync } = loaded.default ?? loaded
  const legal = solver.run(() => legalSource(source, syntax))
  const unknown: Diagnostics = { source, flags: '', status: 'unknown', error: { kind: 'timeout' } }
  const check = () => checkSync(legal, '', { timeout: checkLimit })
  return orElse(
    () => solver.run(check, checkLimit + 200),
    () => unknown,
  )
}

/** A polynomial that no name can make large. What recheck only tried out may grow faster than it says. */
function isHarmless(result: Diagnostics): boolean {
  if (result.status !== 'vulnerable' || result.complexity.type !== 'polynomial') return false
  return !result.complexity.isFuzz && result.complexity.degree < harmfulDegree
}

function growthOf(result: Diagnostics): string {
  if (result.status !== 'vulnerable') return 'exponential or high polynomial'
  const { complexity } = result
  return complexity.type === 'exponential'
    ? 'exponential'
    : `polynomial (degree ${complexity.degree})`
}

/** Milliseconds that this process has kept processors busy. */
function processorTime(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

function isSlow(rule: RegExp, name: string, guard: Guard): boolean {
  for (let limit = slowMatch; limit <= longestMatch; limit *= 2) {
    const start = processorTime()
    const isDone = orElse(
      () => {
        guard.run(limit, () => rule.test(name))
        return true
      },
      () => false,
    )
    if (isDone) return false
    if (processorTime() - start > slowMatch * 0.8) return true
  }
  throw new OutOfReach('it takes too long')
}

/** The first attack that works. */
function provenAttack(source: string, attempts: readonly Attack[]): Attack | undefined {
  const rule = new RegExp(source)
  const guard = createGuard()
  const end = processorTime() + searchLimit
  return attempts.find(({ name }) => {
    if (processorTime() > end) throw new OutOfReach('it takes too long')
    // Twice: the processors' time may have been taken by something else of this process, once.
    return isSlow(rule, name, guard) && isSlow(rule, name, guard)
  })
}

/** Names that may be slow: as recheck would attack, and the one that looks heaviest. */
function attempts(result: Diagnostics, beginning: string): Attack[] {
  const known = result.status === 'vulnerable' ? attacks(result.attack) : []
  return [...known, ...attacksFrom(beginning)]
}

/**
 * Whether a name can make the match take so long that it holds up the service. Each finding is proven by a legal name.
 * @throws OutOfReach when that cannot be told
 */
export async function costFindings(subject: Subject): Promise<Finding[]> {
  const { source, solver } = subject
  const { hasFewWays, heaviestBeginning } = await import('../ways.ts')
  const { positionsOf } = await import('../positions.ts')
  const tree = subject.syntax()
  const few = orElse(
    () => solver.run(() => hasFewWays(positionsOf(tree))),
    () => false,
  )
  if (few) return []
  const result = await diagnose(subject, tree)
  if (isHarmless(result)) return []
  const beginning = orElse(
    () => solver.run(() => heaviestBeginning(positionsOf(tree))),
    () => 'a'.repeat(maxNameLength - 1),
  )
  const proven = provenAttack(source, attempts(result, beginning))
  if (proven) {
    const message = `the name ${proven.form} takes ${growthOf(result)} time to match`
    return [finding('catastrophic', message, { witness: proven.name })]
  }
  if (result.status !== 'unknown') return []
  throw new OutOfReach(
    result.error.kind === 'timeout'
      ? 'it takes too long'
      : 'the complexity checker does not know it',
  )
}
