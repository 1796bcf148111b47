import { splitArguments } from './arguments.ts'

const DECLARATION = /\b(?:function\*?|defp?|func|fun|fn|sub)[ \t]+(?:self\.|\([^()\n]*\)[ \t]*)?$/
const LONGEST = 60

/** Whether a function of this name is declared here, perhaps with a default for its parameter. */
export function isDeclared(text: string, start: number): boolean {
  return DECLARATION.test(text.slice(Math.max(0, start - LONGEST), start))
}

// A type precedes the name of a method; these words do not.
const TYPED =
  /(?<![.\w])(?!(?:return|await|yield|throw|raise|new|typeof|in|of|case|else|do|if|elif|elsif|unless|while|until|when|and|or|not|is|then|assert|puts|print|echo|go|defer|try|with|match|guard)[ \t])[A-Za-z_][\w<>[\]?.]*[ \t]+$/
const MODIFIED = /(?:^|\n)[ \t]*(?:(?:public|private|protected|static|async|override)[ \t]+)*$/
const PARAMETER = /^\s*(?:\w+\s+)?[\w$]+\??\s*:/
const BODY = /^\s*(?::[^\n{;=]{1,80})?\{/

/**
 * Whether what looks like a call with an expression declares a method of a class or an interface.
 * @param rest the text after the opening bracket
 */
export function isMethod(text: string, start: number, rest: string): boolean {
  const before = text.slice(Math.max(0, start - LONGEST), start)
  if (TYPED.test(before)) return true
  if (!MODIFIED.test(before)) return false
  const { list, end } = splitArguments(rest)
  return PARAMETER.test(list[0]?.text ?? '') || (end !== undefined && BODY.test(rest.slice(end)))
}
