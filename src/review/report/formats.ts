import { type Blocks, inBlocks } from '../../old/output/blocks.ts'
import { csvBlocks, csvCell, csvJsonCell } from '../../old/output/csv.ts'
import { isoOrNull } from '../../old/output/dates.ts'
import type { FormatOf } from '../../old/output/formats.ts'
import { joinJson, jsonWithRows, nullableJson } from '../../old/output/json.ts'
import type { Printer } from '../../old/output/printer.ts'
import { githubReport } from '../../old/output/problems/ci.ts'
import type { ReportItem } from '../../old/output/problems/text.ts'
import { nameLines } from '../../old/output/rows.ts'
import { type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { lastSeenIn } from '../../projects/flags.ts'
import { isComplete } from '../../projects/missing.ts'
import { missingJson, missingJsonl, missingText } from '../../projects/report/missing.ts'
import { latest } from '../../usage/hourly.ts'
import { knownUsage } from '../evidence.ts'
import type { EnvironmentRow, ReviewedRow } from '../rows.ts'
import type { ReviewReport } from './report.ts'
import { notCheckedText, reviewMarkdown, reviewTable } from './table.ts'

function environmentJson({ lastUsed, yes, no, ...facts }: EnvironmentRow): string {
  const fields = nullableJson({ ...facts, lastUsed: isoOrNull(lastUsed) })
  return joinJson(fields, `{"yes":${yes},"no":${no}}`)
}

function environmentsJson(row: ReviewedRow): string {
  return `[${row.environments.map(environmentJson).join(',')}]`
}

/** The names of the flags that depend on it; undefined if the service does not report them. */
function dependentsOf({ flag }: ReviewedRow): readonly string[] | undefined {
  return flag.hasDependents === undefined ? undefined : flag.dependents
}

function referencesOf({ code }: ReviewedRow) {
  return code?.references.map(({ file, line, column, kind }) => ({ file, line, column, kind }))
}

/** The facts of a row with a single value. */
function factsOf(row: ReviewedRow) {
  const { type, stale, createdAt, hasDependents } = row.flag
  const summary = knownUsage(row)?.summary
  return {
    type,
    stale,
    createdAt,
    lastSeenAt: isoOrNull(latest(row.environments.map(lastSeenIn))),
    lastUsed: isoOrNull(latest(row.environments.map(({ lastUsed }) => lastUsed))),
    from: isoOrNull(summary?.span.from),
    to: isoOrNull(summary?.span.to),
    hasDependents,
  }
}

function rowJson(row: ReviewedRow): string {
  const { flag, verdict, reasons } = row
  const { projectId: project, name, lifecycle } = flag
  const subject = { project, flag: name, verdict, reasons }
  const lists = { dependents: dependentsOf(row), references: referencesOf(row) }
  const fields = { ...subject, ...factsOf(row), lifecycle, ...lists }
  return joinJson(nullableJson(fields), `{"environments":${environmentsJson(row)}}`)
}

/** The verdicts as one document. */
function reviewJson(
  { rows, totals, notChecked, missing }: ReviewReport,
  sanitizer: Sanitizer,
): Blocks {
  const flags = inBlocks(rows, (block) => sanitizer.jsonText(`[${block.map(rowJson).join(',')}]`))
  const rest = { totals, notChecked, incomplete: missingJson(missing) }
  return jsonWithRows({}, 'flags', flags, rest, sanitizer)
}

function* reviewJsonl({ rows, notChecked, missing }: ReviewReport, sanitizer: Sanitizer): Blocks {
  const { json, jsonText } = sanitizer
  yield* inBlocks(rows, (block) => jsonText(block.map((row) => `${rowJson(row)}\n`).join('')))
  if (notChecked.length > 0) yield safe`${json({ notChecked })}\n`
  yield missingJsonl(missing, sanitizer)
}

const csvColumns = [
  ...['project', 'flag', 'verdict', 'reasons', 'type', 'stale', 'createdAt', 'lastSeenAt'],
  ...['lastUsed', 'from', 'to', 'hasDependents', 'lifecycle', 'yes', 'no', 'references'],
  ...['environments', 'dependents'],
]

/** The verdicts as CSV; cells with several values are JSON. */
function reviewCsv({ rows }: ReviewReport, { text, json, jsonText }: Sanitizer): Blocks {
  const cell = (value: unknown) => csvCell(text(`${value ?? ''}`))
  return csvBlocks(csvColumns.map(text), rows, (row) => {
    const { flag, verdict, environments } = row
    const isRead = knownUsage(row) !== undefined
    const dependents = dependentsOf(row)
    const references = referencesOf(row)
    return [
      ...[flag.projectId, flag.name, verdict].map(cell),
      csvJsonCell(json(row.reasons)),
      ...Object.values(factsOf(row)).map(cell),
      cell(flag.lifecycle?.stage),
      isRead ? environments.reduce((sum, { yes }) => sum + yes, 0n) : safe``,
      isRead ? environments.reduce((sum, { no }) => sum + no, 0n) : safe``,
      references ? csvJsonCell(json(references)) : safe``,
      csvJsonCell(jsonText(environmentsJson(row))),
      dependents ? csvJsonCell(json(dependents)) : safe``,
    ]
  })
}

function reviewGithub(report: ReviewReport, sanitizer: Sanitizer): Safe {
  const { rows, failsOnRemovable, notChecked, missing } = report
  const severity = failsOnRemovable ? 'error' : 'warning'
  const items = rows.map(({ flag, verdict, reasons, code }): ReportItem => {
    const { file, line, column } = code?.references[0] ?? {}
    return {
      code: verdict,
      severity: verdict === 'removable' ? severity : 'info',
      name: flag.name,
      message: `${verdict} (project ${flag.projectId}): ${reasons.join('; ')}`,
      file,
      line,
      column,
    }
  })
  if (!isComplete(missing)) {
    const message = missingText(missing, sanitizer.text)
    items.push({ code: 'incomplete', severity: 'warning', message })
  }
  if (notChecked.length > 0) {
    const message = notCheckedText(notChecked)
    items.push({ code: 'not checked', severity: 'info', message })
  }
  return githubReport(items, sanitizer)
}

export function renderReview(
  format: FormatOf<'review'>,
  report: ReviewReport,
  printer: Printer,
): Blocks {
  switch (format) {
    case 'table':
      return reviewTable(report, printer)
    case 'json':
      return reviewJson(report, printer)
    case 'jsonl':
      return reviewJsonl(report, printer)
    case 'csv':
      return reviewCsv(report, printer)
    case 'markdown':
      return reviewMarkdown(report, printer)
    case 'github':
      return [reviewGithub(report, printer)]
    case 'names':
      return nameLines(
        report.rows.map(({ flag }) => flag.name),
        printer,
      )
  }
}
