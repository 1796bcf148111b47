import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { jsonReport } from '../json.ts'
import { type ReportItem, sentence } from './text.ts'
import type { Safe, Sanitizer } from '../text.ts'

/** A kind of finding, as SARIF lists them. */
interface SarifRule {
  /** The code of its items. */
  id: string
  /** One sentence: what it finds. */
  description: string
}

interface SarifTool {
  /** The version of flagadm. */
  version: string
  /** Every kind of finding, whether it occurred or not. */
  rules: readonly SarifRule[]
}

/** Something that the tool could not do, and where. */
export interface SarifNotification {
  message: string
  places: readonly Required<Place>[]
}

type Place = Pick<ReportItem, 'file' | 'line' | 'column'>

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

// Percent-encoding turns any path into a valid URI reference without characters to escape.
function uriOf(path: string): string {
  const wellFormed = path.replace(/\p{Cs}/gu, '\ufffd')
  // On Windows, no relative path leads to another drive.
  if (isAbsolute(path)) return pathToFileURL(wellFormed).href
  return wellFormed.split('/').map(encodeURIComponent).join('/')
}

// Viewers would show text of the form `[…](…)` as a link.
function plainText(text: string): string {
  return text.replace(/\[(?=[^\]]*\]\()/g, '\\[')
}

// GitHub's code scanning requires a file and a line.
function locationOf({ file, line = 1, column }: Place, fallbackPath: string): object {
  const artifactLocation = { uri: uriOf(file ?? fallbackPath) }
  return {
    physicalLocation: { artifactLocation, region: { startLine: line, startColumn: column } },
  }
}

function invocationsOf({ notifications = [], fallbackPath }: SarifOptions): object[] | undefined {
  if (notifications.length === 0) return undefined
  const toolExecutionNotifications = notifications.map((notification) => ({
    level: 'note',
    message: { text: plainText(notification.message) },
    locations: notification.places.map((place) => locationOf(place, fallbackPath)),
  }))
  return [{ executionSuccessful: true, toolExecutionNotifications }]
}

interface SarifOptions {
  /** The path for items without a file. */
  fallbackPath: string
  /** The parts that the tool could not check; these are not findings. */
  notifications?: readonly SarifNotification[]
}

/** A SARIF 2.1.0 log of one run. */
export function sarifReport(
  items: readonly ReportItem[],
  tool: SarifTool,
  sanitizer: Sanitizer,
  options: SarifOptions,
): Safe {
  const indexes = new Map(tool.rules.map(({ id }, index) => [id, index]))
  const rules = tool.rules.map(({ id, description }) => ({
    id,
    shortDescription: { text: plainText(description) },
  }))
  const results = items.map((item) => ({
    ruleId: item.code,
    ruleIndex: indexes.get(item.code),
    level: levels[item.severity],
    message: { text: plainText(sentence(item, sanitizer)) },
    locations: [locationOf(item, options.fallbackPath)],
  }))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'flagadm', semanticVersion: tool.version, rules } },
        columnKind: 'utf16CodeUnits',
        invocations: invocationsOf(options),
        results,
      },
    ],
  }
  return jsonReport(log, sanitizer)
}
