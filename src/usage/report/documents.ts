import { joinJson, serviceDocument } from '../../old/output/json.ts'
import type { Printer } from '../../old/output/printer.ts'
import type { ReportOptions, UsageReport } from './report.ts'

/** JSON: the documents of the service, unchanged. Those of several flags with hourly usage, which have no name, get one. */
export function documentReport(
  { several, isHourly, projects }: ReportOptions,
  printer: Printer,
): UsageReport {
  return {
    add({ flag, project }, { json }) {
      if (!several || !isHourly) return [serviceDocument(json, several, printer)]
      const names = JSON.stringify({ project: projects && (project ?? null), flag })
      const named = joinJson(names, `{"usage":${json.trim()}}`)
      return [serviceDocument(named, several, printer)]
    },
    end: () => [],
  }
}
