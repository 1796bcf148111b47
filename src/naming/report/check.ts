import type { ChalkInstance } from 'chalk'
import type { FormatOf } from '../../output/formats.ts'
import type { NamingRule } from '../engine/rule.ts'
import { version } from '../../../package.json'
import { counted } from '../../output/phrases.ts'
import { jsonLinesReport, jsonReport } from '../../output/json.ts'
import type { SarifNotification } from '../../output/problems/sarif.ts'
import type { ReportItem } from '../../output/problems/text.ts'
import { isolate } from '../../output/escapes.ts'

/** A name that breaks the rule, with the reasons and its place. */
export interface NamingViolation {
  name: string
  /** Each continues "the name". */
  reasons: string[]
  suggestion?: string
  file?: string
  line?: number
  column?: number
}

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

/** How many calls could not be checked: `12 calls use an expression and were not checked`. */
export function unresolvedText(count: number): string {
  return count === 1
    ? '1 call uses an expression and was not checked'
    : `${count} calls use an expression and were not checked`
}

const sarifRules = [{ id: 'naming', description: 'The flag name breaks the naming rule.' }]

function itemOf({ reasons, ...rest }: NamingViolation): ReportItem {
  return { code: 'naming', severity: 'error', message: reasons.join(', '), ...rest }
}

function notificationsOf({ unresolved }: CheckOutcome): SarifNotification[] {
  if (unresolved.length === 0) return []
  return [{ message: unresolvedText(unresolved.length), places: unresolved }]
}

async function checkText(
  { checked, violations, available }: CheckOutcome,
  style: ChalkInstance,
): Promise<string> {
  if (violations.length > 0) {
    const { textReport } = await import('../../output/problems/text.ts')
    return isolate(textReport(violations.map(itemOf), style))
  }
  const fault = available ? 'breaks the rule or is taken' : 'breaks the rule'
  return `${style.green('✓')} ${counted(checked, 'name')} checked, none ${fault}\n`
}

/**
 * The outcome in a format.
 * @param fallbackPath the file that the GitLab report gives for a name without a file
 */
export async function renderCheck(
  format: FormatOf<'check'>,
  outcome: CheckOutcome,
  fallbackPath: string,
  style: () => Promise<ChalkInstance>,
): Promise<string> {
  const { violations } = outcome
  const items = () => violations.map(itemOf)
  switch (format) {
    case 'text':
      return checkText(outcome, await style())
    case 'json':
      return jsonReport({ ...outcome, unresolved: outcome.unresolved.length })
    case 'jsonl':
      return jsonLinesReport(violations)
    case 'github': {
      const { githubReport } = await import('../../output/problems/ci.ts')
      return githubReport(items())
    }
    case 'gitlab': {
      const { gitlabReport } = await import('../../output/problems/gitlab.ts')
      return gitlabReport(items(), fallbackPath)
    }
    case 'junit': {
      const { junitReport } = await import('../../output/problems/ci.ts')
      return junitReport(items(), 'flagadm naming check')
    }
    case 'sarif': {
      const { sarifReport } = await import('../../output/problems/sarif.ts')
      return sarifReport(items(), { version, rules: sarifRules }, notificationsOf(outcome))
    }
  }
}
