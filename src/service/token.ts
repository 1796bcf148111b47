// Only admin tokens may be for all projects and all environments.
const forms = [
  [/^\*:\*\.\S+$/, 'admin'],
  [/^user:\S+$/, 'personal'],
  [/^(?:\*|\[\]|[\w.~-]+):[\w.~-]+\.[^.\s]+$/, 'client'],
] as const

// Frontend tokens look like client tokens, and service account tokens like personal ones.
const names = {
  admin: 'admin token',
  client: 'client or frontend token',
  personal: 'personal access token or service account token',
  unknown: 'token of unknown kind',
}

/** The kind of a token by its format; undefined if the format is unknown. */
export function tokenKind(key: string) {
  return forms.find(([form]) => form.test(key))?.[1]
}

/** The kind of a token as shown to the user. */
export function tokenName(kind: keyof typeof names = 'unknown'): string {
  return names[kind]
}
