import { type ReportItem, sentence } from './item.ts'
import { jsonReport } from './json.ts'

/** A kind of finding, as SARIF lists them. */
export interface SarifRule {
  /** The code of its items. */
  id: string
  /** One sentence: what it finds. */
  description: string
}

export interface SarifTool {
  /** The version of flagadm. */
  version: string
  /** Every kind of finding that could have been made, made or not. */
  rules: readonly SarifRule[]
}

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

// Of any path, percent-encoding makes a reference that means the same and has nothing to escape.
function uriOf(path: string): string {
  const wellFormed = path.replace(/\p{Cs}/gu, '\ufffd')
  return wellFormed.split('/').map(encodeURIComponent).join('/')
}

// Text of the form `[…](…)` would be shown as a link.
function plainText(text: string): string {
  return text.replace(/\[(?=[^\]]*\]\()/g, '\\[')
}

function locationsOf({ file, line, column }: ReportItem): object[] {
  if (file === undefined) return []
  const region = line === undefined ? undefined : { startLine: line, startColumn: column }
  return [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } }]
}

/** A SARIF 2.1.0 log of one run. */
export function sarifReport(items: readonly ReportItem[], tool: SarifTool): string {
  const indexes = new Map(tool.rules.map(({ id }, index) => [id, index]))
  const rules = tool.rules.map(({ id, description }) => ({
    id,
    shortDescription: { text: plainText(description) },
  }))
  const results = items.map((item) => ({
    ruleId: item.code,
    ruleIndex: indexes.get(item.code),
    level: levels[item.severity],
    message: { text: plainText(sentence(item)) },
    locations: locationsOf(item),
  }))
  return jsonReport({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'flagadm', semanticVersion: tool.version, rules } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  })
}
