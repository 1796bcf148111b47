// The answers about one flag, for people.
import type { Decision } from './decide.ts'
import type { Answer } from './question.ts'
import { questions } from './questions.ts'

const marks: Record<Answer['says'], string> = {
  goes: '✓ ',
  stays: '✗ ',
  unknown: '? ',
  skipped: '– not asked: ',
}

/**
 * A line for each question that was answered, such as `✓ no usage in 30 d` and `– not asked: no code was given`, and what is
 * known besides: `off everywhere; created 2.7 y ago`.
 */
export function checklist({ answers, reasons }: Pick<Decision, 'answers' | 'reasons'>): string[] {
  const lines = answers.map(({ question, says, texts }) => {
    const states = questions.find(({ id }) => id === question)?.states ?? question
    return marks[says] + (texts.length > 0 ? texts.join('; ') : states)
  })
  const said = new Set(answers.flatMap(({ texts }) => texts))
  const others = reasons.filter((reason) => !said.has(reason))
  // Several questions may not be asked for the same reason.
  return [...new Set(lines), ...(others.length > 0 ? [others.join('; ')] : [])]
}
