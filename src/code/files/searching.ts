import type { Task } from '../../output/progress.ts'

/** The search of some files, for progress. */
export function searching({ length }: readonly unknown[]): Task {
  return { verb: 'Searching', noun: 'file', total: length }
}
