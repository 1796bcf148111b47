import type { ChalkInstance } from 'chalk'
import type { FormatOf } from '../../output/formats.ts'
import type { ProjectSettings } from '../../service/schema.ts'
import type { HttpRequest } from '../../service/transport.ts'
import { changesBetween } from '../changes.ts'
import { documentOf } from '../document.ts'
import type { StoredSettings } from '../stored.ts'
import { changesText, valueLines } from './changes.ts'
import { fieldLines } from '../../output/fields.ts'
import { jsonReport } from '../../output/json.ts'
import { isolate, safeJson, safeText } from '../../output/escapes.ts'

/** The result of `project settings set`, or of its dry run. */
export interface SettingsReport {
  projectId: string
  baseUrl: string
  /** Profile and address, as shown to the user. */
  target: string
  dryRun: boolean
  /** The requested settings. */
  settings: ProjectSettings
  /** The request with its body. */
  request: HttpRequest
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

function settingsJson(report: SettingsReport): string {
  const { projectId, baseUrl, dryRun, settings, request, body, sends, read } = report
  const { method, path } = request
  const preview = { method, url: baseUrl + path, body: sends ? body : null }
  return jsonReport({
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
  })
}

function requestText({ baseUrl, request, body }: SettingsReport, style: ChalkInstance): string {
  const text = safeJson(JSON.stringify(body, null, 2))
  return `${style.bold(request.method)} ${safeText(baseUrl + request.path)}\n${text}\n`
}

function projectText({ projectId, target }: SettingsReport, style: ChalkInstance): string {
  return `project ${style.bold(safeText(projectId))} on ${safeText(target)}`
}

/** The settings that were sent, for a service whose settings cannot be read. */
function sentText(report: SettingsReport, style: ChalkInstance): string {
  const { mode, featureNaming = {}, linkTemplates } = report.settings
  const text = (value: string | undefined) =>
    value === '' ? '(cleared)' : value && valueLines(value).join('\n')
  const links =
    linkTemplates?.length === 0 ? '(cleared)' : linkTemplates && valueLines(linkTemplates)
  const fields = fieldLines(
    [
      ['mode', text(mode)],
      ['pattern', text(featureNaming.pattern)],
      ['example', text(featureNaming.example)],
      ['description', text(featureNaming.description)],
      ['links', typeof links === 'string' ? links : links?.join('\n')],
    ],
    '  ',
  )
  return `${[`${style.green('Updated')} ${projectText(report, style)}`, ...fields].join('\n')}\n`
}

function changedText(
  report: SettingsReport,
  { before, after }: NonNullable<SettingsReport['read']>,
  style: ChalkInstance,
): string {
  const { dryRun, sends } = report
  const changes = changesBetween(before, after)
  const project = projectText(report, style)
  if (!sends) return `unchanged: ${project} already has these settings\n`
  const verb = dryRun ? 'Would update' : style.green('Updated')
  const lines = changes.length > 0 ? changesText(changes, style) : ['  unchanged']
  const text = `${[`${verb} ${project}`, ...lines].join('\n')}\n`
  return dryRun ? `${text}\n${requestText(report, style)}` : text
}

/** What `set` shows before it asks: the change, and what the user should know about it. */
export function changeDetails(
  report: SettingsReport & Required<Pick<SettingsReport, 'read'>>,
  concerns: readonly string[],
  style: ChalkInstance,
): string {
  const { before, after } = report.read
  const lines = [
    `Would update ${projectText(report, style)}`,
    ...changesText(changesBetween(before, after), style),
    ...concerns.map((concern) => `${style.yellow('warning:')} ${safeText(concern)}`),
  ]
  return isolate(`${lines.join('\n')}\n`)
}

/** The report in a format: what changed; for a dry run, what would change and the request. */
export async function renderSettings(
  format: FormatOf<'settings'>,
  report: SettingsReport,
  style: () => Promise<ChalkInstance>,
): Promise<string> {
  if (format === 'json') return settingsJson(report)
  const colours = await style()
  if (report.read) return isolate(changedText(report, report.read, colours))
  return isolate((report.dryRun ? requestText : sentText)(report, colours))
}
