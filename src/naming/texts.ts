import { maxNameLength } from './legal.ts'
import type { Branch, Element } from './syntax.ts'

/** A short text that an element without look-around and back-references matches; cut if it is too long for a name. */
export function shortText(element: Element): string {
  switch (element.type) {
    case 'character':
      return (/[a-z]/.exec(element.characters) ?? element.characters)[0] ?? ''
    case 'group':
      return shortestText(element.branches)
    case 'repeat': {
      const rounds = Math.min(element.min, maxNameLength + 1)
      return shortText(element.element)
        .repeat(rounds)
        .slice(0, maxNameLength + 1)
    }
    default:
      return ''
  }
}

/** A short text that the shortest of these branches matches. */
export function shortestText(branches: readonly Branch[]): string {
  const [branch] = branches.toSorted((a, b) => a.least - b.least)
  return branch?.elements.map(shortText).join('') ?? ''
}
