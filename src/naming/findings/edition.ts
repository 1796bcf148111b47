const editions = [2025, 2024] as const

/** The index of the first syntax error according to an edition of the language; undefined if there is none. */
async function errorIndexIn(ecmaVersion: (typeof editions)[number], source: string) {
  const { RegExpParser, RegExpSyntaxError } = await import('@eslint-community/regexpp')
  try {
    new RegExpParser({ ecmaVersion }).parsePattern(source, 0, source.length, { unicode: false })
    return undefined
  } catch (error) {
    return error instanceof RegExpSyntaxError ? error.index : undefined
  }
}

/** The index of the first syntax error; undefined if unknown. */
export async function errorIndex(source: string): Promise<number | undefined> {
  // An engine may not support the newest edition.
  for (const edition of editions) {
    const index = await errorIndexIn(edition, source)
    if (index !== undefined) return index
  }
  return undefined
}

// SyntaxTree that the newest edition adds to groups.
const novelty = /\(\?[ims]*-?[ims]*:|\(\?</

/** Whether only the newest edition, which old engines do not support, accepts a source. */
export async function isNew(source: string): Promise<boolean> {
  if (!novelty.test(source)) return false
  const [newest, older] = [await errorIndexIn(2025, source), await errorIndexIn(2024, source)]
  return newest === undefined && older !== undefined
}
