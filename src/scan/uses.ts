import type { FilePosition } from './code/positions.ts'

/** A flag name where source code uses it. */
export interface Reference extends FilePosition {
  name: string
  kind: 'call' | 'constant' | 'mention'
  /** The source text of the use. */
  text: string
  /** Where the literal with the name is; the same file for a `call`. */
  origin: FilePosition
}

/** A flag name and the place of its literal. */
interface FlagUse extends FilePosition {
  name: string
}

/** The order of the files' paths, then of the text. */
export function byPlace(a: FilePosition, b: FilePosition): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || a.column - b.column
}

/** The literals of references, each once, in order. */
export function usesOf(references: readonly Reference[]): FlagUse[] {
  const uses = new Map<string, FlagUse>()
  for (const { name, origin, kind } of references) {
    if (kind === 'mention') continue
    uses.set(`${origin.file}:${origin.line}:${origin.column}:${name}`, { name, ...origin })
  }
  return [...uses.values()].sort(byPlace)
}
