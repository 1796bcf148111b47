import { createHash } from 'node:crypto'
import { gapProblems, type Problem, sentence } from '../problems.ts'
import { type WriteReport, problemsOf } from '../report.ts'

const severities = { error: 'major', warning: 'minor', info: 'info' } as const

// Without the line, so that GitLab recognises a problem after lines were added above it.
function identity({ code, name, message }: Problem, path: string): string {
  return JSON.stringify([code, path, name ?? message])
}

/** Prints a Code Quality report of GitLab, which requires a path for each problem. */
export const writeReport: WriteReport = (report, out) => {
  const { incomplete, fallbackPath = '' } = report
  const counts = new Map<string, number>()
  const issues = [...problemsOf(report), ...gapProblems(incomplete)].map((problem) => {
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
  out.json(issues)
}
