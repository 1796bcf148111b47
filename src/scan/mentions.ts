import type { Position } from '../input/position.ts'
import { createLocator, lineAt, ownCopy } from './code/positions.ts'

/** A quoted literal that is equal to a known name. */
export interface Mention extends Position {
  name: string
  offset: number
  text: string
}

// The quoted text is not consumed, so that an apostrophe does not hide a literal.
const QUOTED = /(["'`])(?=([\w.~!*()-]{1,100})\1)/g

/** The names that a text mentions, wherever they are quoted. */
export function mentionsIn(text: string, names: ReadonlySet<string>): Mention[] {
  const positionOf = createLocator(text)
  const mentions: Mention[] = []
  for (const { 2: name = '', index } of text.matchAll(QUOTED)) {
    if (!names.has(name)) continue
    const offset = index + 1
    mentions.push({
      name: ownCopy(name),
      offset,
      ...positionOf(offset),
      text: lineAt(text, offset),
    })
  }
  return mentions
}
