// Frontend tokens look like client tokens, and service account tokens like personal ones.
const names = {
  admin: 'admin token',
  client: 'client or frontend token',
  personal: 'personal access token or service account token',
  unknown: 'token of unknown kind',
}

export type TokenKind = keyof typeof names

// Only admin tokens may be for all projects and all environments.
const forms: readonly { kind: TokenKind; form: RegExp }[] = [
  { kind: 'admin', form: /^\*:\*\.\S+$/ },
  { kind: 'personal', form: /^user:\S+$/ },
  { kind: 'client', form: /^(?:\*|\[\]|[\w.~-]+):[\w.~-]+\.[^.\s]+$/ },
]

/** The kind of a token by its format; undefined if the format is unknown. */
export function tokenKind(key: string): TokenKind | undefined {
  return forms.find(({ form }) => form.test(key))?.kind
}

export function tokenName(kind: TokenKind = 'unknown'): string {
  return names[kind]
}
