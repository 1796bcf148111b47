import { UndecidedError, tooLong } from '../engine/budget.ts'
import { costOf } from '../engine/cost/cost.ts'
import { quickSteps } from '../engine/cost/growth.ts'
import { type Finding, finding } from '../finding.ts'
import type { ExaminedRule } from '../engine/examined-rule.ts'

const maxPeriod = 8

/** How often the text of this length at an index is repeated. */
function repeats(name: string, start: number, period: number): number {
  let end = start + period
  while (end < name.length && name[end] === name[end - period]) end++
  return Math.floor((end - start) / period)
}

/** A short form of a long name: `'a'.repeat(99) + '!'`. */
function formOf(name: string): string {
  const parts: string[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') parts.push(`'${plain}'`)
    plain = ''
  }
  for (let start = 0; start < name.length; ) {
    let [best, times] = [1, 1]
    for (let period = 1; period <= maxPeriod; period++) {
      const count = repeats(name, start, period)
      if (count > 2 && count * period > best * times) [best, times] = [period, count]
    }
    const text = name.slice(start, start + best)
    start += best * times
    if (times === 1) plain += text
    else {
      flush()
      parts.push(`'${text}'.repeat(${times})`)
    }
  }
  flush()
  return parts.join(' + ')
}

function countOf(steps: number): string {
  const exponent = Math.floor(Math.log10(steps))
  return exponent > 15 ? `over 10^${exponent}` : Math.round(steps).toLocaleString('en')
}

/**
 * A finding with a legal name that takes the engine long enough to stall the service, if there is one.
 * @throws UndecidedError when that cannot be decided
 */
export async function costFindings(examined: ExaminedRule): Promise<Finding[]> {
  const cost = await costOf(examined.syntax(), quickSteps, examined.budget)
  if (cost.bound <= quickSteps) return []
  const attack = await cost.attack()
  if (attack) {
    const message = `the name ${formOf(attack.name)} takes ${countOf(attack.steps)} steps to match`
    return [finding('catastrophic', message, { witness: attack.name })]
  }
  throw new UndecidedError(tooLong)
}
