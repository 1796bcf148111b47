import type { FormatOf } from '../../output/formats.ts'
import type { ProjectSettings } from '../../service/schema.ts'
import { operations, requestOf } from '../../service/operations.ts'
import { changesBetween } from '../changes.ts'
import { documentOf, type StoredSettings } from '../stored.ts'
import { changesText, fieldsText } from './changes.ts'
import { jsonReport } from '../../output/json.ts'
import type { Printer } from '../../output/printer.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../output/text.ts'
import { wrapIndented, wrappedLines } from '../../output/width.ts'

/** The result of `project settings set`, or of its dry run. */
export interface SettingsReport {
  projectId: string
  baseUrl: string
  /** Profile and address, as shown to the user. */
  target: string
  dryRun: boolean
  /** The requested settings. */
  settings: ProjectSettings
  /** The body of the request. */
  body: ProjectSettings
  /** Whether the body was sent, or would be without the dry run. */
  sends: boolean
  /** The settings before and after; undefined if they were not read. */
  read?: {
    before: StoredSettings
    after: StoredSettings
    /** Whether the settings were read back as expected, or no request was needed. */
    verified: boolean
  }
}

function requestFor({ projectId, body }: SettingsReport) {
  return requestOf(operations.updateProjectSettings, { projectId }, body)
}

function settingsJson(report: SettingsReport, sanitizer: Sanitizer): Safe {
  const { projectId, baseUrl, dryRun, settings, body, sends, read } = report
  const { method, path } = requestFor(report)
  const preview = { method, url: baseUrl + path, body: sends ? body : null }
  const document = {
    projectId,
    baseUrl,
    dryRun,
    ...(dryRun && preview),
    settings,
    changed: read ? changesBetween(read.before, read.after).length > 0 : true,
    sent: sends && !dryRun ? body : null,
    ...(read && {
      verified: read.verified,
      before: documentOf(read.before),
      after: documentOf(read.after),
    }),
  }
  return jsonReport(document, sanitizer)
}

function requestText(report: SettingsReport, printer: Printer): Safe {
  const { text, style, jsonText } = printer
  const { method, path } = requestFor(report)
  return linesOf([
    safe`${style.bold(text(method))} ${text(report.baseUrl + path)}`,
    jsonText(JSON.stringify(report.body, null, 2)),
  ])
}

function projectText({ projectId, target }: SettingsReport, { text, style }: Printer): Safe {
  return safe`project ${style.bold(text(projectId))} on ${text(target)}`
}

/** The settings that were sent, for a service whose settings cannot be read. */
function sentText(report: SettingsReport, printer: Printer): Safe {
  const head = safe`${printer.style.green(safe`Updated`)} ${projectText(report, printer)}`
  return joined([
    wrappedLines([head], printer.width, 2),
    linesOf(fieldsText(report.settings, safe`(cleared)`, printer)),
  ])
}

function changedText(
  report: SettingsReport,
  { before, after }: NonNullable<SettingsReport['read']>,
  printer: Printer,
): Safe {
  const { dryRun, sends } = report
  const changes = changesBetween(before, after)
  const project = projectText(report, printer)
  const { width } = printer
  if (!sends) {
    return wrappedLines([safe`unchanged: ${project} already has these settings`], width, 2)
  }
  const verb = dryRun ? safe`Would update` : printer.style.green(safe`Updated`)
  const lines = changes.length > 0 ? changesText(changes, printer) : [safe`  unchanged`]
  const text = linesOf([...wrapIndented(safe`${verb} ${project}`, width, 2), ...lines])
  return dryRun ? safe`${text}\n${requestText(report, printer)}` : text
}

/** The text of `set` before it asks: the change, and warnings about it. */
export function changeDetails(
  report: SettingsReport & Required<Pick<SettingsReport, 'read'>>,
  concerns: readonly string[],
  printer: Printer,
): Safe {
  const { text, style, width } = printer
  const { before, after } = report.read
  return linesOf([
    ...wrapIndented(safe`Would update ${projectText(report, printer)}`, width, 2),
    ...changesText(changesBetween(before, after), printer),
    ...concerns.flatMap((concern) =>
      wrapIndented(safe`${style.yellow(safe`warning:`)} ${text(concern)}`, width, 2),
    ),
  ])
}

/** The report in a format: what changed; for a dry run, what would change and the request. */
export function renderSettings(
  format: FormatOf<'textOrJson'>,
  report: SettingsReport,
  printer: Printer,
): Safe {
  if (format === 'json') return settingsJson(report, printer)
  if (report.read) return changedText(report, report.read, printer)
  return (report.dryRun ? requestText : sentText)(report, printer)
}
