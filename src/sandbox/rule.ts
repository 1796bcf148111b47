import { runInNewContext } from 'node:vm'
import type { Problem } from '../input/shape.ts'

/** A naming rule as it is sent. */
interface NamingRule {
  pattern?: string
  example?: string
  description?: string
}

/** A naming rule as a project stores it: null for a field that was never set, empty for a cleared one. */
export type StoredNaming = Record<keyof NamingRule, string | null>

export const noNaming: StoredNaming = { pattern: null, example: null, description: null }

const matchLimit = 500
const whitespace = [' ', '\\t', '\\s', '\\n', '\\r', '\\f', '\\v']

function problem(field: keyof NamingRule, message: string): Problem {
  return { path: `featureNaming.${field}`, message }
}

/** Matches as the service does; a hostile pattern is stopped. */
function match(pattern: string, name: string): 'yes' | 'no' | 'broken' | 'slow' {
  try {
    RegExp(`^${pattern}$`)
  } catch {
    return 'broken'
  }
  try {
    const matches = runInNewContext(
      'RegExp("^" + pattern + "$").test(name)',
      { pattern, name },
      { timeout: matchLimit },
    )
    return matches === true ? 'yes' : 'no'
  } catch {
    return 'slow'
  }
}

function exampleProblem(pattern: string, example: string): Problem | undefined {
  switch (match(pattern, example)) {
    case 'broken':
      return problem('pattern', 'not a regular expression, so the example cannot match')
    case 'slow':
      return problem('pattern', `cannot be matched with the example within ${matchLimit} ms`)
    case 'no':
      return problem('example', 'does not match the pattern')
    case 'yes':
      return undefined
  }
}

/** Why the service would refuse a new flag name under a rule; a broken pattern accepts every name, as it does there. */
export function ruleViolation({ pattern }: StoredNaming, name: string): string | undefined {
  if (!pattern) return undefined
  const rule = `the project's naming pattern "${pattern}"`
  switch (match(pattern, name)) {
    case 'slow':
      return `The name "${name}" cannot be matched with ${rule} within ${matchLimit} ms`
    case 'no':
      return `The name "${name}" does not match ${rule}`
    default:
      return undefined
  }
}

/** Why the service would refuse a naming rule, if it would. Like the service, accepts a broken pattern without an example. */
export function namingProblem(naming: NamingRule): Problem | undefined {
  const { pattern, example, description } = naming
  if (pattern) {
    if (whitespace.some((text) => pattern.includes(text))) {
      return problem('pattern', `must not contain a space or ${whitespace.slice(1).join(' ')}`)
    }
    return example ? exampleProblem(pattern, example) : undefined
  }
  if (example) return problem('example', 'needs a pattern')
  if (description) return problem('description', 'needs a pattern')
  return undefined
}

/** The rule after an update: a new pattern replaces the whole rule, other fields are stored as sent. */
export function mergeNaming(stored: StoredNaming, sent: NamingRule): StoredNaming {
  const { pattern, example, description } = sent
  if (pattern) return { pattern, example: example || null, description: description || null }
  return { ...stored, ...sent }
}
