import type { FormatOf } from '../../old/output/formats.ts'
import type { Place } from '../../names/sources.ts'
import type { Relation } from '../relation.ts'
import { jsonReport } from '../../old/output/json.ts'
import { asCode, codeSpan } from '../../old/output/markdown.ts'
import { githubReport } from '../../old/output/problems/ci.ts'
import type { ReportItem, Severity } from '../../old/output/problems/text.ts'
import { counted } from '../../old/output/phrases.ts'
import type { Missing } from '../../projects/missing.ts'
import { missingJson, missingLine, unreadItems, unreadText } from '../../projects/report/missing.ts'
import type { Printer } from '../../old/output/printer.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { textWidth, wrappedLines } from '../../old/output/width.ts'

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
  /** The project whose rule or flags these are. */
  project: string | undefined
  relation: Relation
  newlyAccepted: AffectedNames
  newlyRejected: AffectedNames
  /** How many existing names were compared; undefined when none were given. */
  compared: number | undefined
  /** The uses of existing names that could not be matched with both rules in time. */
  undecided: NameUse[]
}

/** The differences, and what they lack. */
interface DiffOutcome {
  diffs: readonly NamingDiff[]
  /** Whether there is one difference, not one for each of several projects. */
  isSingle: boolean
  missing: Missing
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

/** `2 existing names could not be matched in time`. */
export function undecidedText(uses: readonly NameUse[]): string {
  return `${counted(distinctNames(uses).length, 'existing name')} could not be matched in time`
}

/** Names in indented lines of at most this width; a longer name gets its own line. */
function wrapped(names: readonly Safe[], width = WIDTH): Safe[] {
  const lines: Safe[] = []
  for (const name of names) {
    const line = lines.pop()
    const longer = safe`${line ?? safe``}  ${name}`
    if (line === undefined || textWidth(longer) <= width) lines.push(longer)
    else lines.push(line, safe`  ${name}`)
  }
  return lines
}

function changeLines(
  title: Safe,
  change: AffectedNames,
  compared: number | undefined,
  { text, width }: Printer,
): Safe[] {
  const witnesses = change.witnesses.map(text)
  const names = distinctNames(change.uses).map(text)
  const count = text(counted(names.length, 'existing name') + (names.length > 0 ? ':' : ''))
  const example = safe`${title}, for example  ${joined(witnesses, '  ')}`
  const isShort = width === undefined || textWidth(example) <= width
  const examples = isShort ? [example] : [safe`${title}, for example`, ...wrapped(witnesses, width)]
  return [
    ...(witnesses.length > 0 ? examples : []),
    ...(compared === undefined ? [] : [safe`${title}, ${count}`]),
    ...wrapped(names, width),
  ]
}

function textLines(diff: NamingDiff, printer: Printer): Safe[] {
  const { relation, compared, undecided } = diff
  const { text, style, width } = printer
  return [
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
  ]
}

function diffText({ diffs, isSingle, missing }: DiffOutcome, printer: Printer): Safe {
  const { text, style, width } = printer
  const lines = diffs.flatMap((diff, index) => [
    ...(index > 0 ? [safe``] : []),
    ...(isSingle ? [] : [style.underline(text(diff.project ?? ''))]),
    ...textLines(diff, printer),
  ])
  const unread = missing.lookups.map((one) => unreadText(one, text))
  const gap = missingLine({ ...missing, lookups: [] }, printer)
  return joined([wrappedLines([...lines, ...unread], width, 2), gap])
}

function diffJson({ newlyAccepted, newlyRejected, undecided, ...diff }: NamingDiff): object {
  const changeJson = ({ witnesses, uses }: AffectedNames) => {
    return { witnesses, names: distinctNames(uses), uses }
  }
  return {
    project: diff.project,
    relation: diff.relation,
    compared: diff.compared,
    newlyAccepted: changeJson(newlyAccepted),
    newlyRejected: changeJson(newlyRejected),
    ...(undecided.length > 0 && {
      undecided: { names: distinctNames(undecided), uses: undecided },
    }),
  }
}

/** A heading after an empty line, and the names below it. */
function sectionLines(heading: Safe, names: readonly string[], { text }: Sanitizer): Safe[] {
  const items = names.map((name) => safe`- ${codeSpan(text(name))}`)
  return [safe``, heading, ...(items.length > 0 ? [safe``] : []), ...items]
}

function changeMarkdown(
  title: Safe,
  { witnesses, uses }: AffectedNames,
  compared: number | undefined,
  sanitizer: Sanitizer,
): Safe[] {
  if (witnesses.length === 0 && compared === undefined) return []
  const { text } = sanitizer
  const names = distinctNames(uses)
  const codes = witnesses.map((name) => codeSpan(text(name)))
  const examples = codes.length > 0 ? safe`, for example ${joined(codes, ', ')}` : safe``
  const count =
    compared === undefined ? safe`` : safe` (${text(counted(names.length, 'existing name'))})`
  return sectionLines(safe`**${title}**${count}${examples}`, names, sanitizer)
}

/** A difference for a comment on a pull request. */
function markdownLines(diff: NamingDiff, sanitizer: Sanitizer): Safe[] {
  const { relation, compared, newlyAccepted, newlyRejected, undecided } = diff
  const { text } = sanitizer
  const heading = safe`**Undecided**: ${text(undecidedText(undecided))}`
  return [
    safe`**${text(relation)}**: ${text(relations[relation])}`,
    ...changeMarkdown(safe`Newly rejected`, newlyRejected, compared, sanitizer),
    ...changeMarkdown(safe`Newly accepted`, newlyAccepted, compared, sanitizer),
    ...(undecided.length > 0 ? sectionLines(heading, distinctNames(undecided), sanitizer) : []),
  ]
}

function diffMarkdown({ diffs, isSingle, missing }: DiffOutcome, printer: Printer): Safe {
  const { text } = printer
  const lines = diffs.flatMap((diff, index) => [
    ...(index > 0 ? [safe``] : []),
    ...(isSingle ? [] : [safe`### ${codeSpan(text(diff.project ?? ''))}`, safe``]),
    ...markdownLines(diff, printer),
  ])
  const unread = missing.lookups.flatMap((one) => [safe``, unreadText(one, text)])
  const gap = missingLine({ ...missing, lookups: [] }, asCode(printer))
  return joined([linesOf([...lines, ...unread]), gap])
}

function itemOf(severity: Severity, message: string, use?: NameUse): ReportItem {
  return { code: 'naming-diff', severity, message, ...use }
}

/** An item for each use of an existing name; without any, one with examples. */
function changeItems(
  { uses, witnesses }: AffectedNames,
  severity: Severity,
  verb: string,
): ReportItem[] {
  if (uses.length > 0 || witnesses.length === 0) {
    return uses.map((use) => itemOf(severity, `the new rule ${verb} this name`, use))
  }
  return [itemOf('info', `the new rule ${verb} names such as ${witnesses.join(', ')}`)]
}

/** A difference as items: one for the relation and one for each use of an existing name whose verdict changes or is not known. */
function itemsOf({ relation, newlyAccepted, newlyRejected, undecided }: NamingDiff): ReportItem[] {
  return [
    itemOf('info', `${relation}: ${relations[relation]}`),
    ...changeItems(newlyRejected, 'warning', 'rejects'),
    ...changeItems(newlyAccepted, 'info', 'accepts'),
    ...undecided.map((use) => itemOf('warning', 'this name could not be matched in time', use)),
  ]
}

function diffGithub({ diffs, isSingle, missing }: DiffOutcome, sanitizer: Sanitizer): Safe {
  const items = diffs.flatMap((diff) => {
    const { project } = diff
    return itemsOf(diff).map((item) => (isSingle || !project ? item : { ...item, project }))
  })
  return githubReport([...items, ...unreadItems(missing.lookups, sanitizer)], sanitizer)
}

export function renderDiff(format: FormatOf<'diff'>, outcome: DiffOutcome, printer: Printer): Safe {
  switch (format) {
    case 'text':
      return diffText(outcome, printer)
    case 'json': {
      const { diffs, isSingle, missing } = outcome
      const documents = diffs.map(diffJson)
      const document = isSingle ? documents[0] : { projects: documents }
      return jsonReport({ ...document, incomplete: missingJson(missing) }, printer)
    }
    case 'markdown':
      return diffMarkdown(outcome, printer)
    case 'github':
      return diffGithub(outcome, printer)
  }
}
