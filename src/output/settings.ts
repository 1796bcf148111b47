import type { ChalkInstance } from 'chalk'
import type { ProjectSettings } from '../service/schema.ts'
import type { HttpRequest } from '../service/transport.ts'
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
  return `${safeJson(JSON.stringify({ projectId, baseUrl, dryRun, ...preview, settings }))}\n`
}

function block(label: string, value: string | undefined): string[] {
  if (value === undefined) return []
  const lines = value === '' ? ['(cleared)'] : safeLines(value.trimEnd()).split('\n')
  return lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(12)} ${line}`)
}

/** The report for people: a block of a few lines, or for a dry run the request. */
export function settingsText(report: SettingsReport, style: ChalkInstance): string {
  const { projectId, baseUrl, target, dryRun, request, settings } = report
  if (dryRun) {
    const body = safeJson(JSON.stringify(settings, null, 2))
    return isolate(`${style.bold(request.method)} ${safeText(baseUrl + request.path)}\n${body}\n`)
  }
  const { mode, featureNaming } = settings
  const lines = [
    `${style.green('Updated')} project ${style.bold(safeText(projectId))} on ${safeText(target)}`,
    ...block('mode', mode),
    ...block('pattern', featureNaming?.pattern),
    ...block('example', featureNaming?.example),
    ...block('description', featureNaming?.description),
  ]
  return isolate(`${lines.join('\n')}\n`)
}
