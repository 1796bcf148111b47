import { type Finding, finding } from '../finding.ts'
import { compileFailure, ruleSource } from '../rule.ts'
import { isNew } from '../syntax.ts'

const literal = /^\/(.+)\/([a-z]*)$/s
// An escape or a class, which is skipped, or a group that sets flags.
const flagGroup = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:[a-z]+(?:-[a-z]*)?|-[a-z]+)([:)])/gis

/** A pattern without what other notations put around it: slashes, flags, `(?i)`. */
export function withoutDelimiters(pattern: string): string {
  const inner = literal.exec(pattern)?.[1] ?? pattern
  return inner.replace(flagGroup, (text, end?: string) => {
    if (end === undefined) return text
    return end === ')' ? '' : '(?:'
  })
}

export function delimiterFindings(pattern: string): Finding[] {
  const suggestion = withoutDelimiters(pattern)
  // `(?i:…)` is a regular expression by now.
  if (suggestion === pattern || isNew(ruleSource(pattern))) return []
  const what = literal.test(pattern) ? 'slashes around it' : 'flags'
  const message = `the pattern has ${what}: the service takes a bare pattern and sets no flags`
  const isUsable = suggestion !== '' && compileFailure(suggestion) === undefined
  return [finding('delimiters', message, isUsable ? { suggestion } : {})]
}
