const MASK = '[redacted]'

// Shorter ones would mask ordinary words of the output; no service issues such keys.
const SHORTEST_SECRET = 8

/** Masks secrets in a text. */
export type Redact = (text: string) => string

/** Removes secrets from everything that is written. Secrets are added as they become known. */
export interface Redactor {
  add(secret: string): void
  /** Stops masking a key that is public after all. */
  remove(secret: string): void
  redact: Redact
}

function percentEncoded(secret: string): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  return secret.replace(/[^A-Za-z0-9.~_-]/g, hex)
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // Also the random part alone, which a name or an example made from a key may include.
  const [, random] = /\.([\w-]{16,})$/.exec(secret) ?? []
  return [
    secret,
    encodeURIComponent(secret),
    percentEncoded(secret),
    percentEncoded(secret).replace(/%../g, (code) => code.toUpperCase()),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64').replaceAll('=', ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...(random === undefined ? [] : [random]),
  ]
}

/** A redactor that masks each secret as it is, URL-encoded, JSON-escaped, in base64 and in hex. */
export function createRedactor(): Redactor {
  const forms = new Map<string, string[]>()
  return {
    add(secret) {
      if (secret.length >= SHORTEST_SECRET) forms.set(secret, formsOf(secret))
    },
    remove: (secret) => forms.delete(secret),
    redact(text) {
      let redacted = text
      for (const form of [...forms.values()].flat()) redacted = redacted.replaceAll(form, MASK)
      return redacted
    },
  }
}
