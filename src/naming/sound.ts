import { simpleBound } from './bound.ts'
import { UndecidedError } from './budget.ts'
import { isLegal, maxNameLength } from './legal.ts'
import { compileRule, type NamingRule, ruleSource } from './rule.ts'
import { type Branch, type Element, parseSource } from './syntax.ts'

const maxLength = 1000
// An engine takes them in a few milliseconds; the lint reports only names that take far more.
const maxSteps = 1_000_000
// What the lint reports in the text of a pattern: whitespace, and a backslash at the end.
const suspicious = /\s|\\(?:[tsnrfv]|$)/

/** A short text that matches a part without look-around and back-references. */
function sampleOf(element: Element): string {
  switch (element.type) {
    case 'character':
      return (/[a-z]/.exec(element.characters) ?? element.characters)[0] ?? ''
    case 'group':
      return shortestOf(element.branches)
    case 'repeat':
      // What is optional may be too long for a string.
      return element.min === 0 ? '' : sampleOf(element.element).repeat(element.min)
    default:
      return ''
  }
}

function shortestOf(branches: readonly Branch[]): string {
  const [branch] = branches.toSorted((a, b) => a.least - b.least)
  return branch?.elements.map(sampleOf).join('') ?? ''
}

/**
 * Whether a rule plainly has no errors: a quick check that most rules pass. Only the lint can find out whether
 * the others have errors.
 */
export function isPlainlySound({ pattern = '', example }: NamingRule): boolean {
  if (pattern === '' || pattern.length > maxLength || suspicious.test(pattern)) return false
  try {
    const rule = compileRule(pattern)
    const syntax = parseSource(ruleSource(pattern))
    if (syntax.least > maxNameLength || simpleBound(syntax) > maxSteps) return false
    const name = example || shortestOf(syntax.branches)
    return isLegal(name) && rule.test(name)
  } catch (error) {
    // The engine refuses the pattern, possibly only when it is used.
    if (error instanceof SyntaxError || error instanceof UndecidedError) return false
    throw error
  }
}
