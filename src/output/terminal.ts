import type { OutputStream } from '../host.ts'

const COLUMNS = 80
const ROWS = 24

/** The size of a terminal; one that reports none, or 0×0, counts as 80×24. */
export function terminalSize({ columns, rows }: OutputStream): { columns: number; rows: number } {
  return { columns: columns || COLUMNS, rows: rows || ROWS }
}
