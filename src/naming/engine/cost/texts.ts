import { maxNameLength } from '../../../input/flag-names.ts'
import { type Branch, type Element, elementsOf, readableIn, type SyntaxTree } from '../elements.ts'

/** A short text that an element without look-around and back-references matches; cut if it is too long for a name. */
export function shortText(element: Element): string {
  switch (element.type) {
    case 'character':
      return readableIn(element.characters)
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

const maxTexts = 24
const maxCharacters = 4
const maxLoopText = 20

function joined(beginnings: readonly string[], ends: readonly string[]): string[] {
  const texts = beginnings.flatMap((text) => ends.map((end) => text + end))
  return [...new Set(texts)].slice(0, maxTexts)
}

/** Some texts that an element without look-around and back-references matches, made of some characters. */
function someTexts(element: Element, characters: readonly string[]): string[] {
  switch (element.type) {
    case 'character':
      return characters.filter((it) => element.characters.includes(it)).slice(0, maxCharacters)
    case 'group':
      return element.branches
        .flatMap(({ elements }) =>
          elements.reduce((texts, it) => joined(texts, someTexts(it, characters)), ['']),
        )
        .slice(0, maxTexts)
    case 'repeat': {
      const rounds = Math.min(Math.max(element.min, 1), maxLoopText)
      const texts = someTexts(element.element, characters)
        .filter(({ length }) => length * rounds <= maxLoopText)
        .map((text) => text.repeat(rounds))
      return element.min === 0 ? [...texts, ''] : texts
    }
    default:
      return ['']
  }
}

/** Some texts that one or two rounds of a loop match, for every loop of an expression. */
export function loopTexts({ branches }: SyntaxTree, characters: readonly string[]): string[] {
  const texts = elementsOf(branches).flatMap((element) => {
    if (element.type !== 'repeat' || element.max <= 1) return []
    const round = someTexts(element.element, characters)
    return [...round, ...joined(round, round)]
  })
  return [...new Set(texts)].filter(({ length }) => length > 0 && length <= maxLoopText)
}
