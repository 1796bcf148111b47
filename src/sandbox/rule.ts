import { runInNewContext } from 'node:vm'
import type { Problem } from '../input/shape.ts'

/** A naming rule as a request or a seed file states it. */
export interface FeatureNaming {
  pattern?: string
  example?: string
  description?: string
}

/** A naming rule as a project keeps it; a project without one has no pattern. */
export interface StoredNaming {
  pattern: string | null
  example: string | null
  description: string | null
}

export const noNaming: StoredNaming = { pattern: null, example: null, description: null }

const matchLimit = 500
const whitespace = [' ', '\\t', '\\s', '\\n', '\\r', '\\f', '\\v']

function problem(field: keyof FeatureNaming, message: string): Problem {
  return { path: `featureNaming.${field}`, message }
}

function exampleProblem(pattern: string, example: string): Problem | undefined {
  try {
    RegExp(`^${pattern}$`)
  } catch {
    return problem('pattern', 'not a regular expression, so the example cannot match')
  }
  try {
    const matches = runInNewContext(
      'RegExp("^" + pattern + "$").test(example)',
      { pattern, example },
      { timeout: matchLimit },
    )
    return matches === true ? undefined : problem('example', 'does not match the pattern')
  } catch {
    return problem('pattern', `cannot be matched with the example within ${matchLimit} ms`)
  }
}

/** Why the service would refuse a naming rule, if it would. A broken pattern alone passes, as it does there. */
export function namingProblem(naming: FeatureNaming): Problem | undefined {
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

/** What a project keeps after such an update: a pattern replaces the whole rule, an empty field is cleared. */
export function mergeNaming(stored: StoredNaming, sent: FeatureNaming): StoredNaming {
  const kept = sent.pattern ? noNaming : stored
  const field = (name: keyof FeatureNaming) => {
    const text = sent[name]
    return text === undefined ? kept[name] : text || null
  }
  return {
    pattern: field('pattern'),
    example: field('example'),
    description: field('description'),
  }
}
