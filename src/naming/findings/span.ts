import type { AST } from '@eslint-community/regexpp'

/** How much text a part of an expression takes. */
export interface Span {
  /** The fewest characters. */
  min: number
  /** How many of its elements can match a character at all; 0 for what matches only the empty text. */
  fillable: number
}

export const noSpan: Span = { min: 0, fillable: 0 }

export function plus(left: Span, right: Span): Span {
  return { min: left.min + right.min, fillable: left.fillable + right.fillable }
}

export function minus(left: Span, right: Span): Span {
  return { min: left.min - right.min, fillable: left.fillable - right.fillable }
}

export function spanOfBranch({ elements }: AST.Alternative): Span {
  return elements.map(spanOf).reduce(plus, noSpan)
}

/** The span of an element; `fillable` is at most 1, for it is one element. */
export function spanOf(element: AST.Element): Span {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup': {
      const spans = element.alternatives.map(spanOfBranch)
      const min = spans.reduce((least, span) => Math.min(least, span.min), Infinity)
      return { min, fillable: spans.some(({ fillable }) => fillable > 0) ? 1 : 0 }
    }
    case 'Quantifier': {
      if (element.max === 0) return noSpan
      const { min, fillable } = spanOf(element.element)
      return { min: min * element.min, fillable }
    }
    case 'Assertion':
      return noSpan
    case 'Backreference':
      return { min: 0, fillable: 1 }
    default:
      return { min: 1, fillable: 1 }
  }
}
