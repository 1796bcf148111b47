import {
  missingJson,
  missingJsonl,
  missingLine,
  unreadItems,
  unreadText,
} from '../../projects/report/missing.ts'
import type { Missing, UnreadLookups } from '../../projects/missing.ts'
import { type Blocks, inBlocks } from '../../old/output/blocks.ts'
import { fieldLines } from '../../old/output/fields.ts'
import type { FormatOf } from '../../old/output/formats.ts'
import { counted } from '../../old/output/phrases.ts'
import { githubReport, junitReport } from '../../old/output/problems/ci.ts'
import { jsonLinesReport, jsonWithRows } from '../../old/output/json.ts'
import { asCode } from '../../old/output/markdown.ts'
import type { Printer } from '../../old/output/printer.ts'
import { rowCsv, type RowField, rowMarkdown } from '../../old/output/rows.ts'
import { type ReportItem, textReport } from '../../old/output/problems/text.ts'
import { type SarifNotification, sarifReport } from '../../old/output/problems/sarif.ts'
import { linesOf, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { wrappedLines } from '../../old/output/width.ts'
import type { Placing } from '../../names/repository.ts'
import { type FilePosition, positionText } from '../../code/positions.ts'
import type { NamingVerdicts, NamingViolation, RuleTotal } from '../verdicts.ts'

export interface CheckOutcome extends NamingVerdicts {
  checked: number
  /** Lookups in source code that could not be read. */
  unresolved: readonly FilePosition[]
  /** How many these are; empty if all could be read. */
  unread: readonly UnreadLookups[]
  /** Whether the service was asked if new flags can have the names. */
  available: boolean
  /** Whether several projects were selected. */
  hasProjects: boolean
  missing: Missing
  /** Makes paths fit for the format. */
  placed: Placing
}

const sarifRules = [{ id: 'naming', description: 'The flag name breaks the naming rule.' }]

/** The names that fail, then those that could not be matched in time. */
function failuresOf({ violations, undecided }: CheckOutcome): NamingViolation[] {
  return [...violations, ...undecided]
}

/** Makes the items of a report from violations. */
function itemsOf({ hasProjects, undecided, placed }: CheckOutcome) {
  const open = new Set(undecided)
  return (violation: NamingViolation): ReportItem => {
    const { name, reasons, index, source, suggestion } = violation
    return {
      code: 'naming',
      severity: open.has(violation) ? 'warning' : 'error',
      message: reasons.join(', '),
      name,
      ...placed(source.placeOf(index)),
      suggestion,
      project: hasProjects ? source.project : undefined,
    }
  }
}

function violationJson({ name, reasons, index, source, suggestion }: NamingViolation): object {
  return { name, reasons, ...source.placeOf(index), project: source.project, suggestion }
}

function notificationsOf(
  { unread, unresolved, placed }: CheckOutcome,
  sanitizer: Sanitizer,
): SarifNotification[] {
  const places = unresolved.map(placed)
  return unreadItems(unread, sanitizer).map(({ message }) => ({ message, places }))
}

function totalText({ rule, checked, failed, undecided }: RuleTotal): string {
  if (!rule.pattern && checked === 0) return 'no naming rule'
  const open = undecided === 0 ? '' : `, ${undecided} undecided`
  return `${counted(checked, 'name')} checked, ${failed} failed${open}`
}

/** The verdict on all names in one line. */
function verdictText({ checked, violations, undecided, available }: CheckOutcome): Safe {
  const fault = available ? safe`breaks the rule or is taken` : safe`breaks the rule`
  const names = checked === 1 ? safe`name` : safe`names`
  const open = undecided.length > 0 ? safe`, ${undecided.length} undecided` : safe``
  const failed = violations.length > 0 ? safe`${violations.length} failed` : safe`none ${fault}`
  return safe`${checked} ${names} checked, ${failed}${open}`
}

/** The lines below the names that fail. */
function summaryLines(outcome: CheckOutcome, { text, style }: Printer): Safe[] {
  const { violations, undecided, unread, hasProjects, totals } = outcome
  const mark = undecided.length > 0 ? style.yellow(safe`?`) : style.green(safe`✓`)
  const projects = totals.map((total) => [total.project ?? '', text(totalText(total))] as const)
  return [
    ...(violations.length > 0 ? [] : [safe`${mark} ${verdictText(outcome)}`]),
    ...unread.map((one) => safe`${style.yellow(safe`!`)} ${unreadText(one, text)}`),
    ...(hasProjects ? [safe``, ...fieldLines(projects)] : []),
  ]
}

function* checkText(outcome: CheckOutcome, printer: Printer): Blocks {
  yield* textReport(failuresOf(outcome), itemsOf(outcome), printer)
  yield wrappedLines(summaryLines(outcome, printer), printer.width, 2)
  yield missingLine(outcome.missing, printer)
}

function checkJson(outcome: CheckOutcome, sanitizer: Sanitizer): Blocks {
  const { violations, undecided, totals, hasProjects, checked, unread, missing } = outcome
  const [first] = totals
  const before = { ...(!hasProjects && { rule: first?.rule }), checked }
  const after = {
    ...(undecided.length > 0 && { undecided: undecided.map(violationJson) }),
    staleAllowed: outcome.staleAllowed,
    ...(outcome.available && { available: true }),
    unresolved: outcome.unresolved.length,
    lookups: unread[0]?.of,
    ...(hasProjects && { projects: totals, incomplete: missingJson(missing) }),
  }
  const rows = inBlocks(violations, (some) => sanitizer.json(some.map(violationJson)))
  return jsonWithRows(before, 'violations', rows, after, sanitizer)
}

function* checkJsonl(outcome: CheckOutcome, sanitizer: Sanitizer): Blocks {
  const { violations, missing, unread } = outcome
  yield* inBlocks(violations, (some) => jsonLinesReport(some.map(violationJson), sanitizer))
  yield missingJsonl({ ...missing, lookups: unread }, sanitizer)
}

function* checkGithub(outcome: CheckOutcome, sanitizer: Sanitizer): Blocks {
  const itemOf = itemsOf(outcome)
  yield* inBlocks(failuresOf(outcome), (some) => githubReport(some.map(itemOf), sanitizer))
  yield githubReport(unreadItems(outcome.unread, sanitizer), sanitizer)
}

/** The columns of the names that fail, in CSV and Markdown. */
function fieldsOf({ hasProjects }: CheckOutcome, hasPlaces: boolean): RowField<NamingViolation>[] {
  const placeOf = ({ source, index }: NamingViolation) => source.placeOf(index)
  return [
    { name: 'name', title: safe`Name`, value: ({ name }) => name },
    { name: 'reasons', title: safe`Problem`, value: ({ reasons }) => reasons.join(', ') },
    { name: 'suggestion', title: safe`Did you mean`, value: ({ suggestion }) => suggestion },
    {
      name: 'project',
      ...(hasProjects && { title: safe`Project` }),
      value: ({ source }) => source.project,
    },
    { name: 'file', value: (violation) => placeOf(violation).file },
    { name: 'line', value: (violation) => placeOf(violation).line },
    { name: 'column', value: (violation) => placeOf(violation).column },
    ...(hasPlaces
      ? [
          {
            title: safe`Place`,
            value: (one: NamingViolation) => positionText(placeOf(one)) || undefined,
          },
        ]
      : []),
  ]
}

const totalFields: readonly RowField<RuleTotal>[] = [
  { title: safe`Project`, value: ({ project }) => project },
  { title: safe`Pattern`, value: ({ rule }) => rule.pattern },
  { title: safe`Checked`, value: ({ checked }) => checked, kind: 'number' },
  { title: safe`Failed`, value: ({ failed }) => failed, kind: 'number' },
  { title: safe`Undecided`, value: ({ undecided }) => undecided, kind: 'number' },
]

function* checkMarkdown(outcome: CheckOutcome, printer: Printer): Blocks {
  const { totals, hasProjects, unread, missing } = outcome
  const rows = failuresOf(outcome)
  const hasPlaces = rows.some(({ source, index }) => source.placeOf(index).file !== undefined)
  yield linesOf([
    verdictText(outcome),
    ...unread.flatMap((one) => [safe``, unreadText(one, printer.text)]),
  ])
  if (rows.length > 0) {
    yield safe`\n`
    yield* rowMarkdown(rows, fieldsOf(outcome, hasPlaces), printer)
  }
  if (hasProjects) {
    yield safe`\n`
    yield* rowMarkdown(totals, totalFields, printer)
  }
  yield missingLine(missing, asCode(printer))
}

/**
 * The outcome in a format.
 * @param fallbackPath the file that GitLab and SARIF reports give for a name without a file
 */
export async function renderCheck(
  format: FormatOf<'check'>,
  outcome: CheckOutcome,
  fallbackPath: string,
  printer: Printer,
): Promise<Blocks> {
  switch (format) {
    case 'text':
      return checkText(outcome, printer)
    case 'json':
      return checkJson(outcome, printer)
    case 'jsonl':
      return checkJsonl(outcome, printer)
    case 'csv':
      return rowCsv(failuresOf(outcome), fieldsOf(outcome, false), printer)
    case 'markdown':
      return checkMarkdown(outcome, printer)
    case 'github':
      return checkGithub(outcome, printer)
  }
  const items = failuresOf(outcome).map(itemsOf(outcome))
  const all = [...items, ...unreadItems(outcome.unread, printer)]
  switch (format) {
    case 'gitlab': {
      // Loaded only here, because loading node:crypto takes longer than checking a few names.
      const { gitlabReport } = await import('../../old/output/problems/gitlab.ts')
      return gitlabReport(all, fallbackPath, printer)
    }
    case 'junit':
      return junitReport(all, 'flagadm naming check', printer)
    case 'sarif': {
      const notifications = notificationsOf(outcome, printer)
      return sarifReport(items, sarifRules, printer, fallbackPath, notifications)
    }
  }
}
