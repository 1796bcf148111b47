import { type CANCEL_SYMBOL, confirm, isCancel, password, select, text } from '@clack/prompts'
import { FlagadmError } from '../errors.ts'
import type { Terminal } from '../host.ts'
import { isolate, safeText } from '../output/text.ts'

/** Throws a `FlagadmError` for an invalid answer. */
type Check = (answer: string) => unknown

/** Questions on a terminal. Each of them throws an `interrupted` error on Ctrl-C. */
export interface Questions {
  text(message: string, example: string, check: Check): Promise<string>
  /** Asks for text that is not shown. */
  secret(message: string, check: Check): Promise<string>
  /** Returns one of the keys; people see the labels. */
  choice<Key extends string>(
    message: string,
    labels: readonly (readonly [Key, label: string])[],
  ): Promise<Key>
  confirm(message: string): Promise<boolean>
}

/** The message of the error that a check throws. */
function problemWith(check: Check, answer: string | undefined): string | undefined {
  try {
    check(answer ?? '')
    return undefined
  } catch (error) {
    if (error instanceof FlagadmError) return isolate(safeText(error.message))
    throw error
  }
}

/** Asks on a terminal until the signal aborts. */
export function createQuestions(terminal: Terminal, signal: AbortSignal): Questions {
  const common = { ...terminal, signal }
  async function answered<Answer>(asking: Promise<Answer | typeof CANCEL_SYMBOL>): Promise<Answer> {
    const answer = await asking
    if (!isCancel(answer)) return answer
    throw new FlagadmError('interrupted', 'interrupted; nothing was changed')
  }
  const shown = (message: string) => isolate(safeText(message))
  return {
    text: (message, placeholder, check) =>
      answered(
        text({
          ...common,
          message: shown(message),
          placeholder,
          validate: (answer) => problemWith(check, answer),
        }),
      ),
    secret: (message, check) =>
      answered(
        password({
          ...common,
          message: shown(message),
          validate: (answer) => problemWith(check, answer),
        }),
      ),
    async choice(message, labels) {
      const options = labels.map(([, label], value) => ({ value, label }))
      const index = await answered(select<number>({ ...common, message: shown(message), options }))
      const [key] = labels[index] ?? labels[0] ?? []
      if (key === undefined) throw new Error('a choice needs options')
      return key
    },
    confirm: (message) =>
      answered(confirm({ ...common, message: shown(message), initialValue: false })),
  }
}
