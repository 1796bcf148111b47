import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { version } from '../../../../package.json'
import { type Blocks, inBlocks } from '../blocks.ts'
import { jsonArray } from '../json.ts'
import { type ReportItem, sentence } from './text.ts'
import { safe, type Sanitizer, sliced } from '../text.ts'

/** A kind of finding, as SARIF lists them. */
interface SarifRule {
  /** The code of its items. */
  id: string
  /** One sentence: what it finds. */
  description: string
}

/** Something that the tool could not do, and where. */
export interface SarifNotification {
  message: string
  places: readonly Place[]
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

function notificationOf({ message, places }: SarifNotification, fallbackPath: string): object {
  return {
    level: 'note',
    message: { text: plainText(message) },
    locations: places.map((place) => locationOf(place, fallbackPath)),
  }
}

/**
 * A SARIF 2.1.0 log of one run.
 * @param rules every kind of finding, whether it occurred or not
 * @param fallbackPath the path for items without a file
 * @param notifications the parts that the tool could not check; these are not findings
 */
export function* sarifReport(
  items: readonly ReportItem[],
  rules: readonly SarifRule[],
  sanitizer: Sanitizer,
  fallbackPath: string,
  notifications: readonly SarifNotification[] = [],
): Blocks {
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const driver = {
    name: 'flagadm',
    semanticVersion: version,
    rules: rules.map(({ id, description }) => ({
      id,
      shortDescription: { text: plainText(description) },
    })),
  }
  const toolExecutionNotifications = notifications.map((one) => notificationOf(one, fallbackPath))
  const invocations = [{ executionSuccessful: true, toolExecutionNotifications }]
  const resultOf = (item: ReportItem) => ({
    ruleId: item.code,
    ruleIndex: indexes.get(item.code),
    level: levels[item.severity],
    message: { text: plainText(sentence(item, sanitizer)) },
    locations: [locationOf(item, fallbackPath)],
  })
  const run = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    invocations: notifications.length > 0 ? invocations : undefined,
    results: [],
  }
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json'
  const log = sanitizer.json({ $schema, version: '2.1.0', runs: [run] })
  yield sliced(log, 0, -'[]}]}'.length)
  yield* jsonArray(inBlocks(items, (some) => sanitizer.json(some.map(resultOf))))
  yield safe`}]}\n`
}
