import type { UsageRow } from '../rows.ts'
import type { UsageSource } from '../source.ts'
import { csv, csvCell, csvJsonCell } from '../../old/output/csv.ts'
import { joined, remembered, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { isoTimes } from './hourly.ts'

const columns = [
  safe`flag`,
  safe`application`,
  safe`environment`,
  safe`timestamp`,
  safe`enabled`,
  safe`disabled`,
  safe`variants`,
]

/** @param nameOf makes JSON of the name of a variant */
function variantsCell({ variants }: UsageRow, nameOf: (name: string) => Safe): Safe {
  const counts = variants.map(({ name, count }) => safe`${nameOf(name)}:${count}`)
  return csvJsonCell(safe`{${joined(counts, ',')}}`)
}

const hourlyColumns = [safe`bucket`, safe`lastUsed`, safe`from`, safe`to`]

/** The optional columns of CSV. */
interface CsvOptions extends Pick<UsageSource, 'projects'> {
  isHourly: boolean
}

export function csvHeader({ isHourly, projects }: CsvOptions): Safe {
  return csv([
    [...(projects ? [safe`project`] : []), ...columns, ...(isHourly ? hourlyColumns : [])],
  ])
}

/** Rows as CSV; a formula that a spreadsheet would run gets a `'` in front. */
export function usageCsv(
  rows: readonly UsageRow[],
  { projects }: CsvOptions,
  sanitizer: Sanitizer,
): Safe {
  const variantName = remembered((name) => sanitizer.json(name))
  const cell = remembered((value) => csvCell(sanitizer.text(value)))
  const records = rows.map((row) => [
    ...(projects ? [cell(row.project ?? '')] : []),
    cell(row.flag ?? ''),
    cell(row.application ?? ''),
    cell(row.environment ?? ''),
    cell(row.timestamp ?? ''),
    row.enabled,
    row.disabled,
    variantsCell(row, variantName),
    ...Object.values(row.hourly ? isoTimes(row.hourly) : {}).map((time) => time ?? safe``),
  ])
  return csv(records)
}
