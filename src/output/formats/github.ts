import { gapProblems, type Problem, sentence } from '../problems.ts'
import type { WriteReport, ProblemGroup } from '../report.ts'
import type { Writer } from '../text.ts'

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const

// Printable text has no line breaks to escape.
function escapeData(text: string): string {
  return text.replaceAll('%', '%25')
}

/** A workflow command, which annotates a line of a file, or the run if the problem has no file. */
function annotation(problem: Problem, out: Writer): string {
  const { severity, file, line, column: col, code: title } = problem
  const properties = Object.entries({ file, line, col, title })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const text = escapeData(out.printable(`${value}`))
      return `${key}=${text.replaceAll(':', '%3A').replaceAll(',', '%2C')}`
    })
  const message = escapeData(sentence(problem, out))
  return `::${commands[severity]} ${properties.join(',')}::${message}\n`
}

/** The title and the facts of a result, as annotations of the run. */
function notices({ title, heading: project, facts = [] }: ProblemGroup): Problem[] {
  if (title === undefined) return []
  const messages = [title, ...facts.map(([label, text]) => `${label}: ${text}`)]
  return messages.map((message) => ({ code: 'summary', severity: 'info', message, project }))
}

/** Prints workflow commands of GitHub Actions, one per line. */
export const writeReport: WriteReport = ({ groups, incomplete }, out) => {
  const problems = groups.flatMap((group) => group.problems)
  const all = [...groups.flatMap(notices), ...problems, ...gapProblems(incomplete)]
  out.raw(all.map((problem) => annotation(problem, out)).join(''))
}
