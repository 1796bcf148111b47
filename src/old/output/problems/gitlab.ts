import { createHash } from 'node:crypto'
import { type Blocks, inBlocks } from '../blocks.ts'
import { jsonArray } from '../json.ts'
import { type ReportItem, sentence } from './text.ts'
import { safe, type Sanitizer } from '../text.ts'

const severities = { error: 'major', warning: 'minor', info: 'info' } as const

// Without the line, so that GitLab recognises an item after lines were added above it.
function identity(item: ReportItem, path: string): string {
  return JSON.stringify([item.code, path, item.name ?? item.message])
}

/**
 * A Code Quality report of GitLab: a JSON array.
 * @param fallbackPath the path for items without a file, because GitLab requires one
 */
export function* gitlabReport(
  items: readonly ReportItem[],
  fallbackPath: string,
  sanitizer: Sanitizer,
): Blocks {
  const counts = new Map<string, number>()
  const issueOf = (item: ReportItem) => {
    const path = item.file ?? fallbackPath
    const key = identity(item, path)
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return {
      description: sentence(item, sanitizer),
      check_name: item.code,
      fingerprint: createHash('sha256').update(`${key}${count}`).digest('hex'),
      severity: severities[item.severity],
      location: { path, lines: { begin: item.line ?? 1 } },
    }
  }
  yield* jsonArray(inBlocks(items, (some) => sanitizer.json(some.map(issueOf))))
  yield safe`\n`
}
