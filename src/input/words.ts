import { FlagadmError } from '../errors.ts'

const WORD = /\s*((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)(?=\s|$)/sy
const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gs
// A shell would act on these. Others, such as `*` and `~`, also occur in plain arguments.
const SHELL = /[|&;<>`]|\$[\w({]/

/** The text of a word without quotation marks and backslashes. */
function unquoted(word: string): string {
  return word.replace(PART, (_, single?: string, double?: string, escaped?: string, plain = '') =>
    double === undefined ? (single ?? escaped ?? plain) : double.replace(/\\(["\\])/g, '$1'),
  )
}

/**
 * Splits a command into words at spaces, as a shell does: quotation marks and backslashes keep text together.
 * @param from the option with the command, for errors
 * @throws a usage error if there is no word, a quotation mark is missing or only a shell could run it
 */
export function commandWords(command: string, from: string): string[] {
  const refuse = (what: string, hint: string): never => {
    throw new FlagadmError('usage', `${from}: ${what}`, { hint })
  }
  const text = command.trim()
  const words: string[] = []
  for (WORD.lastIndex = 0; WORD.lastIndex < text.length;) {
    const [, word] = WORD.exec(text) ?? []
    if (word === undefined) {
      return refuse('a quotation mark or the character after a backslash is missing', 'add it')
    }
    if (SHELL.test(word.replace(/'[^']*'/g, ''))) {
      const hint = "the command is run without a shell; if it needs one: sh -c '…'"
      return refuse('the command contains shell syntax', hint)
    }
    words.push(unquoted(word))
  }
  return words[0] ? words : refuse('the command is empty', 'write a program and its arguments')
}
