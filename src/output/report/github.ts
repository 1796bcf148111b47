import { safeText } from '../text.ts'
import { type ReportItem, sentence } from './item.ts'

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const

// Safe text has no line breaks to escape.
function escapeData(text: string): string {
  return text.replaceAll('%', '%25')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

function annotation(item: ReportItem): string {
  const { file, line, column: col, code: title } = item
  const properties = Object.entries({ file, line, col, title })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(safeText(String(value)))}`)
  return `::${commands[item.severity]} ${properties.join(',')}::${escapeData(sentence(item))}\n`
}

/**
 * Workflow commands of GitHub Actions, one on each line: each annotates a line of a file, or the run
 * when the item has no file.
 */
export function githubReport(items: readonly ReportItem[]): string {
  return items.map(annotation).join('')
}
