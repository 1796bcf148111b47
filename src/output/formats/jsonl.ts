import { incompleteJson } from '../incomplete.ts'
import { type WriteReport, problemsOf } from '../report.ts'
import { objectsOf, type BeginRows } from '../rows.ts'
import type { Writer } from '../text.ts'

function printLines(objects: readonly object[], out: Writer): void {
  out.raw(out.printableJson(objects.map((object) => `${JSON.stringify(object)}\n`).join('')))
}

export const beginRows: BeginRows = (fields, out) => ({
  add: (rows) => printLines(objectsOf(fields, rows), out),
  end(incomplete) {
    // What is incomplete is the last object.
    if (incomplete.length > 0) printLines([incompleteJson(incomplete)], out)
  },
})

export const writeReport: WriteReport = (report, out) => {
  const { rows = problemsOf(report), incomplete } = report
  printLines(rows, out)
  if (incomplete.length > 0) printLines([incompleteJson(incomplete)], out)
}
