import { createHash } from 'node:crypto'
import { type Problem, sentence } from './problems.ts'
import type { Writer } from './text.ts'

const severities = { error: 'major', warning: 'minor', info: 'info' } as const

// Without the line, so that GitLab recognises a problem after lines were added above it.
function identity({ code, name, message }: Problem, path: string): string {
  return JSON.stringify([code, path, name ?? message])
}

/**
 * A Code Quality report of GitLab.
 * @param fallbackPath the path for problems without a file, because GitLab requires one
 */
export function gitlabJson(
  problems: readonly Problem[],
  fallbackPath: string,
  out: Writer,
): object[] {
  const counts = new Map<string, number>()
  return problems.map((problem) => {
    const path = problem.file ?? fallbackPath
    const key = identity(problem, path)
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return {
      description: sentence(problem, out),
      check_name: problem.code,
      fingerprint: createHash('sha256').update(`${key}${count}`).digest('hex'),
      severity: severities[problem.severity],
      location: { path, lines: { begin: problem.line ?? 1 } },
    }
  })
}
