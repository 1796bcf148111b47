// The prefixes that constants and variables of environments for flags have.
const PREFIXES = ['', 'FF_', 'FLAG_', 'FEATURE_', 'FEATURE_FLAG_', 'ENABLE_']

/** The words of a name: `new-ui`, `newUi` and `NEW_UI` have `new` and `ui`. */
function wordsOf(name: string): string[] {
  const separated = name.replace(/([a-z\d])([A-Z])/g, '$1 $2')
  return separated
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Other ways to write a name in code: `newUi`, `NEW_UI`, `FF_NEW_UI`; none for a single word, which means other things as well. */
export function spellingsOf(name: string): string[] {
  const words = wordsOf(name)
  const [first = '', ...others] = words
  if (others.length === 0) return []
  const camelCase = first + others.map(capitalized).join('')
  const constant = words.join('_').toUpperCase()
  const constants = PREFIXES.map((prefix) => prefix + constant)
  const all = [camelCase, capitalized(camelCase), words.join('_'), words.join('-'), ...constants]
  return all.filter((spelling) => spelling !== name)
}
