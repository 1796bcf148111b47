import { costOf } from './cost/cost.ts'
import { createBudget, UndecidedError } from './budget.ts'
import { isLegalName, maxNameLength } from '../../input/flag-names.ts'
import { compileRule, type NamingRule, ruleSource } from './rule.ts'
import { parseSource } from './syntax.ts'
import { shortestText } from './cost/texts.ts'

const maxLength = 1000
// An engine takes them in a few milliseconds; the lint reports only names that take far more.
const maxSteps = 1_000_000
const proofSteps = 1_000_000
// Spaces, escapes of whitespace and a backslash at the end, which the lint reports.
const suspicious = / |\\(?:[tsnrfv]|$)/

/**
 * Whether a rule certainly has no errors: a quick check that most rules pass. Only the lint can find out whether
 * the others have errors.
 */
export async function isPlainlySound(
  { pattern = '', example }: NamingRule,
  signal: AbortSignal,
): Promise<boolean> {
  if (pattern === '' || pattern.length > maxLength || suspicious.test(pattern)) return false
  try {
    const rule = compileRule(pattern)
    const syntax = parseSource(ruleSource(pattern))
    if (syntax.least > maxNameLength || syntax.branches.length > 1) return false
    const { bound } = await costOf(syntax, maxSteps, createBudget(proofSteps, signal))
    if (bound > maxSteps) return false
    const name = example || shortestText(syntax.branches)
    return isLegalName(name) && rule.test(name)
  } catch (error) {
    // The engine refuses the pattern, possibly only when it is used.
    if (error instanceof SyntaxError || error instanceof UndecidedError) return false
    throw error
  }
}
