import { wholeText } from '../../old/output/blocks.ts'
import type { FormatOf } from '../../old/output/formats.ts'
import type { Observation } from '../evidence.ts'
import { isComplete, type Missing } from '../../projects/missing.ts'
import type { HourlySummary } from '../hourly-summary.ts'
import { type Coverage, lengthOf } from '../span.ts'
import type { Judgement, GateVerdict } from '../verdict.ts'
import type { GateRequest } from '../request.ts'
import type { UsageSource } from '../source.ts'
import { isoOrNull } from '../../old/output/dates.ts'
import { joinJson } from '../../old/output/json.ts'
import { asCode } from '../../old/output/markdown.ts'
import { missingJson, missingLine, missingText } from '../../projects/report/missing.ts'
import { groupDigits } from '../../old/output/phrases.ts'
import { githubReport, junitReport } from '../../old/output/problems/ci.ts'
import type { ReportItem } from '../../old/output/problems/text.ts'
import type { Printer } from '../../old/output/printer.ts'
import { type RowField, rowMarkdown } from '../../old/output/rows.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { wrappedLines } from '../../old/output/width.ts'

/** A flag with the result of its readings and the judgement on it. */
export interface JudgedFlag extends Observation, Judgement {
  reason: string
}

/** The result of a gate. Times are ISO 8601, UTC. */
export interface GateReport {
  gate: Pick<GateRequest, 'expectation' | 'options'>
  source: Pick<UsageSource, 'target' | 'baseUrl' | 'projects' | 'missing'>
  startedAt: string
  endedAt: string
  verdict: GateVerdict
  flags: JudgedFlag[]
}

function summaryJson({ lastUsed, applications, environments, uses }: HourlySummary): object {
  return {
    lastUsed: isoOrNull(lastUsed),
    applications,
    environments,
    uses: uses.map(({ application = null, environment = null, lastUsed }) => {
      return { application, environment, lastUsed: isoOrNull(lastUsed) }
    }),
  }
}

/** The length of the covered time in seconds; null if it is not known. */
function spanSeconds(covered: Coverage | undefined): number | null {
  const length = covered && lengthOf(covered)
  return length === undefined ? null : Math.floor(length / 1000)
}

/** The covered time; empty if the flag was never read. */
function coverageJson(covered: Coverage | undefined): object {
  if (!covered) return {}
  return {
    from: isoOrNull(covered.from),
    to: isoOrNull(covered.to),
    spanSeconds: spanSeconds(covered),
  }
}

/** The time that the evidence of every flag covers at least; null if that is not known. */
function leastSeconds(flags: readonly JudgedFlag[]): number | null {
  const lengths = flags.map(({ covered }) => spanSeconds(covered))
  const known = lengths.filter((length) => length !== null)
  return known.length < lengths.length
    ? null
    : known.reduce((least, length) => Math.min(least, length))
}

function flagJson(judged: JudgedFlag): string {
  const { enabled, disabled, summary } = judged
  const facts = {
    flag: judged.flag,
    project: judged.project,
    readings: judged.readings,
    failedReadings: judged.failedReadings,
    firstSeen: judged.firstSeen,
    lastSeen: judged.lastSeen,
    newestRecord: judged.newestRecord,
    records: judged.records,
    matchingRecords: judged.matchingRecords,
    seenApplications: judged.seenApplications,
    unnamedUsage: judged.unnamedUsage,
    ...coverageJson(judged.covered),
    verdict: judged.verdict,
    reason: judged.reason,
    ...(isNotFlag(judged) && { notFlag: true }),
    history: summary && summaryJson(summary),
  }
  return joinJson(JSON.stringify(facts), `{"enabled":${enabled},"disabled":${disabled}}`)
}

/** The evidence as one JSON document; counts are exact. */
function gateJson(report: GateReport, { jsonText }: Sanitizer): Safe {
  const { flags, startedAt, endedAt, verdict } = report
  const { expectation, options } = report.gate
  const { baseUrl, missing } = report.source
  const asked = options.since ?? options.for
  const requestedSeconds = asked === undefined ? null : asked / 1000
  const times = { requestedSeconds, spanSeconds: leastSeconds(flags), startedAt, endedAt }
  const incomplete = missingJson(missing)
  const head = JSON.stringify({ expect: expectation, ...times, verdict, incomplete })
  const list = `{"flags":[${flags.map(flagJson).join(',')}],"baseUrl":${JSON.stringify(baseUrl)}}`
  return safe`${jsonText(joinJson(head, list))}\n`
}

function caption({ source }: GateReport, { text }: Sanitizer): Safe {
  return safe`Usage on ${text(source.target)}`
}

const marks: Record<GateVerdict, Safe> = { passed: safe`✓`, failed: safe`✗`, inconclusive: safe`?` }

