import { groupBy } from '../groups.ts'
import { filled, type RowField } from './fields.ts'
import { incompleteLines } from './incomplete.ts'
import { codeSpan, markdownTable, markdownText } from './markdown.ts'
import { gapProblems, githubText, junitText, positionText } from './problems.ts'
import type { Gap, Problem, ProblemKind } from './problems.ts'
import { jsonLines, nameLines, printRows } from './rows.ts'
import { textWidth } from './table.ts'
import type { Line, Part, Writer } from './text.ts'

/** Columns of CSV and Markdown: Markdown shows only those with a title. */
export const problemFields = {
  project: { name: 'project', title: 'Project', value: (one) => one.project, kind: 'key' },
  name: { name: 'name', title: 'Name', value: (one) => one.name, kind: 'key' },
  severity: { name: 'severity', title: 'Severity', value: (one) => one.severity },
  message: { name: 'message', title: 'Message', value: (one) => one.message, kind: 'name' },
  suggestion: {
    name: 'suggestion',
    title: 'Did you mean',
    value: (one) => one.suggestion,
    kind: 'name',
  },
  file: { name: 'file', value: (one) => one.file, kind: 'key' },
  line: { name: 'line', value: (one) => one.line, kind: 'number' },
  column: { name: 'column', value: (one) => one.column, kind: 'number' },
  place: { title: 'Place', value: (one) => positionText(one) || undefined, kind: 'key' },
} as const satisfies Record<string, RowField<Problem>>

/** The problems of one result, such as that of a project, and what else is known about it. */
export interface Result {
  /** What it is about, if there are several. */
  heading?: string | undefined
  /** What it is, in one line above the problems. */
  title?: string | undefined
  problems: readonly Problem[]
  /** What follows from the problems, in one line below them. */
  verdict?: Line | undefined
  /** What else is known: a label and a text. */
  facts?: readonly (readonly [label: string, text: string])[]
}

/** The results of a command. */
export interface Report {
  /** The command: `flagadm naming check`. */
  title: string
  results: readonly Result[]
  incomplete: readonly Gap[]
  /** The JSON document, without what is incomplete. */
  json: object
  /** The objects of JSON Lines; by default, the problems. */
  rows?: readonly object[]
  /** The columns of CSV and Markdown. */
  fields: readonly RowField<Problem>[]
  /** Every kind of problem, whether it occurred or not; for SARIF. */
  kinds?: readonly ProblemKind[]
  /** The file that GitLab and SARIF show for problems without one. */
  fallbackPath?: string
}

export type ProblemFormat =
  | 'text'
  | 'json'
  | 'jsonl'
  | 'csv'
  | 'markdown'
  | 'github'
  | 'gitlab'
  | 'junit'
  | 'sarif'
  | 'names'

const styles = { error: 'red', warning: 'magenta', info: 'dim' } as const

/** The place, severity, name, message and correction of a problem. */
function cellsOf(problem: Problem): Part[] {
  const { severity, message, name = '', suggestion } = problem
  const correction = suggestion === undefined ? '' : `did you mean ${suggestion}`
  const place = { dim: positionText({ ...problem, file: undefined }) }
  return [place, { [styles[severity]]: severity }, { bold: name }, message, correction]
}

const plain = (part: Part) => (typeof part === 'object' ? (Object.values(part)[0] ?? '') : part)

function widthOf(part: Part = '', out: Writer): number {
  return textWidth(out.printable(`${plain(part)}`))
}

/** A problem over several lines, for narrow terminals. */
function stackedLines(problem: Problem, out: Writer): Line[] {
  const [place = '', severity = '', name = '', message = '', correction = ''] = cellsOf(problem)
  const head = [place, severity, name].filter((part) => widthOf(part, out) > 0)
  return [
    ['  ', ...head.flatMap((part, i) => (i > 0 ? ['  ', part] : [part]))],
    ['    ', message],
    ...(correction === '' ? [] : [['    ', correction]]),
  ]
}

/** Problems in columns; places end in the same column, and empty columns are left out. */
function alignedLines(problems: readonly Problem[], out: Writer): Line[] {
  const rows = problems.map(cellsOf)
  const widths = [0, 1, 2, 3, 4].map((column) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[column], out)), 0),
  )
  const needed = widths.reduce((sum, width) => (width > 0 ? sum + 2 + width : sum), 0)
  if (out.width !== undefined && needed > out.width) {
    return problems.flatMap((problem) => stackedLines(problem, out))
  }
  return rows.map((row) => {
    const last = row.findLastIndex((part) => widthOf(part, out) > 0)
    return row.slice(0, last + 1).flatMap((part, column) => {
      const width = widths[column] ?? 0
      if (width === 0) return []
      const blanks = ' '.repeat(width - widthOf(part, out))
      return column === 0 ? [`  ${blanks}`, part] : ['  ', part, column === last ? '' : blanks]
    })
  })
}

