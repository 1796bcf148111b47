import type { PartialSettings, Settings } from '../../service/settings-document.ts'
import type { FlagadmError } from '../../errors.ts'
import { requestFields, requestText } from '../../old/dry-run.ts'
import type { FormatOf } from '../../old/output/formats.ts'

import type { HttpRequest } from '../../service/transport.ts'
import { operations, requestOf } from '../../service/operations.ts'
import { changesBetween } from '../settings.ts'
import { documentOf } from '../settings.ts'
import { changesText, fieldsText } from './changes.ts'
import { jsonReport } from '../../old/output/json.ts'
import type { Printer } from '../../old/output/printer.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { wrapIndented, wrappedLines } from '../../old/output/width.ts'

/** The result of `project settings set`, or of its dry run. */
export interface SettingsReport {
  projectId: string
  baseUrl: string
  /** The service as shown to the user. */
  target: string
  dryRun: boolean
  /** The requested settings. */
  settings: PartialSettings
  /** The body of the request. */
  body: PartialSettings
  /** Whether the body was sent, or would be without the dry run. */
  sends: boolean
  /** The settings before and after; undefined if they were not read. */
  read?: { before: Settings; after: Settings }
  /** Set if the settings read back are not those expected. */
  error?: FlagadmError | undefined
}

/** The report of a change of settings that were read. */
export type ReadReport = SettingsReport & Required<Pick<SettingsReport, 'read'>>

function requestOfReport({ projectId, body }: SettingsReport): HttpRequest {
  return requestOf(operations.updateProjectSettings, { projectId }, body)
}

function settingsJson(report: SettingsReport, sanitizer: Sanitizer): Safe {
  const { projectId, baseUrl, dryRun, settings, body, sends, read, error } = report
  const document = {
    projectId,
    baseUrl,
    dryRun,
    ...(dryRun && {
      ...requestFields(requestOfReport(report), baseUrl),
      ...(!sends && { body: null }),
    }),
    settings,
    changed: !read || changesBetween(read.before, read.after).length > 0,
    sent: sends && !dryRun ? body : null,
    ...(read && {
      // They were read back as expected, or no request was needed.
      verified: !sends || !(dryRun || error),
      before: documentOf(read.before),
      after: documentOf(read.after),
    }),
  }
  return jsonReport(document, sanitizer)
}

function previewText(report: SettingsReport, printer: Printer): Safe {
  return requestText(requestOfReport(report), report.baseUrl, printer)
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

/** The changes of settings, below a line with the project. */
function changeLines(verb: Safe, report: ReadReport, printer: Printer): Safe[] {
  const changes = changesBetween(report.read.before, report.read.after)
  return [
    ...wrapIndented(safe`${verb} ${projectText(report, printer)}`, printer.width, 2),
    ...(changes.length > 0 ? changesText(changes, printer) : [safe`  unchanged`]),
  ]
}

function changedText(report: ReadReport, printer: Printer): Safe {
  const { dryRun, sends } = report
  if (!sends) {
    const project = projectText(report, printer)
    const line = safe`unchanged: ${project} already has these settings`
    return wrappedLines([line], printer.width, 2)
  }
  if (!dryRun) return linesOf(changeLines(printer.style.green(safe`Updated`), report, printer))
  const changes = linesOf(changeLines(safe`Would update`, report, printer))
  return safe`${changes}\n${previewText(report, printer)}`
}

/** The text of `set` before it asks: the change, and warnings about it. */
export function changeDetails(
  report: ReadReport,
  concerns: readonly string[],
  printer: Printer,
): Safe {
  const { text, style, width } = printer
  return linesOf([
    ...changeLines(safe`Would update`, report, printer),
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
  if (report.read) return changedText({ ...report, read: report.read }, printer)
  return (report.dryRun ? previewText : sentText)(report, printer)
}
