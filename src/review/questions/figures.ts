import { FlagadmError } from '../../errors.ts'
import { listed } from '../../output/incomplete.ts'
import { groupDigits } from '../../output/numbers.ts'
import { agoText } from '../../output/time.ts'
import { isOnSomewhere } from '../../flags/flag.ts'
import { type Question, skipped, unless } from '../question.ts'
import type { Terms } from '../terms.ts'
import { coveredUsage, type UsageEvidence } from '../usage-evidence.ts'

/** Usage that the service keeps from before the span: a job may run once a quarter. */
function earlierTexts({ earlier }: UsageEvidence, { span }: Terms): string[] {
  if (!earlier) return []
  const { time, enabled, disabled, applications } = earlier
  const by = applications.length > 0 ? ` by ${listed(applications)}` : ''
  const count = `${groupDigits(enabled + disabled)} evaluations`
  return [`${count} ${agoText(span.now - time)}${by} (--since ${span.asked.text})`]
}

export const figures: Question = {
  id: 'figures',
  states: 'the figures cover the span and all usage in it',
  isAboutUsage: true,
  answer({ flag, usage }, terms) {
    if (usage === undefined) return 'usage'
    if (usage instanceof FlagadmError) return skipped('the usage could not be read')
    const { doubts } = coveredUsage(flag, usage, terms)
    // Older usage does not keep a flag that is off everywhere, and adds nothing to a flag that is used.
    const isOn = flag !== undefined && isOnSomewhere(flag)
    const earlier = isOn && !usage.isUsed ? earlierTexts(usage, terms) : []
    // What a filter leaves out by mistake may be usage of any flag.
    return unless([...terms.unknownFilters, ...doubts, ...earlier])
  },
}
