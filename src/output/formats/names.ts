import { type WriteReport, problemsOf } from '../report.ts'
import type { WriteRows } from '../rows.ts'
import type { Writer } from '../text.ts'

/** Names, one per line, each once. */
function printNames(names: readonly string[], out: Writer): void {
  out.raw([...new Set(names)].map((name) => `${out.printable(name)}\n`).join(''))
}

export const writeRows: WriteRows = ({ rows, fields: [name] }, out) => {
  const names = rows.map((row) => `${name?.value(row)}`)
  printNames(names, out)
}

export const writeReport: WriteReport = (report, out) => {
  const names = problemsOf(report).flatMap(({ name }) => name ?? [])
  printNames(names, out)
}
