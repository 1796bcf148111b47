import { field, type RowField } from './fields.ts'
import { type Gap, positionText, type Problem, type ProblemKind } from './problems.ts'
import type { Line, Writer } from './text.ts'

/** Columns of CSV and Markdown: Markdown shows only those with a title. */
export const problemFields = {
  project: field.key<Problem>('project', 'Project', ({ project }) => project),
  name: field.key<Problem>('name', 'Name', ({ name }) => name),
  severity: field.word<Problem>('severity', 'Severity', ({ severity }) => severity),
  message: field.name<Problem>('message', 'Message', ({ message }) => message),
  suggestion: field.name<Problem>('suggestion', 'Did you mean', ({ suggestion }) => suggestion),
  file: field.data<Problem>('file', ({ file }) => file),
  line: field.data<Problem>('line', ({ line }) => line),
  column: field.data<Problem>('column', ({ column }) => column),
  place: field.key<Problem>(undefined, 'Place', (one) => positionText(one) || undefined),
}

/** The problems of one rule or project, and what else is known about it. */
export interface ProblemGroup {
  /** What it is about, if there are several. */
  heading?: string | undefined
  /** What it is, in one line above the problems. */
  title?: string | undefined
  problems: readonly Problem[]
  /** What follows from the problems, in one line below them. */
  verdict?: Line | undefined
  /** What else is known: a label and a text. */
  facts?: readonly (readonly [label: string, text: string])[]
}

/** The problems that a command found. Paths are those from the working directory. */
export interface ProblemReport {
  /** The command: `flagadm naming check`. */
  title: string
  groups: readonly ProblemGroup[]
  incomplete: readonly Gap[]
  /** The JSON document, without what is incomplete. */
  json?: object
  /** The objects of JSON Lines; by default, the problems. */
  rows?: readonly object[] | undefined
  /** The columns of records and of Markdown. */
  fields?: readonly RowField<Problem>[]
  /** Every kind of problem, whether it occurred or not; for SARIF. */
  kinds?: readonly ProblemKind[] | undefined
  /** The file that GitLab and SARIF show for problems without one. */
  fallbackPath?: string | undefined
  /** What else describes the run; for JUnit. */
  properties?: Readonly<Record<string, string>> | undefined
}

export type WriteReport = (report: ProblemReport, out: Writer) => void

export function problemsOf({ groups }: ProblemReport): Problem[] {
  return groups.flatMap(({ problems }) => problems)
}
