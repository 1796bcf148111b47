// Masks secrets in documents of the service: values that open a door, wherever they are.
import { endOfString } from '../input/json.ts'
import { MASK } from './redact.ts'

/** The names of fields with secrets, in lower case and without other characters than letters. */
const SECRET_NAME =
  /(secret|token|password|passwd|passphrase|apikey|accesskey|privatekey|signingkey|licensekey|credential|credentials|authorization|certificate|cookie|customheaders)$/
const secretNames = new Set(['alias', 'selector', 'license', 'pat'])

/** The names of fields in which an address may contain a secret, such as that of a webhook. */
const containers = new Set(['details', 'tokens'])

function plainName(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}

function isSecret(key: string): boolean {
  const name = plainName(key)
  return SECRET_NAME.test(name) || secretNames.has(name)
}

// Text may be long: a form that is tried from each character of a word to its end would take quadratic time.

/** Text in a form that only secrets have, also within other text: tokens of Unleash and others, and links that let people in. */
const forms: readonly RegExp[] = [
  // `*:*.5a9d…`, `shop:production.5a9d…`, `[]:development.5a9d…`
  /(?:\*|\[\]|(?<![\w.~-])[\w.~-]+):(?:\*|[\w.~-]+)\.[0-9a-f]{16,}/gi,
  /(?<![\w.~-])(?:\*|\[\]):(?:\*|[\w.~-]+)\.[\w-]{8,}/g,
  // `user:5a9d…`
  /\buser:[0-9a-f]{16,}/gi,
  // With a key that an administrator chose, if it is all of the text.
  /^(?:\[\]|[\w~-]+):[\w~-]+\.(?=[\w-]*\d|[\w-]*-)[\w-]{16,}$/g,
  /\b(?:Bearer|Basic) [\w.~+/=-]{8,}/gi,
  /\beyJ[\w-]{8,2000}\.[\w-]{8,}\.[\w-]*/g,
  /-----BEGIN [^-]*PRIVATE KEY-----[^]*?(?:-----END [^-]*-----|$)/g,
  /(?<=[?&](?:invite|token|secret|password|api_?key|key|sig|signature|access_?token)=)[^&#\s"]+/gi,
  /(?<=:\/\/)[^\s/@":]+:[^\s/@"]+(?=@)/g,
]

/** A text without secrets that can be recognised by their form. */
export function maskForms(text: string): string {
  return forms.reduce((masked, form) => masked.replaceAll(form, MASK), text)
}

const STRING = '"'
const SCALAR = /[^\s,:[\]{}"]+/y
const HIDING = JSON.stringify(MASK)

/** An object or a list that has begun. */
interface Level {
  isObject: boolean
  /** The name of the current field of an object. */
  key: string
  /** Whether all texts and numbers in it are masked. */
  isHidden: boolean
  /** Whether addresses in it are masked. */
  hasAddresses: boolean
}

/** A string of JSON text without secrets: of a text that has none, the string as it is. */
function maskedString(token: string): string {
  const text = String(JSON.parse(token))
  const masked = maskForms(text)
  return masked === text ? token : JSON.stringify(masked)
}

/** Whether a value is masked because of where it is. */
function isHiddenIn(level: Level | undefined): boolean {
  if (!level) return false
  const { isHidden, isObject, key, hasAddresses } = level
  return isHidden || (isObject && (isSecret(key) || (hasAddresses && plainName(key) === 'url')))
}

function levelIn(outer: Level | undefined, isObject: boolean): Level {
  const hasAddresses =
    outer !== undefined && (outer.hasAddresses || containers.has(plainName(outer.key)))
  return { isObject, key: '', isHidden: isHiddenIn(outer), hasAddresses }
}

/**
 * Masks the secrets in JSON text, which stays as it is otherwise: with all its digits, and its fields in their order. Empty
 * texts, `null`, `true` and `false` are not secrets.
 * @param json valid JSON
 */
export function maskSecrets(json: string): string {
  const pieces: string[] = []
  const levels: Level[] = []
  let isKey = false
  for (let at = 0; at < json.length; ) {
    const character = json[at] ?? ''
    const level = levels.at(-1)
    if (character === STRING) {
      const end = endOfString(json, at)
      const token = json.slice(at, end)
      if (isKey && level) {
        level.key = String(JSON.parse(token))
        pieces.push(maskedString(token))
      } else {
        const isHidden = token.length > 2 && isHiddenIn(level)
        pieces.push(isHidden ? HIDING : maskedString(token))
      }
      isKey = false
      at = end
      continue
    }
    SCALAR.lastIndex = at
    const [scalar] = SCALAR.exec(json) ?? []
    if (scalar !== undefined) {
      const isNumber = /^[-\d]/.test(scalar)
      pieces.push(isNumber && isHiddenIn(level) ? HIDING : scalar)
      at += scalar.length
      continue
    }
    if (character === '{' || character === '[') {
      levels.push(levelIn(level, character === '{'))
      isKey = character === '{'
    } else if (character === '}' || character === ']') {
      levels.pop()
      isKey = false
    } else if (character === ',') isKey = level?.isObject === true
    pieces.push(character)
    at++
  }
  return pieces.join('')
}

/** Data without secrets. */
export function maskedData(data: unknown): unknown {
  return data === undefined ? undefined : JSON.parse(maskSecrets(JSON.stringify(data)))
}
