// Ours, because the packages for this do not report which quotation mark is open at the end of the line.
/** A command line up to the cursor, as bash would split it. */
interface ShellLine {
  /** The words after the program, without quotation marks; the last one is being typed. */
  words: string[]
  /** The quotation mark that is open at the cursor. */
  quote: string
  /** Whether the last word is the file of a redirection. */
  redirects: boolean
}

/** Splits a command line. Nothing is expanded: the text of a substitution or variable stays as it is. */
export function splitLine(line: string): ShellLine {
  const words: string[] = []
  let word = ''
  let quote = ''
  let started = false
  let redirects = false
  // How many substitutions, such as $(…), are open.
  let depth = 0
  const end = () => {
    // A redirection and its file are not arguments.
    if (started && !redirects) words.push(word)
    if (started) redirects = false
    word = ''
    started = false
  }
  const characters = line[Symbol.iterator]()
  for (const character of characters) {
    if (quote === '' && depth === 0 && /[\s<>]/.test(character)) {
      if (/[<>]/.test(character)) {
        // The number in `2>` belongs to the operator.
        if (/^\d+$/.test(word)) started = false
        end()
        redirects = true
      } else end()
      continue
    }
    started = true
    if (character === quote) quote = ''
    else if (character === '\\' && quote !== "'") {
      const next = characters.next().value ?? ''
      word += quote === '' || /[$`"\\]/.test(next) ? next : `\\${next}`
    } else if (quote === '' && /['"]/.test(character)) quote = character
    else {
      if (quote === '' && character === '(' && word.endsWith('$')) depth++
      if (quote === '' && character === ')' && depth > 0) depth--
      if (quote === '' && character === '`') depth = depth > 0 ? depth - 1 : 1
      word += character
    }
  }
  return { words: [...words, word].slice(1), quote, redirects }
}

const escapes: Readonly<Record<string, RegExp>> = {
  '': /[^\w\p{L}\p{N}@%+=:,./-]/gu,
  '"': /[\\"$`]/g,
}

/** Text to append to a word of a command line, escaped for the quotation that is open there. */
export function escapeFor(quote: string, text: string): string {
  const special = escapes[quote]
  return special ? text.replace(special, '\\$&') : text.replaceAll("'", String.raw`'\''`)
}
