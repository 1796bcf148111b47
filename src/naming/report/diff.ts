import type { ChalkInstance } from 'chalk'
import type { FormatOf } from '../../output/formats.ts'
import type { Relation } from '../diff.ts'
import type { Severity } from '../finding.ts'
import { jsonReport } from '../../output/json.ts'
import { codeSpan } from '../../output/markdown.ts'
import { githubReport } from '../../output/problems/ci.ts'
import type { ReportItem } from '../../output/problems/text.ts'
import { counted } from '../../output/phrases.ts'
import { relations } from './relations.ts'
import { isolate, safeText } from '../../output/escapes.ts'
import { textWidth } from '../../output/width.ts'

/** An existing name whose verdict changes, and where it is used. */
export interface ChangedName {
  name: string
  file?: string
  line?: number
  column?: number
}

/** Names whose verdict changes: examples of legal names, and every use of an existing one. */
export interface Change {
  witnesses: string[]
  uses: ChangedName[]
}

/** What changes when one rule replaces another. */
export interface NamingDiff {
  relation: Relation
  newlyAccepted: Change
  newlyRejected: Change
  /** How many existing names were compared; undefined when none were given. */
  compared: number | undefined
  /** The uses of existing names that could not be matched with both rules in time. */
  undecided: ChangedName[]
}

const INDENT = '  '
const GAP = '  '
const WIDTH = 80

function distinctNames(uses: readonly ChangedName[]): string[] {
  return [...new Set(uses.map(({ name }) => name))]
}

function namesIn({ uses }: Change): string[] {
  return distinctNames(uses)
}

/** `2 existing names could not be matched in time`. */
export function undecidedText(uses: readonly ChangedName[]): string {
  return `${counted(distinctNames(uses).length, 'existing name')} could not be matched in time`
}

/** Names in indented lines of at most this width; a longer name gets its own line. */
function wrapped(names: readonly string[], width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const name of names.map(safeText)) {
    const longer = line === '' ? INDENT + name : line + GAP + name
    if (line !== '' && textWidth(longer) > width) {
      lines.push(line)
      line = INDENT + name
    } else line = longer
  }
  return line === '' ? lines : [...lines, line]
}

function changeLines(
  title: string,
  change: Change,
  compared: number | undefined,
  width: number,
): string[] {
  const { witnesses } = change
  const names = namesIn(change)
  const count = counted(names.length, 'existing name')
  return [
    ...(witnesses.length > 0
      ? [`${title}, for example  ${witnesses.map(safeText).join(GAP)}`]
      : []),
    ...(compared === undefined ? [] : [`${title}, ${count}${names.length > 0 ? ':' : ''}`]),
    ...wrapped(names, width),
  ]
}

/** The difference as text. */
function diffText(diff: NamingDiff, style: ChalkInstance, width = WIDTH): string {
  const { relation, compared, undecided } = diff
  const lines = [
    `${style.bold(relation)}: ${relations[relation]}`,
    ...changeLines(style.green('newly accepted'), diff.newlyAccepted, compared, width),
    ...changeLines(style.red('newly rejected'), diff.newlyRejected, compared, width),
    ...(undecided.length > 0
      ? [`${undecidedText(undecided)}:`, ...wrapped(distinctNames(undecided), width)]
      : []),
    ...(compared === undefined ? [] : [`${counted(compared, 'existing name')} compared`]),
  ]
  return isolate(`${lines.join('\n')}\n`)
}

/** The difference as one JSON document. */
function diffJson({
  relation,
  newlyAccepted,
  newlyRejected,
  compared,
  undecided,
}: NamingDiff): string {
  const changeJson = (change: Change) => ({
    witnesses: change.witnesses,
    names: namesIn(change),
    uses: change.uses,
  })
  return jsonReport({
    relation,
    compared,
    newlyAccepted: changeJson(newlyAccepted),
    newlyRejected: changeJson(newlyRejected),
    ...(undecided.length > 0 && {
      undecided: { names: distinctNames(undecided), uses: undecided },
    }),
  })
}

function changeMarkdown(title: string, change: Change, compared: number | undefined): string[] {
  const names = namesIn(change)
  const { witnesses } = change
  if (witnesses.length === 0 && compared === undefined) return []
  const examples = witnesses.length > 0 ? `, for example ${witnesses.map(codeSpan).join(', ')}` : ''
  const count = compared === undefined ? '' : ` (${counted(names.length, 'existing name')})`
  return ['', `**${title}**${count}${examples}`, '', ...names.map((name) => `- ${codeSpan(name)}`)]
}

/** The difference for a comment on a pull request. */
function diffMarkdown(diff: NamingDiff): string {
  const { relation, compared, newlyAccepted, newlyRejected, undecided } = diff
  const lines = [
    `**${relation}**: ${relations[relation]}`,
    ...changeMarkdown('Newly rejected', newlyRejected, compared),
    ...changeMarkdown('Newly accepted', newlyAccepted, compared),
    ...(undecided.length > 0
      ? [
          '',
          `**Undecided**: ${undecidedText(undecided)}`,
          '',
          ...distinctNames(undecided).map((name) => `- ${codeSpan(name)}`),
        ]
      : []),
  ]
  return isolate(`${lines.join('\n').trimEnd()}\n`)
}

function annotations(change: Change, severity: Severity, verb: string): ReportItem[] {
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
function diffGithub(diff: NamingDiff): string {
  const { relation, newlyAccepted, newlyRejected, undecided } = diff
  const message = 'this name could not be matched in time'
  return githubReport([
    { code: 'naming-diff', severity: 'info', message: `${relation}: ${relations[relation]}` },
    ...annotations(newlyRejected, 'warning', 'rejects'),
    ...annotations(newlyAccepted, 'info', 'accepts'),
    ...undecided.map((use): ReportItem => ({
      code: 'naming-diff',
      severity: 'warning',
      message,
      ...use,
    })),
  ])
}

/**
 * The difference in a format.
 * @param width columns of the terminal; undefined without a terminal
 */
export async function renderDiff(
  format: FormatOf<'diff'>,
  diff: NamingDiff,
  width: number | undefined,
  style: () => Promise<ChalkInstance>,
): Promise<string> {
  switch (format) {
    case 'text':
      return diffText(diff, await style(), width)
    case 'json':
      return diffJson(diff)
    case 'markdown':
      return diffMarkdown(diff)
    case 'github':
      return diffGithub(diff)
  }
}
