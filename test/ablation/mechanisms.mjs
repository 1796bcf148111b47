// What a search for names in code does beyond reading calls, each with a change of its source that switches it off.
// A change is a text in a file and what replaces it; where a text is no longer there, the script says so.

const lookups = (file) => `src/code/lookups/${file}`
const text = (file) => `src/code/text/${file}`

/** Replaces the list of words in a regular expression, which then matches nothing. */
const withoutWords = (file, name, never = '/(?!)/') => ({
  file,
  from: new RegExp(`const ${name} =\\s+/(?:\\\\.|\\[(?:\\\\.|[^\\]\\n])+\\]|[^/\\n[])+/\\w*`),
  to: `const ${name} = ${never}`,
})

/** What finds and rejects lookups: compared by the names of `feature references --scan .`. */
export const inLookups = {
  wrappers: [
    {
      file: lookups('wrappers.ts'),
      from: 'for (const call of this.#calls) {\n      const { passed, file } = call',
      to: 'for (const call of []) {\n      const { passed, file } = call',
    },
  ],
  'constants of other files': [
    {
      file: lookups('scanner.ts'),
      from: 'for (const word of neededConstants(wrappers, calls, bindings))',
      to: 'for (const word of [])',
    },
  ],
  '4 rounds': [{ file: lookups('scanner.ts'), from: /MAX_ROUNDS = \d+/, to: 'MAX_ROUNDS = 3' }],
  '20 rounds': [{ file: lookups('scanner.ts'), from: /MAX_ROUNDS = \d+/, to: 'MAX_ROUNDS = 20' }],
  'cases: tables': [
    { file: lookups('cases.ts'), from: 'const path = tokens.startOfPath(member)', to: 'return' },
  ],
  'cases: functions': [
    {
      file: lookups('cases.ts'),
      from: /const closing = tokens.pairOf\(nameAt \+ 1\)/,
      to: 'return',
    },
  ],
  'only tests see tests': [
    {
      file: lookups('nearest.ts'),
      from: '(isTest(from) || !isTest(file)) && repositoryOf',
      to: 'repositoryOf',
    },
  ],
  'the nearest folder first': [
    {
      file: lookups('nearest.ts'),
      from: 'return [inFile, ...byDistance(from, others)]',
      to: 'return [inFile, others]',
    },
  ],
  "is it an SDK's?": [
    {
      file: lookups('wrappers.ts'),
      from: 'isOwnFunction(call: Call): boolean {',
      to: 'isOwnFunction(call: Call): boolean {\n    return false',
    },
  ],
  owners: [
    {
      file: lookups('owners.ts'),
      from: 'export function ownerOf(tokens: Tokens, index: number): string | undefined {',
      to: 'export function ownerOf(tokens: Tokens, index: number): string | undefined {\n  return undefined',
    },
  ],
  'surroundings: fields of constructors': [
    {
      file: lookups('surroundings.ts'),
      from: '#ownField(path: readonly string[]): Passed | undefined {',
      to: '#ownField(path: readonly string[]): Passed | undefined {\n    return undefined',
    },
  ],
  'surroundings: objects of flags': [
    {
      file: lookups('surroundings.ts'),
      from: 'const method = this.#functions.find(({ name }) => name !== undefined)',
      to: 'return undefined\n    const method = this.#functions.find(({ name }) => name !== undefined)',
    },
  ],
  'new objects of flags': [
    {
      file: lookups('bindings.ts'),
      from: 'return flagObjectAt(tokens, from, to) ?? (isCall ? value : undefined)',
      to: 'return isCall ? value : undefined',
    },
  ],
  'arguments of enum constants': [
    {
      file: lookups('bindings.ts'),
      from: 'if (!tokens.language.hasEnumArguments) return undefined',
      to: 'return undefined',
    },
  ],
  'constants with their own names': [
    {
      file: lookups('bindings.ts'),
      from: 'function namedConstant(tokens: Tokens, index: number): Bound | undefined {',
      to: 'function namedConstant(tokens: Tokens, index: number): Bound | undefined {\n  return undefined',
    },
  ],
  'constants with texts for serde': [
    {
      file: lookups('bindings.ts'),
      from: "if (tokens.textOf(index - 1) !== ']') return undefined",
      to: 'return undefined',
    },
  ],
  'members read of objects': [
    {
      file: lookups('calls.ts'),
      from: 'export function membersReadAt(tokens: Tokens, index: number): Argument[] {',
      to: 'export function membersReadAt(tokens: Tokens, index: number): Argument[] {\n  return []',
    },
  ],
  'other names of imports': [
    {
      file: lookups('facts.ts'),
      from: 'if (this.#originals.size === 0) return word',
      to: 'return word',
    },
    {
      file: lookups('facts.ts'),
      from: 'if (this.#originals.size === 0) return expression',
      to: 'return expression',
    },
  ],
  'names of default exports': [
    {
      file: 'src/code/lexer/file-names.ts',
      from: 'export function moduleName(file: string): string {',
      to: "export function moduleName(file: string): string {\n  return '?'",
    },
  ],
  'joined texts': [
    {
      file: lookups('resolution.ts'),
      from: "case 'join':\n        return joinedValue(each(expression.parts))",
      to: "case 'join':\n        return unresolved()",
    },
  ],
  'calls without brackets': [
    {
      file: lookups('calls.ts'),
      from: 'if (!tokens.language.hasCommands || tokens.isNewLine(from)) return undefined',
      to: 'return undefined',
    },
  ],
  casts: [
    {
      file: lookups('expressions.ts'),
      from: 'const cast = indexOf(tokens, { from, to }, CASTS)',
      to: 'const cast = -1',
    },
  ],
  symbols: [
    {
      file: lookups('expressions.ts'),
      from: "if (tokens.textOf(index) !== ':' || !tokens.language.hasSymbols) return undefined",
      to: 'return undefined',
    },
  ],
  manifests: [
    {
      file: lookups('sdk-use.ts'),
      from: 'return isManifest(file) ? DEPENDENCY.test(text) : importsSdk(text)',
      to: 'return isManifest(file) ? false : importsSdk(text)',
    },
  ],
  'references of methods': [
    {
      file: lookups('calls.ts'),
      from: 'return tokens.language.hasReferences === true &&',
      to: 'return false &&',
    },
  ],
  components: [
    {
      file: lookups('calls.ts'),
      from: "mayBeTag && tokens.textOf(index - 1) === '<' &&",
      to: 'false &&',
    },
  ],
  'other systems': [
    {
      file: lookups('sdks.ts'),
      from: "if (!system || receiver === '') return false",
      to: 'return false',
    },
  ],
  'arguments that are not names': [
    {
      file: lookups('calls.ts'),
      from: 'return MATCHER.test(text) || MAP.test(text)',
      to: 'return false',
    },
  ],
  'words: BUILT_IN': [withoutWords(lookups('wrappers.ts'), 'BUILT_IN')],
  'words: COMMON methods': [withoutWords(lookups('wrappers.ts'), 'COMMON')],
  'words: GENERIC': [withoutWords(lookups('scanner.ts'), 'GENERIC')],
  'words: LABEL': [withoutWords(lookups('calls.ts'), 'LABEL')],
  'words: CONTEXT': [withoutWords(lookups('calls.ts'), 'CONTEXT')],
  'words: LOGGER': [withoutWords(lookups('calls.ts'), 'LOGGER')],
  'words: LEVEL': [withoutWords(lookups('calls.ts'), 'LEVEL')],
  'words: MATCHER': [withoutWords(lookups('calls.ts'), 'MATCHER')],
  'words: MAP': [withoutWords(lookups('calls.ts'), 'MAP')],
  'words: CONVERTERS': [withoutWords(lookups('expressions.ts'), 'CONVERTERS')],
  'words: FLAG_TYPE': [withoutWords(lookups('bindings.ts'), 'FLAG_TYPE')],
  'words: NAME of objects': [withoutWords(lookups('bindings.ts'), 'NAME')],
  'words: CLIENT': [withoutWords(lookups('wrappers.ts'), 'CLIENT')],
  'words: CONSTANT': [withoutWords(lookups('resolution.ts'), 'CONSTANT')],
  'words: SELF': [withoutWords(lookups('bindings.ts'), 'SELF')],
  'words: USING': [withoutWords(lookups('bindings.ts'), 'USING')],
  'words: DECLARING': [withoutWords(lookups('bindings.ts'), 'DECLARING')],
  'words: FUNCTION': [withoutWords(lookups('bindings.ts'), 'FUNCTION')],
  'words: COMMAND_END': [withoutWords(lookups('calls.ts'), 'COMMAND_END')],
  'words: DECLARATION of tables': [withoutWords(lookups('cases.ts'), 'DECLARATION')],
  'words: NOTHING': [withoutWords(lookups('expressions.ts'), 'NOTHING')],
  'words: PREFIXES': [withoutWords(lookups('expressions.ts'), 'PREFIXES')],
  'words: CONTROL': [withoutWords(lookups('functions.ts'), 'CONTROL')],
  'words: BEFORE_EXPRESSION': [withoutWords(lookups('functions.ts'), 'BEFORE_EXPRESSION')],
  'words: INFIX': [withoutWords(lookups('functions.ts'), 'INFIX')],
  'words: TEST files': [withoutWords('src/code/lexer/file-names.ts', 'TEST')],
}

/** What finds known names, and doubts: compared by the rows of a search for the names that lookups have. */
export const inTexts = {
  escapes: [
    {
      file: text('text-scanner.ts'),
      from: 'if (IS_SIGN[code] === 1 && mayBeEscape(buffer, at))',
      to: 'if (false)',
    },
  ],
  'composed texts': [
    {
      file: text('text-scanner.ts'),
      from: 'if (this.#findsComposed && STARTS',
      to: 'if (false && STARTS',
    },
  ],
  'UTF-16': [
    {
      file: 'src/code/files/contents.ts',
      from: "const start = head.toString('latin1', 0, 3)",
      to: "return UTF8\n  const start = head.toString('latin1', 0, 3)",
    },
  ],
}
