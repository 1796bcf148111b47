import type { AttackPattern } from 'recheck'
import { isLegal, legalCharacters, maxNameLength } from '../legal.ts'

/** A flag name that makes a match slow, and how it is made. */
export interface Attack {
  name: string
  /** For example `'a'.repeat(99) + '!'`. */
  form: string
}

const endings = ['!', ...legalCharacters]
const illegal = /[^A-Za-z0-9\-_.!~*'()]/g

interface Part {
  text: string
  times: number
}

/** The same text with neighbours that are alike joined. */
function joined(parts: readonly Part[]): Part[] {
  const result: Part[] = []
  for (const { text, times } of parts) {
    const last = result.at(-1)
    if (last?.text === text) last.times += times
    else if (text !== '') result.push({ text, times })
  }
  return result
}

function attackOf(parts: readonly Part[]): Attack[] {
  const used = joined(parts)
  const name = used.map(({ text, times }) => text.repeat(times)).join('')
  const form = used.map(({ text, times }) => `'${text}'${times > 1 ? `.repeat(${times})` : ''}`)
  return isLegal(name) ? [{ name, form: form.join(' + ') }] : []
}

/** The attack with a suffix of ours, as long as a name may be. */
function attackWith({ pumps }: AttackPattern, suffix: string): Attack[] {
  const fixed = pumps.reduce((length, { prefix }) => length + prefix.length, suffix.length)
  const round = pumps.reduce((length, { pump }) => length + pump.length, 0)
  const times = Math.max(Math.floor((maxNameLength - fixed) / round), 0)
  const repeated = pumps.flatMap(({ prefix, pump }) => [
    { text: prefix, times: 1 },
    { text: pump, times },
  ])
  return attackOf([...repeated, { text: suffix, times: 1 }])
}

/**
 * The legal flag names by which an attack on the pattern may be made.
 * Its suffix, which must not match, may hold any character: every legal one is tried in place of others.
 */
export function attacks(pattern: AttackPattern): Attack[] {
  const { suffix } = pattern
  const suffixes = endings.flatMap((ending) => [
    suffix.replace(illegal, ending),
    suffix.replace(illegal, '') + ending,
  ])
  return [...new Set([suffix, ...suffixes])].flatMap((text) => attackWith(pattern, text))
}

/** The legal flag names that have such a beginning and an ending that may not match. */
export function attacksFrom(beginning: string): Attack[] {
  const parts = Array.from(beginning, (text) => ({ text, times: 1 }))
  return endings.flatMap((text) => attackOf([...parts, { text, times: 1 }]))
}
