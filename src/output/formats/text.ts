import { groupBy } from '../../groups.ts'
import { incompleteLines } from '../incomplete.ts'
import { positionText, type Problem } from '../problems.ts'
import type { WriteReport, ProblemReport, ProblemGroup } from '../report.ts'
import { type Line, type Part, plainText, type Writer } from '../text.ts'
import { textWidth } from '../width.ts'

const styles = { error: 'red', warning: 'magenta', info: 'dim' } as const

/** The place, severity, name, message and correction of a problem. */
function cellsOf(problem: Problem): Part[] {
  const { severity, message, name = '', suggestion } = problem
  const correction = suggestion === undefined ? '' : `did you mean ${suggestion}`
  const place = { dim: positionText({ ...problem, file: undefined }) }
  return [place, { [styles[severity]]: severity }, { bold: name }, message, correction]
}

function widthOf(part: Part = '', out: Writer): number {
  return textWidth(out.printable(`${plainText(part)}`))
}

/** A problem over several lines, for narrow terminals. */
function stackedLines(problem: Problem, out: Writer): Line[] {
  const [place = '', severity = '', name = '', message = '', correction = ''] = cellsOf(problem)
  const head = [place, severity, name].filter((part) => widthOf(part, out) > 0)
  return [
    ['  ', ...head.flatMap((part, i) => (i > 0 ? ['  ', part] : [part]))],
    ...(message === '' ? [] : [['    ', message]]),
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

function factLines(facts: ProblemGroup['facts'] = []): Line[] {
  const width = facts.reduce((most, [label]) => Math.max(most, label.length), 0)
  return facts.map(([label, text]) => [`${label.padEnd(width)}  ${text}`])
}

function groupLines(
  { heading, title, problems, verdict, facts }: ProblemGroup,
  out: Writer,
): Line[] {
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

function reportLines({ groups, incomplete }: ProblemReport, out: Writer): Line[] {
  const gaps = incompleteLines(incomplete).map((line) => [line])
  const blocks = [...groups.map((group) => groupLines(group, out)), gaps]
  const filled = blocks.filter(({ length }) => length > 0)
  return filled.flatMap((lines, index) => (index > 0 ? [[], ...lines] : lines))
}

export const writeReport: WriteReport = (report, out) => {
  out.lines(reportLines(report, out))
}
