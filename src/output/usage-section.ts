import type { ChalkInstance } from 'chalk'
import type { FeatureUsage } from '../service/schema.ts'
import type { UsageRow } from '../usage/rows.ts'
import { isolate, safeText } from './text.ts'
import { usageTable } from './usage-table.ts'
import { shortenMiddle, wrapList } from './width.ts'

// On the narrowest terminals the heading breaks rather than lose the name.
const SHORTEST_NAME = 12

function heading(
  usage: FeatureUsage,
  flag: string,
  width: number | undefined,
  style: ChalkInstance,
): string {
  const { version, maturity } = usage
  const about = [
    version == null ? '' : `schema version ${version}`,
    maturity == null ? '' : `maturity ${safeText(maturity)}`,
  ].filter(Boolean)
  const name = safeText(usage.featureName ?? flag)
  const facts = about.join(', ')
  const room = width === undefined ? Number.POSITIVE_INFINITY : width - facts.length - 3
  return (
    style.bold(shortenMiddle(name, Math.max(room, SHORTEST_NAME))) +
    (facts && style.dim(` (${facts})`))
  )
}

function seenBy(usage: FeatureUsage, width: number | undefined): string {
  const label = 'Seen by: '
  const applications = usage.seenApplications ?? []
  if (applications.length === 0) return `${label}no application`
  return label + wrapList(applications.map(safeText), label.length, width)
}

function body(
  usage: FeatureUsage,
  rows: readonly UsageRow[],
  width: number | undefined,
  style: ChalkInstance,
): string {
  if (rows.length > 0) return usageTable(rows, width, style)
  return usage.lastHourUsage.length === 0
    ? 'No usage in the last hour.'
    : 'No usage that the filters let through.'
}

/**
 * The usage of one flag for people: a heading, the table, who has seen the flag.
 * @param rows what to show of it
 * @param width columns of the terminal; undefined off a terminal, where nothing is shortened
 */
export function usageSection(
  usage: FeatureUsage,
  flag: string,
  rows: readonly UsageRow[],
  width: number | undefined,
  style: ChalkInstance,
): string {
  const table = body(usage, rows, width, style)
  return isolate(`${heading(usage, flag, width, style)}\n\n${table}\n\n${seenBy(usage, width)}\n`)
}
