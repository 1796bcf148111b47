// Ours, because the packages for this accept a missing quotation mark.
import { refuseUsage } from '../errors.ts'

const WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g

// A shell would act on these. Others, such as `*` and `~`, also occur in plain arguments.
const SHELL = /[|&;<>`]|\$[\w({]|\\["'\s]/

/**
 * Splits a command into words at spaces; quotation marks keep text together.
 * @param from the option with the command, for errors
 * @throws a usage error if there is no word, a quotation mark is missing or only a shell could run it
 */
export function commandWords(command: string, from: string): string[] {
  const refuse = (what: string, hint: string): never => {
    refuseUsage(`${from}: ${what}`, hint)
  }
  if (SHELL.test(command.replace(/'[^']*'/g, ''))) {
    const what = 'the command contains shell syntax'
    refuse(what, "the command is run without a shell; if it needs one: sh -c '…'")
  }
  if (command.replace(WORD, '').trim() !== '') refuse('a quotation mark is missing', 'add it')
  const words = command.match(WORD) ?? []
  if (words.length === 0) refuse('the command is empty', 'write a program and its arguments')
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}

/** A text as a part of a regular expression, outside of brackets. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
