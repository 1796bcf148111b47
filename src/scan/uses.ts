import { byPlace, type FilePosition, positionText } from './positions.ts'
import type { Reference } from './findings.ts'

/** A flag name and the place of its literal. */
interface FlagUse extends FilePosition {
  name: string
}

/** The literals of references, each once, in the order of the files' paths, then of the text. */
export function usesOf(references: readonly Reference[]): FlagUse[] {
  const uses = new Map<string, FlagUse>()
  for (const { name, origin, kind } of references) {
    if (kind === 'mention') continue
    uses.set(`${positionText(origin)}:${name}`, { name, ...origin })
  }
  return [...uses.values()].sort(byPlace)
}
