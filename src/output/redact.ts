import { replaceStrings } from '../input/json.ts'
import { escapePattern } from '../input/words.ts'

export const MASK = '[redacted]'

// Shorter ones would mask ordinary words of the output, and no service issues them.
const MIN_SECRET_LENGTH = 8

export type Redact = (text: string) => string

/**
 * Masks secrets in everything that is written. Secrets are added as they become known. Data must be
 * masked before a format escapes it, because an escaped secret would not be found.
 */
export interface Redactor {
  add(secret: string): void
  /** Stops masking a key that turns out to be public. */
  remove(secret: string): void
  redact: Redact
  /** Plain data with every string in it masked. */
  redactAll<T>(data: T): T
  /** JSON text with every string in it masked, however the string is escaped. */
  redactJson: Redact
}

function percentEncoded(secret: string): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  return secret.replace(/[^A-Za-z0-9.~_-]/g, hex)
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // The random part is masked on its own too, because a name derived from a key may include it.
  const [random = secret] = /(?<![\w-])[\w-]{16,}$/.exec(secret) ?? []
  const forms = [
    secret,
    encodeURIComponent(secret),
    // As in the name of an exported file.
    encodeURIComponent(secret).replaceAll('*', '%2A'),
    percentEncoded(secret),
    percentEncoded(secret).replace(/%../g, (code) => code.toUpperCase()),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64').replaceAll('=', ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    random,
  ]
  return [...new Set(forms)]
}

// The first signature states that the type stays the same, which the compiler cannot infer.
function redactStrings<T>(data: T, redact: Redact): T
function redactStrings(data: unknown, redact: Redact): unknown {
  if (typeof data === 'string') return redact(data)
  if (Array.isArray(data)) return data.map((item: unknown) => redactStrings(item, redact))
  if (typeof data !== 'object' || data === null) return data
  const fields = Object.entries(data)
  return Object.fromEntries(
    fields.map(([name, value]) => [redact(name), redactStrings(value, redact)]),
  )
}

function redactToken(token: string, redact: Redact): string {
  if (!token.includes('\\')) return token
  const text = String(JSON.parse(token))
  const redacted = redact(text)
  return redacted === text ? token : JSON.stringify(redacted)
}

// No other JSON escape can hide a character of an API key.
const HIDING_ESCAPE = /\\(?:u00|\/)/

// Longer texts are searched for one by one, because a regular expression with them could be too large.
const MAX_SOURCE_LENGTH = 1000

/** An expression that finds the first of these texts. */
function anyOf(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined
  return new RegExp(texts.map(escapePattern).join('|'), 'g')
}

/** A redactor that masks each secret as it is, URL-encoded, JSON-escaped, in base64 and in hex. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>()
  let long: readonly string[] = []
  let short: RegExp | undefined
  const update = () => {
    // The longest first, because they may contain each other.
    const forms = [...secrets].flatMap(formsOf).sort((a, b) => b.length - a.length)
    long = forms.filter((form) => form.length > MAX_SOURCE_LENGTH)
    short = anyOf(forms.filter((form) => form.length <= MAX_SOURCE_LENGTH))
  }
  const redact: Redact = (text) => {
    if (text.length < MIN_SECRET_LENGTH) return text
    let masked = text
    for (const form of long) masked = masked.replaceAll(form, MASK)
    return short ? masked.replace(short, MASK) : masked
  }
  return {
    add(secret) {
      if (secret.length < MIN_SECRET_LENGTH || secrets.has(secret)) return
      secrets.add(secret)
      update()
    },
    remove(secret) {
      if (secrets.delete(secret)) update()
    },
    redact,
    redactAll: (data) => redactStrings(data, redact),
    redactJson(json) {
      const redacted = redact(json)
      if (!HIDING_ESCAPE.test(redacted)) return redacted
      return replaceStrings(redacted, (token) => redactToken(token, redact))
    },
  }
}
