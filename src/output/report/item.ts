import { safeText } from '../text.ts'

export type Severity = 'error' | 'warning' | 'info'

/** A finding about a flag name or a naming rule. Its texts are as they came from outside. */
export interface ReportItem {
  /** A stable code: of the lint, or `naming`. */
  code: string
  severity: Severity
  message: string
  /** The flag name. */
  name?: string
  /** A name or a pattern that would be right. */
  suggestion?: string
  /** From the working directory, with `/`. */
  file?: string
  /** 1-based. */
  line?: number
  /** 1-based, in UTF-16 units. */
  column?: number
}

/** The item in one sentence, safe to print. */
export function sentence({ name, message, suggestion }: ReportItem): string {
  const subject = name === undefined ? '' : `${name}: `
  const correction = suggestion === undefined ? '' : `; did you mean ${suggestion}`
  return safeText(subject + message + correction)
}

/** `3:12`, `3`, or nothing when it is not known. */
export function position({ line, column }: ReportItem): string {
  return [line, column].filter((part) => part !== undefined).join(':')
}
