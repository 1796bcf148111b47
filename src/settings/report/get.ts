import type { ChalkInstance } from 'chalk'
import type { StoredSettings } from '../stored.ts'
import { wholeText } from '../../output/blocks.ts'
import { shownPart, valueLines } from './changes.ts'
import { fieldLines } from '../../output/fields.ts'
import type { Column } from '../../output/layout.ts'
import { renderTable } from '../../output/table.ts'
import { isolate, safeText } from '../../output/escapes.ts'

interface ProjectSettings {
  projectId: string
  settings: StoredSettings
}

function block({ projectId, settings }: ProjectSettings, style: ChalkInstance): string {
  const { mode, featureNaming, linkTemplates } = settings
  const { pattern, example, description } = featureNaming
  const text = (value: string | StoredSettings['linkTemplates']) =>
    value.length === 0 ? undefined : valueLines(value).join('\n')
  const fields = fieldLines(
    [
      ['mode', text(mode)],
      ['pattern', text(pattern)],
      ['example', text(example)],
      ['description', text(description)],
      ['links', text(linkTemplates)],
    ],
    '  ',
  )
  return `${[style.bold(safeText(projectId)), ...fields].join('\n')}\n`
}

/** The settings of projects as text: a block for each, without the fields that are not set. */
export function settingsBlocks(projects: readonly ProjectSettings[], style: ChalkInstance): string {
  if (projects.length === 0) return 'No projects.\n'
  return isolate(projects.map((project) => block(project, style)).join('\n'))
}

/**
 * The settings of projects as a table.
 * @param verdicts the result of linting each rule
 */
export function settingsTable(
  projects: readonly ProjectSettings[],
  verdicts: readonly string[],
  width: number | undefined,
  style: ChalkInstance,
): string {
  if (projects.length === 0) return 'No projects.\n'
  const rows = projects.map(({ projectId, settings }, index) => [
    projectId,
    settings.mode,
    shownPart(settings.featureNaming.pattern),
    verdicts[index],
  ])
  const columns = ['Project', 'Mode', 'Pattern', 'Lint'].map((title, index): Column => {
    const cell = (row: number) => safeText(rows[row]?.[index] || '—')
    return { align: 'left', elastic: true, forms: [{ title, cell }] }
  })
  return wholeText(renderTable({ columns, rows: rows.length, width, hasTotals: false }, style.dim))
}
