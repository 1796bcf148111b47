import { createLocator, type FilePosition, lineAt, ownCopy } from './code/positions.ts'

/** A quoted literal that is equal to a known name. */
export interface Mention extends FilePosition {
  name: string
  text: string
}

// The quoted text is not consumed, so that an apostrophe does not hide a literal.
const QUOTED = /(["'`])(?=([\w.~!*()-]{1,100})\1)/g

/** The names that a text mentions, wherever they are quoted. */
export function mentionsIn(text: string, file: string, names: ReadonlySet<string>): Mention[] {
  const positionOf = createLocator(text, file)
  const mentions: Mention[] = []
  for (const { 2: name = '', index } of text.matchAll(QUOTED)) {
    if (!names.has(name)) continue
    mentions.push({ name: ownCopy(name), ...positionOf(index + 1), text: lineAt(text, index + 1) })
  }
  return mentions
}
