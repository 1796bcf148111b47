import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import { type Finding, finding } from '../finding.ts'
import type { Language } from '../language.ts'
import { legalCharacters, maxNameLength } from '../legal.ts'
import { compileFailure, ruleSource } from '../rule.ts'
import { isInClass } from '../syntax.ts'
import { withoutDelimiters } from './delimiters.ts'
import { spanOfBranch } from './span.ts'
import type { Subject } from './subject.ts'

/** The first character that the pattern spells out and no name can hold. */
function illegalLiteral(syntax: AST.Pattern): string | undefined {
  const found: string[] = []
  visitRegExpAST(syntax, {
    onCharacterEnter(node) {
      const text = String.fromCodePoint(node.value)
      if (!isInClass(node) && !legalCharacters.includes(text)) found.push(text)
    },
  })
  return found[0]
}

const tooLong = `every match is longer than ${maxNameLength} characters`

/** Whether that is plain without an automaton. */
function isTooLong({ alternatives }: AST.Pattern): boolean {
  return alternatives.every((branch) => spanOfBranch(branch).min > maxNameLength)
}

function reason({ solver, source, syntax }: Subject, names: Language): string {
  const tree = syntax()
  if (!solver.isEmpty(names, Infinity)) return tooLong
  if (solver.run(() => new RegExp(source).test(''))) return 'it matches the empty name alone'
  const illegal = solver.run(() => illegalLiteral(tree))
  return illegal ? `a name cannot hold "${illegal}"` : 'none of its matches is a legal name'
}

/** Without slashes and flags, if a name can match then. */
function satisfiable({ pattern, solver }: Subject): string | undefined {
  const bare = withoutDelimiters(pattern)
  if (bare === pattern || bare === '' || compileFailure(bare) !== undefined) return undefined
  return solver.isEmpty(solver.widest(ruleSource(bare))) ? undefined : bare
}

function hopeless(subject: Subject, why: string): Finding {
  const suggestion = satisfiable(subject)
  return finding('unsatisfiable', `no legal flag name can match: ${why}`, { suggestion })
}

/** Whether the pattern accepts too little or too much. */
export function extentFindings(subject: Subject): Finding[] {
  const { solver, source } = subject
  const tree = subject.syntax()
  if (solver.run(() => isTooLong(tree))) return [hopeless(subject, tooLong)]
  // Where even more than the pattern accepts is nothing, the pattern accepts nothing.
  const names = solver.widest(source)
  if (solver.isEmpty(names)) {
    return [hopeless(subject, reason(subject, names))]
  }
  const rest = solver.without(solver.names(''), solver.names(source))
  if (!solver.isEmpty(rest)) return []
  return [finding('matches-everything', 'every legal flag name matches')]
}
