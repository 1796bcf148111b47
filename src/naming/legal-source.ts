import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import type { CharSet } from 'refa'
import { legal, legalOf } from './alphabet.ts'
import { isInClass } from './syntax.ts'

function classOf(characters: CharSet): string {
  const ranges = characters.ranges.map(({ min, max }) =>
    [...new Set([min, max])].map((code) => String.fromCharCode(code).replace('-', '\\-')).join('-'),
  )
  return `[${ranges.join('')}]`
}

/**
 * The same regular expression with the characters of legal names alone. It behaves alike on those names, and an attack
 * on it needs no others.
 */
export function legalSource(source: string, syntax: AST.Pattern): string {
  const parts: { start: number; end: number; text: string }[] = []
  function restrict(node: AST.Character | AST.CharacterClass | AST.CharacterSet): void {
    parts.push({ start: node.start, end: node.end, text: classOf(legalOf(node)) })
  }
  visitRegExpAST(syntax, {
    onCharacterEnter(node) {
      if (!isInClass(node) && !legal.has(node.value)) restrict(node)
    },
    onCharacterClassEnter: restrict,
    onCharacterSetEnter(node) {
      if (!isInClass(node)) restrict(node)
    },
  })
  let copied = 0
  const pieces = parts.map(({ start, end, text }) => {
    const piece = source.slice(copied, start) + text
    copied = end
    return piece
  })
  return pieces.join('') + source.slice(copied)
}
