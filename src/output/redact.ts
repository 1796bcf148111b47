import { replaceParts } from '../input/json.ts'

const MASK = '[redacted]'

// Shorter ones would mask ordinary words of the output; no service issues such keys.
const SHORTEST_SECRET = 8

/** Masks secrets in a text. */
export type Redact = (text: string) => string

/**
 * Removes secrets from everything that is written. Secrets are added as they become known. Data is
 * masked before a format escapes it, since an escaped secret could not be found any more.
 */
export interface Redactor {
  add(secret: string): void
  /** Stops masking a key that is public after all. */
  remove(secret: string): void
  redact: Redact
  /** Plain data with every string in it masked. */
  redactAll<T>(data: T): T
  /** JSON text with every string in it masked, whichever way it is escaped. */
  redactJson: Redact
}

function percentEncoded(secret: string): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  return secret.replace(/[^A-Za-z0-9.~_-]/g, hex)
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // Also the random part at the end alone, which a name or an example made from a key may include.
  const [random] = /[\w-]{16,}$/.exec(secret) ?? []
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

function redactStrings<T>(data: T, redact: Redact): T
function redactStrings(data: unknown, redact: Redact): unknown {
  if (typeof data === 'string') return redact(data)
  if (Array.isArray(data)) return data.map((item: unknown) => redactStrings(item, redact))
  if (typeof data !== 'object' || data === null) return data
  const fields = Object.entries(data)
  return Object.fromEntries(fields.map(([name, value]) => [name, redactStrings(value, redact)]))
}

function redactToken(token: string, redact: Redact): string {
  if (!token.includes('\\')) return token
  const text = String(JSON.parse(token))
  const redacted = redact(text)
  return redacted === text ? token : JSON.stringify(redacted)
}

// The other escapes of JSON cannot hide what an API key consists of, or have one form.
const HIDING_ESCAPE = /\\(?:u00|\/)/

/** A redactor that masks each secret as it is, URL-encoded, JSON-escaped, in base64 and in hex. */
export function createRedactor(): Redactor {
  const secrets = new Map<string, string[]>()
  const redact: Redact = (text) => {
    if (text.length < SHORTEST_SECRET) return text
    let redacted = text
    for (const forms of secrets.values()) {
      for (const form of forms) redacted = redacted.replaceAll(form, MASK)
    }
    return redacted
  }
  return {
    add(secret) {
      if (secret.length >= SHORTEST_SECRET) secrets.set(secret, formsOf(secret))
    },
    remove: (secret) => secrets.delete(secret),
    redact,
    redactAll: (data) => redactStrings(data, redact),
    redactJson(json) {
      const redacted = redact(json)
      if (!HIDING_ESCAPE.test(redacted)) return redacted
      return replaceParts(
        redacted,
        (token) => redactToken(token, redact),
        (text) => text,
      )
    },
  }
}
