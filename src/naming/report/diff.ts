import type { FormatOf } from '../../output/formats.ts'
import type { Place } from '../../names/sources.ts'
import type { Relation } from '../rule-diff.ts'
import type { Severity } from '../finding.ts'
import { jsonReport } from '../../output/json.ts'
import { codeSpan } from '../../output/markdown.ts'
import { githubReport } from '../../output/problems/ci.ts'
import type { ReportItem } from '../../output/problems/text.ts'
import { counted } from '../../output/phrases.ts'
import type { UnreadLookups } from '../../projects/missing.ts'
import { unreadText } from '../../projects/report/missing.ts'
import type { Printer } from '../../output/printer.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../output/text.ts'
import { textWidth, wrappedLines } from '../../output/width.ts'

/** The use of an existing name. */
export interface NameUse extends Place {
  name: string
}

/** Names whose verdict changes: examples of legal names, and every use of an existing one. */
export interface AffectedNames {
  witnesses: string[]
  uses: NameUse[]
}

/** The effect of replacing one rule by another. */
export interface NamingDiff {
  relation: Relation
  newlyAccepted: AffectedNames
  newlyRejected: AffectedNames
  /** How many existing names were compared; undefined when none were given. */
  compared: number | undefined
  /** The uses of existing names that could not be matched with both rules in time. */
  undecided: NameUse[]
  /** The lookups in source code that could not be read. */
  unread: readonly UnreadLookups[]
}

/** The meaning of each relation. */
export const relations: Record<Relation, string> = {
  equal: 'both rules accept the same names',
  narrower: 'the new rule accepts only some of the names that the old one accepts',
  wider: 'the new rule accepts all names that the old one accepts, and more',
  overlapping: 'each rule accepts names that the other one rejects',
  disjoint: 'no name is accepted by both rules',
  undecided: 'how the rules relate could not be decided',
}

const WIDTH = 80

function distinctNames(uses: readonly NameUse[]): string[] {
  return [...new Set(uses.map(({ name }) => name))]
}

function namesIn({ uses }: AffectedNames): string[] {
  return distinctNames(uses)
}

/** `2 existing names could not be matched in time`. */
export function undecidedText(uses: readonly NameUse[]): string {
  return `${counted(distinctNames(uses).length, 'existing name')} could not be matched in time`
}

/** Names in indented lines of at most this width; a longer name gets its own line. */
function wrapped(names: readonly Safe[], width: number): Safe[] {
  const lines: Safe[] = []
  let line = safe``
  for (const name of names) {
    const longer = safe`${line}  ${name}`
    if (line !== '' && textWidth(longer) > width) {
      lines.push(line)
      line = safe`  ${name}`
    } else line = longer
  }
  return line === '' ? lines : [...lines, line]
}

function changeLines(
  title: Safe,
  change: AffectedNames,
  compared: number | undefined,
  { text, width }: Printer,
): Safe[] {
  const witnesses = change.witnesses.map(text)
  const names = namesIn(change)
  const count = text(counted(names.length, 'existing name'))
  const example = safe`${title}, for example  ${joined(witnesses, '  ')}`
  const examples =
    width === undefined || textWidth(example) <= width
      ? [example]
      : [safe`${title}, for example`, ...wrapped(witnesses, width)]
  return [
    ...(witnesses.length > 0 ? examples : []),
    ...(compared === undefined
      ? []
      : [safe`${title}, ${count}${names.length > 0 ? safe`:` : safe``}`]),
    ...wrapped(names.map(text), width ?? WIDTH),
  ]
}

/** The difference as text. */
function diffText(diff: NamingDiff, printer: Printer): Safe {
  const { relation, compared, undecided, unread } = diff
  const { text, style, width = WIDTH } = printer
  const lines = [
    safe`${style.bold(text(relation))}: ${text(relations[relation])}`,
    ...changeLines(style.green(safe`newly accepted`), diff.newlyAccepted, compared, printer),
    ...changeLines(style.red(safe`newly rejected`), diff.newlyRejected, compared, printer),
    ...(undecided.length > 0
      ? [
          text(`${undecidedText(undecided)}:`),
          ...wrapped(distinctNames(undecided).map(text), width),
        ]
      : []),
    ...(compared === undefined ? [] : [text(`${counted(compared, 'existing name')} compared`)]),
    ...unread.map((one) => unreadText(one, text)),
  ]
  return wrappedLines(lines, printer.width, 2)
}

