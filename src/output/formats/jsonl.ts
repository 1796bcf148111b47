import { incompleteJson } from '../incomplete.ts'
import { type PrintReport, problemsOf } from '../report.ts'
import { blocksOf, objectsOf, type PrintRows } from '../rows.ts'
import type { Writer } from '../text.ts'

function printLines(objects: readonly object[], out: Writer): void {
  out.raw(out.printableJson(objects.map((object) => `${JSON.stringify(object)}\n`).join('')))
}

export const printRows: PrintRows = ({ rows, fields, incomplete = [] }, out) => {
  for (const block of blocksOf(rows)) printLines(objectsOf(fields, block), out)
  // What is incomplete is the last object.
  if (incomplete.length > 0) printLines([incompleteJson(incomplete)], out)
}

export const printReport: PrintReport = (report, out) => {
  const { rows = problemsOf(report), incomplete } = report
  printLines(rows, out)
  if (incomplete.length > 0) printLines([incompleteJson(incomplete)], out)
}
