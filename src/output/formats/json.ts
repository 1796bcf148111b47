import { incompleteJson } from '../incomplete.ts'
import type { PrintReport } from '../report.ts'
import { objectsOf, type PrintRows } from '../rows.ts'

export const printRows: PrintRows = ({ rows, fields, incomplete = [], json }, out) => {
  out.json({
    ...json?.head,
    [json?.rows ?? 'rows']: objectsOf(fields, rows),
    ...incompleteJson(incomplete),
  })
}

export const printReport: PrintReport = ({ json, incomplete }, out) => {
  out.json({ ...json, ...incompleteJson(incomplete) })
}
