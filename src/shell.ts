// Zsh replaces a leading `=`, and bash a `~` after `=` or `:` as well.
const PLAIN_WORD = /^(?!=)[\w%+,./:=@-]+$/

/** A word of a command to copy, in quotation marks if bash, zsh or fish would change it. */
export function shellWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** A command to copy. */
export function shellCommand(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

/** Names as arguments of a command. */
export function nameWords(names: readonly string[]): readonly string[] {
  return names.some((name) => name.startsWith('-')) ? ['--', ...names] : names
}