/** The problems by file, in order of first occurrence. */
function problemLines(problems: readonly Problem[], out: Writer): Line[] {
  const groups = [...groupBy(problems, ({ file, project }) => file ?? project)]
  return groups.flatMap(([heading, some], index) => [
    ...(index > 0 ? [[]] : []),
    ...(heading === undefined ? [] : [[{ bold: heading }]]),
    ...alignedLines(some, out),
  ])
}

function factLines(facts: Result['facts'] = []): Line[] {
  const width = facts.reduce((most, [label]) => Math.max(most, label.length), 0)
  return facts.map(([label, text]) => [`${label.padEnd(width)}  ${text}`])
}

function resultLines({ heading, title, problems, verdict, facts }: Result, out: Writer): Line[] {
  return [
    ...(heading === undefined ? [] : [[{ bold: heading }]]),
    ...(title === undefined ? [] : [[title]]),
    ...problemLines(
      // The heading is the project.
      heading === undefined ? problems : problems.map((one) => ({ ...one, project: undefined })),
      out,
    ),
    ...(verdict === undefined ? [] : [verdict]),
    ...factLines(facts),
  ]
}

function reportLines({ results, incomplete }: Report, out: Writer): Line[] {
  const gaps = incompleteLines(incomplete).map((line) => [line])
  const blocks = [...results.map((result) => resultLines(result, out)), gaps]
  const filled = blocks.filter(({ length }) => length > 0)
  return filled.flatMap((lines, index) => (index > 0 ? [[], ...lines] : lines))
}

function markdownOf({ title, results, incomplete, fields }: Report, out: Writer): string {
  const text = (line: Line) => markdownText(out.rendered(line.map(plain)))
  const blocks = results.flatMap(({ heading, title, problems, verdict, facts = [] }) => [
    heading !== undefined && `### ${codeSpan(out.printable(heading))}\n`,
    title !== undefined && `${text([title])}\n`,
    verdict && `${text(verdict)}\n`,
    problems.length > 0 && markdownTable(filled(fields, problems), problems, out),
    facts.map(([label, fact]) => `- ${text([`${label}: ${fact}`])}\n`).join(''),
  ])
  const gaps = incompleteLines(incomplete).map((line) => `${text([line])}\n`)
  return `<!-- ${title} -->\n${[...blocks, ...gaps].filter(Boolean).join('\n')}`
}

/** What a result is, as annotations of the run. */
function notices({ title, heading: project, facts = [] }: Result): Problem[] {
  if (title === undefined) return []
  const messages = [title, ...facts.map(([label, text]) => `${label}: ${text}`)]
  return messages.map((message) => ({ code: 'summary', severity: 'info', message, project }))
}

/** Prints a report in a format. What is incomplete is a warning if the format has no place for it. */
export async function printReport(
  format: ProblemFormat,
  report: Report,
  { out, messages }: { out: Writer; messages: { warn(message: string): void } },
): Promise<void> {
  const { title, results, incomplete, json, fields, kinds = [], fallbackPath = '' } = report
  const problems = results.flatMap((result) => result.problems)
  const all = [...problems, ...gapProblems(incomplete)]
  const gaps = incomplete.map(({ message, names }) => ({ message, names }))
  const names = problems.flatMap(({ name }) => name ?? [])
  const warnings = format === 'csv' || format === 'names' ? incompleteLines(incomplete) : []
  for (const line of warnings) messages.warn(line)
  switch (format) {
    case 'text':
      return out.lines(reportLines(report, out))
    case 'json':
      return out.json({ ...json, ...(gaps.length > 0 && { incomplete: gaps }) })
    case 'markdown':
      return out.raw(markdownOf(report, out))
    case 'csv':
      return printRows('csv', { rows: problems, fields, nothing: '' }, out)
    case 'jsonl': {
      const rows = report.rows ?? problems
      const objects = [...rows, ...(gaps.length > 0 ? [{ incomplete: gaps }] : [])]
      return out.raw(jsonLines(objects, out))
    }
    case 'github':
      return out.raw(githubText([...results.flatMap(notices), ...all], out))
    case 'junit':
      return out.raw(junitText(all, title, out))
    case 'names':
      return out.raw(nameLines(names, out))
    case 'gitlab': {
      // Loaded only here, because loading node:crypto takes longer than most checks.
      const { gitlabJson } = await import('./gitlab.ts')
      return out.json(gitlabJson(all, fallbackPath, out))
    }
    case 'sarif': {
      const { sarifJson } = await import('./sarif.ts')
      return out.json(sarifJson(problems, { kinds, incomplete, fallbackPath }, out))
    }
  }
}
