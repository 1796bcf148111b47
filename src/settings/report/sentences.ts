import { counted } from '../../old/output/phrases.ts'
import type { BreakingFlags } from '../breaking-flags.ts'

/** The counts that are not zero, with their words: `1 missing`, `2 failed`. */
export function nonZero(counts: Record<string, number>): string[] {
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
}

/** The warning about an example or a description that is sent without a pattern. */
export const noPatternText = 'some servers reject an example or a description without a pattern'

export function privateText(projectId: string): string {
  return `project ${projectId} becomes private: only its members will see it`
}

/** The reasons against a rule, such as `2 of 5 existing flags break it`, with their names. */
export function breakingReasons(
  { total, breaking, undecided }: BreakingFlags,
  rule: 'it' | 'the new rule',
): { reason: string; names: string[] }[] {
  const of = `of ${counted(total, 'existing flag')}`
  const verb = breaking.length === 1 ? 'breaks' : 'break'
  return [
    { reason: `${breaking.length} ${of} ${verb} ${rule}`, names: breaking },
    {
      reason: `${undecided.length} ${of} could not be matched with ${rule} in time`,
      names: undecided,
    },
  ].filter(({ names }) => names.length > 0)
}

const MAX_SHOWN = 3

/** Why a rule needs a question, such as `2 of 5 existing flags break the new rule: a, b`; empty if it needs none. */
export function breakingTexts(flags: BreakingFlags): string[] {
  return breakingReasons(flags, 'the new rule').map(({ reason, names }) => {
    const more = names.length > MAX_SHOWN ? ', …' : ''
    return `${reason}: ${names.slice(0, MAX_SHOWN).join(', ')}${more}`
  })
}
