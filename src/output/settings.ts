import type { ChalkInstance } from 'chalk'
import type { ProjectSettings } from '../service/schema.ts'
import type { HttpRequest } from '../service/transport.ts'
import { fieldLines } from './fields.ts'
import { jsonReport } from './json.ts'
import { isolate, safeJson, safeLines, safeText } from './text.ts'

/** What was sent, or would be, to which project of which service. */
export interface SettingsReport {
  projectId: string
  baseUrl: string
  /** Profile and address for people. */
  target: string
  dryRun: boolean
  request: HttpRequest
  settings: ProjectSettings
}

/** The report as one JSON document. */
export function settingsJson({
  projectId,
  baseUrl,
  dryRun,
  request,
  settings,
}: SettingsReport): string {
  const preview = dryRun ? { method: request.method, url: `${baseUrl}${request.path}` } : {}
  return jsonReport({ projectId, baseUrl, dryRun, ...preview, settings })
}

function valueText(text: string | undefined): string | undefined {
  return text === '' ? '(cleared)' : text && safeLines(text.trimEnd())
}

/** The report for people: a block of a few lines, or for a dry run the request. */
export function settingsText(report: SettingsReport, style: ChalkInstance): string {
  const { projectId, baseUrl, target, dryRun, request, settings } = report
  if (dryRun) {
    const body = safeJson(JSON.stringify(settings, null, 2))
    return isolate(`${style.bold(request.method)} ${safeText(baseUrl + request.path)}\n${body}\n`)
  }
  const { mode, featureNaming } = settings
  const title = `${style.green('Updated')} project ${style.bold(safeText(projectId))} on ${safeText(target)}`
  const fields = fieldLines(
    [
      ['mode', valueText(mode)],
      ['pattern', valueText(featureNaming?.pattern)],
      ['example', valueText(featureNaming?.example)],
      ['description', valueText(featureNaming?.description)],
    ],
    '  ',
  )
  return isolate(`${[title, ...fields].join('\n')}\n`)
}
