/** An argument of a call: its text, and where that begins in the text that was split. */
export interface Argument {
  text: string
  offset: number
}

/** The arguments of a call, and the index after its closing bracket, if that was reached. */
export interface Arguments {
  list: Argument[]
  end: number | undefined
}

// Deeper arguments are not read: this bounds the work on hostile text.
const DEEPEST = 8

// A quote or a comment without an end reaches to the end, so that each character is read once.
const TOKEN =
  /"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*(?:`|$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[^"'`()[\]{},/]+|[\s\S]/g

/** Splits the text after an opening bracket into arguments, as far as they are complete. */
export function splitArguments(text: string): Arguments {
  const list: Argument[] = []
  let [depth, start] = [0, 0]
  const add = (end: number) => list.push({ text: text.slice(start, end), offset: start })
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === ',' && depth === 0) {
      add(index)
      start = index + 1
    } else if (token === '(' || token === '[' || token === '{') {
      if (++depth > DEEPEST) break
    } else if ((token === ')' || token === ']' || token === '}') && depth-- === 0) {
      if (text.slice(start, index).trim() !== '') add(index)
      return { list, end: index + 1 }
    }
  }
  return { list, end: undefined }
}
