const MASK = '[redacted]'

// Shorter ones would mask ordinary words of the output; no service issues such keys.
const SHORTEST_SECRET = 8

/** Removes secrets from everything that is written. Secrets are added as they become known. */
export interface Redactor {
  add(secret: string): void
  redact(text: string): string
}

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64')
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
  ]
}

/** A redactor that masks each secret as it is, URL-encoded, JSON-escaped and in base64. */
export function createRedactor(): Redactor {
  const forms = new Set<string>()
  return {
    add(secret) {
      if (secret.length < SHORTEST_SECRET) return
      for (const form of formsOf(secret)) forms.add(form)
    },
    redact(text) {
      let redacted = text
      for (const form of forms) redacted = redacted.replaceAll(form, MASK)
      return redacted
    },
  }
}
