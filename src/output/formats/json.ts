import { incompleteJson } from '../incomplete.ts'
import type { WriteReport } from '../report.ts'
import { objectsOf, type WriteRows } from '../rows.ts'

export const writeRows: WriteRows = ({ rows, fields, incomplete = [], json }, out) => {
  out.json({
    ...json?.head,
    [json?.rows ?? 'rows']: objectsOf(fields, rows),
    ...incompleteJson(incomplete),
  })
}

export const writeReport: WriteReport = ({ json, incomplete }, out) => {
  out.json({ ...json, ...incompleteJson(incomplete) })
}
