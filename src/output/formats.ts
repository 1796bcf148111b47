import type { WriteReport } from './report.ts'
import type { BeginRows, WriteRows } from './rows.ts'

/** What commands ask about an output format, and its file, which is loaded when it prints. */
interface Format {
  /** What it is, for the reference; Markdown. */
  content: string
  /** The control characters that it needs, if it has any or prints commands: other text must not have them. */
  controls?: readonly string[]
  /** Who reads it: people get short texts and the rows that matter, programs get everything. */
  reader?: 'people' | 'programs'
  /** Whether it has a place for what is incomplete; otherwise that becomes a warning. */
  showsGaps?: boolean
  /** Whether the services that read it take paths from the root of the repository. */
  hasRepositoryPaths?: true
  /** Whether each of its rows is one line, also in a pipe, so that a cell has only what matters most. */
  isBrief?: true
  /** Whether it has lists of tasks, which can be pasted into an issue. */
  hasTasks?: true
  /** How it is printed again and again: over the last one on a terminal, or below it; otherwise it cannot be. */
  repeats?: 'in place' | 'below'
  /**
   * What a row becomes, if scripts read the rows one by one: a record of all its fields, so that a problem can be a row
   * as well; or its name alone, which a script acts on, so that only certain ones are printed.
   */
  rowsAs?: 'record' | 'name'
  /** Its file, if it prints rows: all of them, or each as it comes. */
  rows?: () => Promise<{ writeRows: WriteRows } | { beginRows: BeginRows }>
  /** Its file, if it prints reports of problems; as records, problems are printed without it. */
  report?: () => Promise<{ writeReport: WriteReport }>
}

/** Every format, in the order of help and documentation. */
export const formats = {
  text: {
    content: 'for people',
    reader: 'people',
    showsGaps: true,
    report: () => import('./formats/text.ts'),
  },
  table: {
    content:
      'for people; on a terminal, each row is one line: what does not fit is cut or left out, and a line says so',
    reader: 'people',
    showsGaps: true,
    isBrief: true,
    repeats: 'in place',
    rows: () => import('./formats/table.ts'),
  },
  json: {
    content: 'one document: that of the service, with all its fields and digits, or a report',
    // The service's own document keeps the tabs between its tokens.
    controls: ['\t'],
    reader: 'programs',
    showsGaps: true,
    rows: () => import('./formats/json.ts'),
    report: () => import('./formats/json.ts'),
  },
  jsonl: {
    content: 'JSON Lines: each row is an object on a line of its own',
    reader: 'programs',
    showsGaps: true,
    repeats: 'below',
    rows: () => import('./formats/jsonl.ts'),
    report: () => import('./formats/jsonl.ts'),
  },
  csv: {
    content: "one row per line; `'` is put before a formula that a spreadsheet would run",
    controls: ['\r\n'],
    reader: 'programs',
    showsGaps: false,
    rowsAs: 'record',
    rows: () => import('./formats/csv.ts'),
  },
  tsv: {
    content:
      'values separated by tabs, without quotes: a tab, a line break, or a quotation mark that begins a value is `\\x09`, `\\x0a` or `\\x22`',
    controls: ['\t'],
    reader: 'programs',
    showsGaps: false,
    rowsAs: 'record',
    rows: () => import('./formats/tsv.ts'),
  },
  markdown: {
    content:
      'for a comment on a pull request: at most 65,000 characters, and a line says how many rows are left out',
    reader: 'people',
    showsGaps: true,
    hasTasks: true,
    rows: () => import('./formats/markdown.ts'),
    report: () => import('./formats/markdown.ts'),
  },
  names: {
    content: 'one name per line, for other commands',
    reader: 'programs',
    showsGaps: false,
    rowsAs: 'name',
    rows: () => import('./formats/names.ts'),
    report: () => import('./formats/names.ts'),
  },
  github: {
    content: 'annotations of GitHub Actions',
    // They are commands.
    controls: [],
    reader: 'programs',
    showsGaps: true,
    hasRepositoryPaths: true,
    report: () => import('./formats/github.ts'),
  },
  gitlab: {
    content: 'a code quality report of GitLab',
    reader: 'programs',
    showsGaps: true,
    hasRepositoryPaths: true,
    report: () => import('./formats/gitlab.ts'),
  },
  junit: {
    content: 'test cases, as test runners report them',
    reader: 'programs',
    showsGaps: true,
    hasRepositoryPaths: true,
    report: () => import('./formats/junit.ts'),
  },
  sarif: {
    content: 'SARIF, for code scanning',
    reader: 'programs',
    showsGaps: true,
    hasRepositoryPaths: true,
    report: () => import('./formats/sarif.ts'),
  },
  // Those of one command, which prints them itself.
  yaml: {
    content: 'a document for `set`, `plan` and `apply`',
  },
  html: {
    content: 'a page for browsers, in one file',
  },
  openmetrics: {
    content: 'OpenMetrics, for Prometheus',
  },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof formats

type NamesWith<Facts> = {
  [Name in FormatName]: (typeof formats)[Name] extends Facts ? Name : never
}[FormatName]

export type RowFormat = NamesWith<{ rows: unknown }>
type RecordFormat = NamesWith<{ rowsAs: 'record' }>
export type ReportFormat = NamesWith<{ report: unknown }> | RecordFormat

export function factsOf(format: FormatName): Format {
  return formats[format]
}

export function printsRows(format: FormatName): format is RowFormat {
  return factsOf(format).rows !== undefined
}

export function printsRecords(format: FormatName): format is RecordFormat {
  return factsOf(format).rowsAs === 'record'
}

function printsReports(format: FormatName): format is ReportFormat {
  return factsOf(format).report !== undefined || printsRecords(format)
}

const names = Object.keys(formats) as FormatName[]

export const rowFormats = names.filter(printsRows)
/** The formats in which a row is a record with all its fields. */
export const recordFormats = names.filter(printsRecords)
export const reportFormats = names.filter(printsReports)
