import { missingJsonl, unreadText } from '../../projects/report/missing.ts'
import { nothingMissing, type UnreadLookups } from '../../projects/missing.ts'
import type { Place } from '../../names/sources.ts'
import type { Violation } from '../checker.ts'
import type { FormatOf } from '../../output/formats.ts'
import type { NamingRule } from '../engine/rule.ts'
import { version } from '../../../package.json'
import { counted } from '../../output/phrases.ts'
import { githubReport, junitReport } from '../../output/problems/ci.ts'
import { gitlabReport } from '../../output/problems/gitlab.ts'
import { jsonLinesReport, jsonReport } from '../../output/json.ts'
import type { Printer } from '../../output/printer.ts'
import { type ReportItem, textReport } from '../../output/problems/text.ts'
import { type SarifNotification, sarifReport } from '../../output/problems/sarif.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../output/text.ts'

/** A name that breaks the rule, with the reasons and its place. */
export interface NamingViolation extends Omit<Violation, 'index'>, Place {}

/** The result of a check. */
export interface CheckOutcome {
  rule: NamingRule
  checked: number
  violations: NamingViolation[]
  /** Names to ignore that were not found. */
  staleAllowed: string[]
  /** Lookups in source code that could not be read. */
  unresolved: { file: string; line: number; column: number }[]
  /** How many these are; empty if all could be read. */
  unread: readonly UnreadLookups[]
  /** Whether the service was asked if new flags can have the names. */
  available?: true
}

const sarifRules = [{ id: 'naming', description: 'The flag name breaks the naming rule.' }]

function itemOf({ reasons, ...rest }: NamingViolation): ReportItem {
  return { code: 'naming', severity: 'error', message: reasons.join(', '), ...rest }
}

function unreadItems({ unread }: CheckOutcome, { text }: Sanitizer): ReportItem[] {
  return unread.map((one) => ({
    code: 'unresolved',
    severity: 'warning',
    message: unreadText(one, text),
  }))
}

function notificationsOf(outcome: CheckOutcome, sanitizer: Sanitizer): SarifNotification[] {
  return unreadItems(outcome, sanitizer).map(({ message }) => {
    return { message, places: outcome.unresolved }
  })
}

function checkText(outcome: CheckOutcome, printer: Printer): Safe {
  const { checked, violations, available, unread } = outcome
  const { text, style } = printer
  const lines = unread.map((one) => safe`${style.yellow(safe`!`)} ${unreadText(one, text)}`)
  if (violations.length > 0) {
    return joined([textReport(violations.map(itemOf), printer), linesOf(lines)])
  }
  const fault = available ? 'breaks the rule or is taken' : 'breaks the rule'
  const passed = text(`${counted(checked, 'name')} checked, none ${fault}`)
  return linesOf([safe`${style.green(safe`✓`)} ${passed}`, ...lines])
}

function checkJson(outcome: CheckOutcome, sanitizer: Sanitizer): Safe {
  const { unread, unresolved, ...rest } = outcome
  const [lookups] = unread
  const document = { ...rest, unresolved: unresolved.length, lookups: lookups?.of }
  return jsonReport(document, sanitizer)
}

/**
 * The outcome in a format.
 * @param fallbackPath the file that GitLab and SARIF reports give for a name without a file
 */
export function renderCheck(
  format: FormatOf<'check'>,
  outcome: CheckOutcome,
  fallbackPath: string,
  printer: Printer,
): Safe {
  const { violations, unread } = outcome
  const items = violations.map(itemOf)
  const unreadOnes = unreadItems(outcome, printer)
  switch (format) {
    case 'text':
      return checkText(outcome, printer)
    case 'json':
      return checkJson(outcome, printer)
    case 'jsonl': {
      const missing = { ...nothingMissing, lookups: unread }
      return joined([jsonLinesReport(violations, printer), missingJsonl(missing, printer)])
    }
    case 'github':
      return githubReport([...items, ...unreadOnes], printer)
    case 'gitlab':
      return gitlabReport([...items, ...unreadOnes], fallbackPath, printer)
    case 'junit':
      return junitReport([...items, ...unreadOnes], 'flagadm naming check', printer)
    case 'sarif': {
      const tool = { version, rules: sarifRules }
      return sarifReport(items, tool, printer, {
        fallbackPath,
        notifications: notificationsOf(outcome, printer),
      })
    }
  }
}
