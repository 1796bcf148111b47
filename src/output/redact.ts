const MASK = '[redacted]'

// Shorter ones would mask ordinary words of the output; no service issues such keys.
const SHORTEST_SECRET = 8

/** Masks secrets in a text. */
export type Redact = (text: string) => string

/** Removes secrets from everything that is written. Secrets are added as they become known. */
export interface Redactor {
  add(secret: string): void
  redact: Redact
}

function percentEncoded(secret: string): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  return secret.replace(/[^A-Za-z0-9.~_-]/g, hex)
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
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
  ]
}

/** A redactor that masks each secret as it is, URL-encoded, JSON-escaped, in base64 and in hex. */
export function createRedactor(): Redactor {
  const forms = new Set<string>()
  return {
    add(secret) {
      if (secret.length < SHORTEST_SECRET) return
      for (const form of formsOf(secret)) forms.add(form)
      // The random part alone as well: a name or an example made from a key may keep it.
      const [, random] = /\.([\w-]{16,})$/.exec(secret) ?? []
      if (random !== undefined) forms.add(random)
    },
    redact(text) {
      let redacted = text
      for (const form of forms) redacted = redacted.replaceAll(form, MASK)
      return redacted
    },
  }
}
