// Ours, because the packages for this accept a missing quotation mark, and treat backslashes on Windows as escapes.
import { FlagadmError } from '../errors.ts'

/** How a command is split into words. */
interface Syntax {
  /** A part of a word: text in single quotes, text in double quotes, an escaped character, or another one. */
  part: RegExp
  /** An escaped character in double quotes. */
  escaped: RegExp
  /** A command that runs a shell. */
  shell: string
}

const posix: Syntax = {
  part: /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\])/gs,
  escaped: /\\(["\\])/g,
  shell: "sh -c '…'",
}

// Paths contain backslashes, so only one before a quotation mark is an escape.
const windows: Syntax = {
  part: /'([^']*)'|"((?:[^"\\]|\\(?!")|\\")*)"|\\(["'])|([^\s'"\\]|\\(?!["']))/gs,
  escaped: /\\(")/g,
  shell: "powershell -Command '…'",
}

// A shell would act on these. Others, such as `*` and `~`, also occur in plain arguments.
const SHELL = /[|&;<>`]|\$[\w({]/

/** The text of a word without quotation marks and backslashes. */
function unquoted(word: string, { part, escaped }: Syntax): string {
  return word.replace(part, (_, single?: string, double?: string, char?: string, plain = '') =>
    double === undefined ? (single ?? char ?? plain) : double.replace(escaped, '$1'),
  )
}

/**
 * Splits a command into words at spaces, as a shell does: quotation marks and, except on Windows, backslashes
 * keep text together.
 * @param from the option with the command, for errors
 * @throws a usage error if there is no word, a quotation mark is missing or only a shell could run it
 */
export function commandWords(command: string, from: string, platform: NodeJS.Platform): string[] {
  const syntax = platform === 'win32' ? windows : posix
  const pattern = new RegExp(`\\s*((?:${syntax.part.source})+)(?=\\s|$)`, 'sy')
  const refuse = (what: string, hint: string): never => {
    throw new FlagadmError('usage', `${from}: ${what}`, { hint })
  }
  const text = command.trim()
  const words: string[] = []
  while (pattern.lastIndex < text.length) {
    const [, word] = pattern.exec(text) ?? []
    if (word === undefined) {
      return refuse('a quotation mark or the character after a backslash is missing', 'add it')
    }
    if (SHELL.test(word.replace(/'[^']*'/g, ''))) {
      const hint = `the command is run without a shell; if it needs one: ${syntax.shell}`
      return refuse('the command contains shell syntax', hint)
    }
    words.push(unquoted(word, syntax))
  }
  return words[0] ? words : refuse('the command is empty', 'write a program and its arguments')
}
