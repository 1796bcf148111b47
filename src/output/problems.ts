import { type Incomplete, incompleteText } from './incomplete.ts'
import { limitLines } from './rows.ts'
import type { Writer } from './text.ts'

/** How serious a problem is; `info` is a fact worth knowing. */
export type Severity = 'error' | 'warning' | 'info'

/** A line of a report of problems, such as a finding, a name that breaks a rule, or a flag that fails a check. */
export interface Problem {
  /** A stable code, such as that of a lint finding, or `naming`. */
  code: string
  severity: Severity
  message: string
  /** The flag name. */
  name?: string | undefined
  /** The project of the flag or the rule, if there are several. */
  project?: string | undefined
  /** A corrected name or pattern. */
  suggestion?: string | undefined
  /** From the working directory, with `/`. */
  file?: string | undefined
  /** 1-based. */
  line?: number | undefined
  /** 1-based, in UTF-16 units. */
  column?: number | undefined
}

/** Where a problem is; any part may be unknown. */
export type Place = Pick<Problem, 'file' | 'line' | 'column'>

/** A part of the source code that could not be read. */
export interface Gap extends Incomplete {
  places?: readonly Place[] | undefined
}

/** A kind of problem: its code and one sentence. */
export interface ProblemKind {
  id: string
  description: string
}

/** `src/a.ts:3:5`, without the parts that are not known. */
export function positionText({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(':')
}

/** What is incomplete, as problems for formats that have only these. */
export function gapProblems(incomplete: readonly Incomplete[]): Problem[] {
  return incomplete.map((one) => {
    return { code: 'incomplete', severity: 'warning', message: incompleteText(one) }
  })
}

/** What `--limit` leaves out, as a problem for formats that have only these. */
export function limitProblems(limited: Parameters<typeof limitLines>[0]): Problem[] {
  return limitLines(limited).map((message) => ({ code: 'limit', severity: 'info', message }))
}

/** The problem as a sentence, printable. */
export function sentence({ project, name, message, suggestion }: Problem, out: Writer): string {
  const subject = [project, name].map((part) => (part === undefined ? '' : `${part}: `)).join('')
  const correction = suggestion === undefined ? '' : `; did you mean ${suggestion}`
  return out.printable(subject + message + correction)
}
