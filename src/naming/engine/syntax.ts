import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { isStackOverflow, tooDeep, UndecidedError } from './budget.ts'
import type { Anchor, Branch, CharacterPart, Element, SyntaxTree } from './elements.ts'
import { legalCharacters } from '../../input/flag-names.ts'
import { anyText, resolveReferences } from './references.ts'

type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass

// The compiler recurses with several frames for each level.
const maxDepth = 250

function parsed(source: string): AST.Pattern {
  try {
    const parser = new RegExpParser({ ecmaVersion: 2025 })
    return parser.parsePattern(source, 0, source.length, { unicode: false })
  } catch (error) {
    // The parser recurses, too.
    throw new UndecidedError(isStackOverflow(error) ? tooDeep : 'its syntax is unknown', {
      cause: error,
    })
  }
}

/** A source that matches the same characters anywhere: the meaning of `\1` and `\c` depends on the pattern. */
function portable(node: CharacterNode): string {
  if (node.type !== 'Character') return node.raw
  return `\\u${node.value.toString(16).padStart(4, '0')}`
}

function leastOf(branches: readonly Branch[]): number {
  return branches.reduce((least, branch) => Math.min(least, branch.least), Infinity)
}

/** Makes syntax trees of the parser's. */
class Builder {
  private readonly known = new Map<string, string>()

  /** The legal characters that a class or a character matches, as the engine sees it. */
  private matchesOf(raw: string, ignoreCase: boolean): string {
    const key = `${ignoreCase} ${raw}`
    const matches =
      this.known.get(key) ??
      legalCharacters.match(new RegExp(raw, ignoreCase ? 'gi' : 'g'))?.join('') ??
      ''
    this.known.set(key, matches)
    return matches
  }

  branchesOf(nodes: AST.Alternative[], depth: number, ignoreCase: boolean): Branch[] {
    if (depth > maxDepth) throw new UndecidedError(tooDeep)
    return nodes.map(({ start, end, elements: parts }) => {
      const elements = parts.map((part) => this.elementOf(part, depth, ignoreCase))
      return { start, end, least: elements.reduce((sum, { least }) => sum + least, 0), elements }
    })
  }

  private elementOf(node: AST.Element, depth: number, ignoreCase: boolean): Element {
    const { start, end } = node
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.groupOf(node, depth, ignoreCase)
      case 'Assertion':
        return this.assertionOf(node, depth, ignoreCase)
      case 'Quantifier': {
        const { min, max, greedy } = node
        const element = this.elementOf(node.element, depth, ignoreCase)
        // 0 * Infinity is NaN.
        const least = element.least === 0 ? 0 : element.least * min
        return { type: 'repeat', start, end, least, element, min, max, lazy: !greedy }
      }
      case 'Backreference': {
        const group = ignoreCase || node.ambiguous ? undefined : node.resolved.start
        return { type: 'reference', start, end, least: 0, group, text: anyText }
      }
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass': {
        const characters = this.matchesOf(portable(node), ignoreCase)
        const part: CharacterPart = { type: 'character', start, end, least: 1, characters }
        return node.type === 'Character' ? { ...part, literal: node.raw } : part
      }
      case 'ExpressionCharacterClass':
        throw new UndecidedError('its syntax is unknown')
    }
  }

  private groupOf(
    node: AST.Group | AST.CapturingGroup,
    depth: number,
    outerCase: boolean,
  ): Element {
    const { start, end } = node
    const modifiers = node.type === 'Group' ? node.modifiers : null
    const ignoreCase =
      (outerCase || modifiers?.add.ignoreCase === true) && modifiers?.remove?.ignoreCase !== true
    const branches = this.branchesOf(node.alternatives, depth + 1, ignoreCase)
    const capture = node.type === 'CapturingGroup' && { capture: start }
    return { type: 'group', start, end, least: leastOf(branches), branches, ...capture }
  }

  private assertionOf(node: AST.Assertion, depth: number, ignoreCase: boolean): Element {
    const { start, end } = node
    if ('alternatives' in node) {
      const branches = this.branchesOf(node.alternatives, depth + 1, ignoreCase)
      const behind = node.kind === 'lookbehind'
      return { type: 'look', start, end, least: 0, branches, behind, negate: node.negate }
    }
    const anchor: Anchor = node.kind === 'word' && node.negate ? 'no word' : node.kind
    return { type: 'anchor', start, end, least: 0, anchor }
  }
}

/**
 * The syntax tree of a regular expression without flags that the engine compiles.
 * @throws UndecidedError when it is nested too deeply
 */
export function parseSource(source: string): SyntaxTree {
  const branches = new Builder().branchesOf(parsed(source).alternatives, 0, false)
  const syntax = { least: leastOf(branches), branches }
  resolveReferences(syntax)
  return syntax
}
