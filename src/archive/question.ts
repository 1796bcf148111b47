import type { Line } from '../output/text.ts'
import type { Confirmation } from '../prompts/terminal.ts'
import type { Row } from '../review/flags.ts'
import { evaluationsText } from '../review/texts.ts'
import { verdictText } from '../review/verdicts.ts'
import type { Span } from '../flags/span.ts'
import { type Loss, revivable } from './losses.ts'

interface Conditions {
  saveBefore?: string | undefined
  includeOn?: boolean | undefined
}

/** Whether a flag is archived by a command with these options; one that is archived already is left as it is. */
export function canGo({ verdict }: Row, { includeOn = false }: Conditions): boolean {
  if (verdict === 'still-on') return includeOn
  return verdict === 'removable' || verdict === 'archived'
}

/** `legacy-export: removable: off everywhere; …` */
export function pendingLine({ name, verdict, reasons }: Row): Line {
  return [{ bold: name }, `: ${verdictText(verdict)}: ${reasons.join('; ')}`]
}

/** A sentence as a line of its own. */
export const sentenceLine = (text: string): Line => [text.charAt(0).toUpperCase() + text.slice(1)]

/** `checkout-basket has 34,168 evaluations in 48 h` */
function objectionText({ name, verdict, reasons, usage }: Row, span: Span): string {
  if (usage?.isUsed) return `${name} has ${evaluationsText(usage, span)}`
  return `${name} is ${verdictText(verdict)}: ${reasons[0]}`
}

// More would hide the question.
const MAX_OBJECTIONS = 3

/** The question for flags of which some cannot go. @param subject all of them: `2 flags of project shop` */
function forcedQuestion(
  rows: readonly Row[],
  subject: string,
  span: Span,
  options: Conditions,
): Pick<Confirmation, 'what' | 'objection'> {
  const against = rows.filter((row) => !canGo(row, options))
  const texts = against.map((row) => objectionText(row, span))
  const more = texts.length - MAX_OBJECTIONS
  const objection = texts.slice(0, MAX_OBJECTIONS).join('; ')
  return {
    what: `archive ${rows.length === 1 ? 'it' : subject} anyway`,
    objection: more > 0 ? `${objection}; and ${more} more are not removable` : objection,
  }
}

export function archiveQuestion(
  wanted: readonly Row[],
  losses: readonly Loss[],
  subject: string,
  span: Span,
  options: Conditions,
): Confirmation {
  const isForced = wanted.some((row) => !canGo(row, options))
  return {
    ...(isForced ? forcedQuestion(wanted, subject, span, options) : { what: `archive ${subject}` }),
    reason: `this archives ${subject}`,
    details: [
      ...wanted.map(pendingLine),
      ...revivable(losses, options.saveBefore).restored.map(sentenceLine),
    ],
  }
}
