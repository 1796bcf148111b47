/** The kinds of tokens that Unleash issues and that can be recognised. */
export type TokenKind = 'admin' | 'client' | 'personal'

// Only admin tokens may be for all projects and all environments.
const forms: readonly [RegExp, TokenKind][] = [
  [/^\*:\*\.\S+$/, 'admin'],
  [/^user:\S+$/, 'personal'],
  [/^(?:\*|\[\]|[\w.~-]+):[\w.~-]+\.[^.\s]+$/, 'client'],
]

/** The kind of a token by its format; undefined if the format is unknown. */
export function tokenKind(key: string): TokenKind | undefined {
  return forms.find(([form]) => form.test(key))?.[1]
}

// Frontend tokens look like client tokens, and service account tokens like personal ones.
const names: Readonly<Record<TokenKind | 'unknown', string>> = {
  admin: 'admin token',
  client: 'client or frontend token',
  personal: 'personal access token or service account token',
  unknown: 'token of unknown kind',
}

/** The kind of a token as shown to the user. */
export function tokenName(kind: TokenKind | 'unknown' = 'unknown'): string {
  return names[kind]
}
