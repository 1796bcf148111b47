/** A part of a generated name; a lower cost means that it reads better at this place. */
interface Token {
  text: string
  cost: number
  isWord: boolean
}

// Words of different lengths, because a pattern may limit the length.
const vocabulary = ['checkout', 'search', 'banner', 'login', 'beta', 'new', 'ui', 'notifications']
const numbers = ['1', '42', '123', '2024']

// Alphabets and the cost of a single character.
const alphabets: readonly [string, number][] = [
  ['-_', 1],
  ['.', 2],
  ['abcdefghijklmnopqrstuvwxyz', 3],
  ['1234567890', 3],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 4],
  ["!~*'()", 8],
]

const fewCharacters = 5
const isMark = /(?:^|[^A-Za-z0-9])$/

/** The kind of character that text ends with. */
export function endingOf(text: string): 'mark' | 'lower' | 'upper' | 'digit' {
  if (isMark.test(text)) return 'mark'
  if (/[a-z]$/.test(text)) return 'lower'
  return /[A-Z]$/.test(text) ? 'upper' : 'digit'
}

function rotated(list: readonly string[], turn: number): string[] {
  const start = turn % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function wordTokens(word: string, before: string): Token[] {
  const repeatCost = before.toLowerCase().includes(word) ? 4 : 0
  const joinCost = repeatCost + (isMark.test(before) ? 0 : 6)
  const tokens: [string, number][] = [
    [word, 3 + joinCost],
    [capitalized(word), endingOf(before) === 'lower' ? 3 + repeatCost : 4 + joinCost],
    [word.toUpperCase(), 5 + joinCost],
  ]
  return tokens.map(([text, cost]) => ({ text, cost, isWord: true }))
}

/** All of these characters if there are few, otherwise one of each alphabet, in sequence after the previous one. */
function singleTokens(characters: string, before: string, turn: number): Token[] {
  return alphabets.flatMap(([alphabet, cost]) => {
    const choice = Array.from(alphabet).filter((text) => characters.includes(text))
    const last = before === '' ? -1 : alphabet.indexOf(before.slice(-1))
    const next = last < 0 ? turn % choice.length : choice.indexOf(alphabet.charAt(last + 1))
    const hasChoice = choice.length >= fewCharacters
    const texts = hasChoice ? choice.slice(Math.max(next, 0)).slice(0, 1) : choice
    const joinCost = cost < 3 && isMark.test(before) ? 4 : 0
    return texts.map((text) => ({
      text,
      cost: cost + joinCost + (hasChoice ? 5 : 0),
      isWord: false,
    }))
  })
}

/**
 * The tokens that may follow the text `before`.
 * @param exits sets of characters that may come next
 * @param turn another turn prefers other words
 */
export function tokensAfter(before: string, exits: readonly string[], turn: number): Token[] {
  const singles = exits.flatMap((characters) => singleTokens(characters, before, turn))
  // If few characters are allowed, the pattern probably spells out a literal.
  if (exits.every(({ length }) => length < fewCharacters)) return singles
  const joinCost = { mark: 1, lower: 3, upper: 3, digit: 6 }[endingOf(before)]
  return [
    ...rotated(vocabulary, turn).flatMap((word) => wordTokens(word, before)),
    ...rotated(numbers, turn).map((text) => ({ text, cost: 3 + joinCost, isWord: false })),
    ...singles,
  ]
}

/** The cost of ending a name here. */
export function endCost(text: string): number {
  return isMark.test(text) ? 5 : 0
}
