import { FlagadmError } from '../../errors.ts'
import { type Question, skipped, unless } from '../question.ts'

export const figures: Question = {
  id: 'figures',
  states: 'the figures cover the span and all usage in it',
  isAboutUsage: true,
  answer({ usage }, { unknownFilters }) {
    if (usage === undefined) return 'usage'
    if (usage instanceof FlagadmError) return skipped('the usage could not be read')
    // What a filter leaves out by mistake may be usage of any flag.
    return unless([...unknownFilters, ...usage.doubts])
  },
}
