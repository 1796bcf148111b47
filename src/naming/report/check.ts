import { type Place, unresolvedText } from '../../names/sources.ts'
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
import { linesOf, type Safe, safe } from '../../output/text.ts'

/** A name that breaks the rule, with the reasons and its place. */
export interface NamingViolation extends Omit<Violation, 'index'>, Place {}

/** The result of a check. */
export interface CheckOutcome {
  rule: NamingRule
  checked: number
  violations: NamingViolation[]
  /** Names to ignore that were not found. */
  staleAllowed: string[]
  /** Calls in source code whose flag name is an expression. */
  unresolved: { file: string; line: number; column: number }[]
  /** Whether the service was asked if new flags can have the names. */
  available?: true
}

const sarifRules = [{ id: 'naming', description: 'The flag name breaks the naming rule.' }]

function itemOf({ reasons, ...rest }: NamingViolation): ReportItem {
  return { code: 'naming', severity: 'error', message: reasons.join(', '), ...rest }
}

function notificationsOf({ unresolved }: CheckOutcome): SarifNotification[] {
  if (unresolved.length === 0) return []
  return [{ message: unresolvedText(unresolved.length), places: unresolved }]
}

function checkText({ checked, violations, available }: CheckOutcome, printer: Printer): Safe {
  if (violations.length > 0) return textReport(violations.map(itemOf), printer)
  const { text, style } = printer
  const fault = available ? 'breaks the rule or is taken' : 'breaks the rule'
  return linesOf([
    safe`${style.green(safe`✓`)} ${text(`${counted(checked, 'name')} checked, none ${fault}`)}`,
  ])
}

/**
 * The outcome in a format.
 * @param fallbackPath the file that the GitLab report gives for a name without a file
 */
export function renderCheck(
  format: FormatOf<'check'>,
  outcome: CheckOutcome,
  fallbackPath: string,
  printer: Printer,
): Safe {
  const { violations } = outcome
  const items = () => violations.map(itemOf)
  switch (format) {
    case 'text':
      return checkText(outcome, printer)
    case 'json':
      return jsonReport({ ...outcome, unresolved: outcome.unresolved.length }, printer)
    case 'jsonl':
      return jsonLinesReport(violations, printer)
    case 'github':
      return githubReport(items(), printer)
    case 'gitlab':
      return gitlabReport(items(), fallbackPath, printer)
    case 'junit':
      return junitReport(items(), 'flagadm naming check', printer)
    case 'sarif': {
      const tool = { version, rules: sarifRules }
      return sarifReport(items(), tool, printer, notificationsOf(outcome))
    }
  }
}
