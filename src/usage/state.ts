import { listed } from '../output/phrases.ts'
import type { EnvironmentState } from '../projects/flags.ts'
import { latest } from './history.ts'

/** When and where the service last saw a flag, and where it is on: `last seen 2026-11-17 in production`, `on in production`. */
export function stateTexts(environments: readonly EnvironmentState[]): string[] {
  const namesOf = (kept: readonly EnvironmentState[]) => listed(kept.map(({ name }) => name))
  const last = latest(environments.map(({ lastSeen }) => lastSeen))
  const on = environments.filter(({ isOn }) => isOn)
  const off = environments.filter(({ isOn }) => isOn === false)
  const texts: string[] = []
  if (last !== undefined) {
    const day = new Date(last).toISOString().slice(0, 10)
    texts.push(
      `last seen ${day} in ${namesOf(environments.filter(({ lastSeen }) => lastSeen === last))}`,
    )
  }
  if (on.length > 0) texts.push(`on in ${namesOf(on)}`)
  else if (off.length > 0) texts.push(`off in ${namesOf(off)}`)
  return texts
}
