import type { Question } from './question.ts'
import { arrives } from './questions/arrives.ts'
import { code } from './questions/code.ts'
import { dependents } from './questions/dependents.ts'
import { figures } from './questions/figures.ts'
import { listed } from './questions/listed.ts'
import { outcome } from './questions/outcome.ts'
import { sightings } from './questions/sightings.ts'
import { type } from './questions/type.ts'
import { untouched } from './questions/untouched.ts'
import { unused } from './questions/unused.ts'

/** All questions, in the order in which their answers are shown. */
export const questions: readonly Question[] = [
  listed,
  type,
  arrives,
  unused,
  figures,
  sightings,
  untouched,
  dependents,
  code,
  outcome,
]
