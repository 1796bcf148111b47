import { wholeText } from '../../old/output/blocks.ts'
import { jsonReport } from '../../old/output/json.ts'
import { asCode } from '../../old/output/markdown.ts'
import { githubReport, junitReport } from '../../old/output/problems/ci.ts'
import type { ReportItem } from '../../old/output/problems/text.ts'
import type { Printer } from '../../old/output/printer.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { nothingMissing } from '../../projects/missing.ts'
import { missingJson, missingJsonl, unreadText } from '../../projects/report/missing.ts'
import type { UsageRequest } from '../request.ts'

/** The sentence for a run in which no name that could be read was removed. */
export function nothingRemovedText(
  { unreadLookups, options }: UsageRequest,
  show: Sanitizer['text'],
): Safe {
  const { removedSince = '' } = options
  const texts = unreadLookups.map((one) => unreadText(one, show))
  return safe`of the names that could be read, none was removed since ${show(removedSince)} (${joined(texts, ', ')})`
}

/** The same in the format of the request; undefined for a format that cannot contain it. */
export function renderNothingRemoved(request: UsageRequest, printer: Printer): Safe | undefined {
  const message = nothingRemovedText(request, printer.text)
  const missing = { ...nothingMissing, lookups: request.unreadLookups }
  const items: ReportItem[] = [{ code: 'usage-incomplete', severity: 'warning', message }]
  switch (request.format) {
    case 'table':
    case 'text':
      return linesOf([message])
    case 'markdown':
      return linesOf([nothingRemovedText(request, asCode(printer).text)])
    case 'github':
      return githubReport(items, printer)
    case 'junit':
      return wholeText(junitReport(items, 'flagadm feature usage', printer))
    case 'jsonl':
      return missingJsonl(missing, printer)
    case 'json':
      // Usage in this format is the service's own documents.
      return request.kind === 'gate'
        ? jsonReport({ flags: [], incomplete: missingJson(missing) }, printer)
        : undefined
    case 'csv':
    case 'openmetrics':
      return undefined
  }
}