/** Whether the service has no flag of this name, which differs from an unused one. */
function isNotFlag({ doubt }: JudgedFlag): boolean {
  return doubt?.kind === 'refused' && doubt.error.kind === 'notFound' && !doubt.error.service
}

/** Whether there can be flags of several projects. */
function showsProjects({ source }: GateReport): boolean {
  return source.projects?.isSingle === false
}

/** The state of a flag, with the expectation if that is something else, and with its project if there are several. */
function stateOf(flag: JudgedFlag, report: GateReport): string {
  const { verdict, reason } = flag
  if (isNotFlag(flag)) return reason
  const state = flag.firstSeen === null ? 'unused' : 'in use'
  const remarks = verdict === 'passed' ? [] : [`expected ${report.gate.expectation}`]
  if (showsProjects(report) && flag.project !== undefined) remarks.push(`project ${flag.project}`)
  const shown = verdict === 'inconclusive' ? verdict : state
  return remarks.length > 0 ? `${shown} (${remarks.join(', ')})` : shown
}

/** The state of a flag and the reason for it. */
function outcome(flag: JudgedFlag, report: GateReport): string {
  const state = stateOf(flag, report)
  return isNotFlag(flag) ? state : `${state}: ${flag.reason}`
}

/** Why a gate has not passed: the state of a single flag, or how many flags have each verdict. */
export function gateSummary(report: GateReport): string {
  const { flags, gate } = report
  const [first] = flags
  if (first && flags.length === 1) return `${first.flag} is ${stateOf(first, report)}`
  const count = (sought: GateVerdict) =>
    `${flags.filter(({ verdict }) => verdict === sought).length} ${sought}`
  return `expected ${gate.expectation}: ${count('passed')}, ${count('failed')}, ${count('inconclusive')}`
}

/** A line for each flag: what it is, and why. */
function gateText(report: GateReport, printer: Printer): Safe {
  const { text, style } = printer
  const colors = { passed: style.green, failed: style.red, inconclusive: style.yellow }
  const lines = report.flags.map((judged) => {
    const { flag, verdict } = judged
    const sentence = `${flag} is ${outcome(judged, report)}`
    return safe`${colors[verdict](marks[verdict])} ${text(sentence)}`
  })
  return joined([
    wrappedLines([caption(report, printer), safe``], printer.width),
    wrappedLines(lines, printer.width, 2),
    missingLine(report.source.missing, printer),
  ])
}

/** A table for a comment on a pull request. */
function gateMarkdown(report: GateReport, printer: Printer): Safe {
  const project = { title: safe`Project`, value: ({ project = '' }: JudgedFlag) => project }
  const fields: RowField<JudgedFlag>[] = [
    { title: safe`Flag`, value: ({ flag }) => flag },
    ...(showsProjects(report) ? [project] : []),
    {
      title: safe`Expected ${printer.text(report.gate.expectation)}`,
      value: (flag) => `${marks[flag.verdict]} ${isNotFlag(flag) ? 'not a flag' : flag.verdict}`,
      kind: 'word',
    },
    { title: safe`Reason`, value: ({ reason }) => reason },
    { title: safe`Enabled`, value: ({ enabled }) => groupDigits(enabled), kind: 'number' },
    { title: safe`Disabled`, value: ({ disabled }) => groupDigits(disabled), kind: 'number' },
  ]
  return joined([
    linesOf([caption(report, printer), safe``]),
    ...rowMarkdown(report.flags, fields, printer),
    missingLine(report.source.missing, asCode(printer)),
  ])
}

/** An inconclusive flag is an error too, because a CI system must not show it as passed. */
function itemOf(judged: JudgedFlag, report: GateReport): ReportItem {
  const { flag, verdict } = judged
  return {
    code: isNotFlag(judged) ? 'usage-not-a-flag' : `usage-${verdict}`,
    severity: verdict === 'passed' ? 'info' : 'error',
    name: flag,
    message: outcome(judged, report),
  }
}

/** An item for what could not be read; none if everything was. */
function missingItems(missing: Missing, { text }: Sanitizer): ReportItem[] {
  if (isComplete(missing)) return []
  const severity = missing.projects.names.length > 0 ? 'error' : 'warning'
  const message = missingText(missing, text)
  return [{ code: 'usage-incomplete', severity, message }]
}

export function renderGate(format: FormatOf<'gate'>, report: GateReport, printer: Printer): Safe {
  const { flags, source } = report
  const items = () => [
    ...flags.map((judged) => itemOf(judged, report)),
    ...missingItems(source.missing, printer),
  ]
  switch (format) {
    case 'text':
      return gateText(report, printer)
    case 'json':
      return gateJson(report, printer)
    case 'markdown':
      return gateMarkdown(report, printer)
    case 'github':
      return githubReport(items(), printer)
    case 'junit': {
      const { baseUrl } = source
      return wholeText(junitReport(items(), 'flagadm feature usage', printer, { baseUrl }))
    }
  }
}