/** The difference as one JSON document. */
function diffJson(
  { relation, newlyAccepted, newlyRejected, compared, undecided, unread }: NamingDiff,
  sanitizer: Sanitizer,
): Safe {
  const changeJson = (change: AffectedNames) => ({
    witnesses: change.witnesses,
    names: namesIn(change),
    uses: change.uses,
  })
  const document = {
    relation,
    compared,
    newlyAccepted: changeJson(newlyAccepted),
    newlyRejected: changeJson(newlyRejected),
    ...(undecided.length > 0 && {
      undecided: { names: distinctNames(undecided), uses: undecided },
    }),
    ...(unread.length > 0 && { incomplete: { lookups: unread } }),
  }
  return jsonReport(document, sanitizer)
}

function changeMarkdown(
  title: Safe,
  change: AffectedNames,
  compared: number | undefined,
  { text }: Sanitizer,
): Safe[] {
  const code = (name: string) => codeSpan(text(name))
  const names = namesIn(change)
  const { witnesses } = change
  if (witnesses.length === 0 && compared === undefined) return []
  const examples =
    witnesses.length > 0 ? safe`, for example ${joined(witnesses.map(code), ', ')}` : safe``
  const count =
    compared === undefined ? safe`` : safe` (${text(counted(names.length, 'existing name'))})`
  const items = names.map((name) => safe`- ${code(name)}`)
  return [
    safe``,
    safe`**${title}**${count}${examples}`,
    ...(items.length > 0 ? [safe``] : []),
    ...items,
  ]
}

/** The difference for a comment on a pull request. */
function diffMarkdown(diff: NamingDiff, sanitizer: Sanitizer): Safe {
  const { relation, compared, newlyAccepted, newlyRejected, undecided, unread } = diff
  const { text } = sanitizer
  const items = distinctNames(undecided).map((name) => safe`- ${codeSpan(text(name))}`)
  return linesOf([
    safe`**${text(relation)}**: ${text(relations[relation])}`,
    ...changeMarkdown(safe`Newly rejected`, newlyRejected, compared, sanitizer),
    ...changeMarkdown(safe`Newly accepted`, newlyAccepted, compared, sanitizer),
    ...(items.length > 0
      ? [safe``, safe`**Undecided**: ${text(undecidedText(undecided))}`, safe``, ...items]
      : []),
    ...unread.flatMap((one) => [safe``, unreadText(one, text)]),
  ])
}

function annotations(change: AffectedNames, severity: Severity, verb: string): ReportItem[] {
  const { uses, witnesses } = change
  const example: ReportItem[] =
    witnesses.length > 0 && uses.length === 0
      ? [
          {
            code: 'naming-diff',
            severity: 'info',
            message: `the new rule ${verb} names such as ${witnesses.join(', ')}`,
          },
        ]
      : []
  const message = `the new rule ${verb} this name`
  return [...example, ...uses.map((use) => ({ code: 'naming-diff', severity, message, ...use }))]
}

/**
 * The difference as annotations of GitHub Actions: one for the relation and one for each use of an
 * existing name whose verdict changes or is not known.
 */
function diffGithub(diff: NamingDiff, sanitizer: Sanitizer): Safe {
  const { relation, newlyAccepted, newlyRejected, undecided, unread } = diff
  const message = 'this name could not be matched in time'
  const items: ReportItem[] = [
    { code: 'naming-diff', severity: 'info', message: `${relation}: ${relations[relation]}` },
    ...annotations(newlyRejected, 'warning', 'rejects'),
    ...annotations(newlyAccepted, 'info', 'accepts'),
    ...undecided.map((use): ReportItem => ({
      code: 'naming-diff',
      severity: 'warning',
      message,
      ...use,
    })),
    ...unread.map((one): ReportItem => ({
      code: 'unresolved',
      severity: 'warning',
      message: unreadText(one, sanitizer.text),
    })),
  ]
  return githubReport(items, sanitizer)
}

/** The difference in a format. */
export function renderDiff(format: FormatOf<'diff'>, diff: NamingDiff, printer: Printer): Safe {
  switch (format) {
    case 'text':
      return diffText(diff, printer)
    case 'json':
      return diffJson(diff, printer)
    case 'markdown':
      return diffMarkdown(diff, printer)
    case 'github':
      return diffGithub(diff, printer)
  }
}
