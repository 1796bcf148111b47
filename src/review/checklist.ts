// The answers about one flag, for people.
import type { GivenAnswer } from './decide.ts'
import type { Answer } from './question.ts'
import { questions } from './questions.ts'

const marks: Record<Answer['says'], string> = {
  goes: '✓ ',
  stays: '✗ ',
  unknown: '? ',
  skipped: '– not asked: ',
}

/** A line for each question that was answered: `✓ no usage in 30 d`, `– not asked: no code was given`. */
export function checklist(answers: readonly GivenAnswer[]): string[] {
  return answers.map(({ question, says, texts }) => {
    const states = questions.find(({ id }) => id === question)?.states ?? question
    return marks[says] + (texts.length > 0 ? texts.join('; ') : states)
  })
}
