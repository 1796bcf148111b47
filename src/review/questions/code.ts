import { type Question, skipped, unless } from '../question.ts'

export const code: Question = {
  id: 'code',
  states: 'it is in no code',
  answer({ code: found }) {
    if (!found) return skipped('no code was given')
    return unless(found.texts, found.absence)
  },
}
