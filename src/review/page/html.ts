import { createHash } from 'node:crypto'
import { memoized } from '../../memoized.ts'
import { escapeMarkup, type Writer } from '../../output/text.ts'

/** Markup that a template makes, data for a script, or what is part of flagadm. */
export type Html =
  | { readonly parts: TemplateStringsArray; readonly values: readonly Inserted[] }
  | { readonly json: unknown }
  | { readonly trusted: string }

/** What a template inserts: text is escaped; nothing is inserted for undefined and false. */
type Inserted = Html | string | number | undefined | false | readonly Inserted[]

/** A template: its text is masked, made printable and escaped, for elements and for attributes in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Inserted[]): Html {
  return { parts, values }
}

/** Makes text masked and printable; the same text, as many rows have, only once. */
type Print = (text: string) => string

function createPrint(out: Writer): Print {
  return memoized((text) => out.rendered([text]))
}

function markupOf(value: Inserted, print: Print): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'number') return `${value}`
  if (typeof value === 'string') return escapeMarkup(print(value))
  if ('trusted' in value) return value.trusted
  if ('json' in value) {
    const printed = (_: string, item: unknown) => (typeof item === 'string' ? print(item) : item)
    return JSON.stringify(value.json, printed).replaceAll('<', '\\u003c')
  }
  if (!('parts' in value)) return value.map((one) => markupOf(one, print)).join('')
  return String.raw({ raw: value.parts }, ...value.values.map((one) => markupOf(one, print)))
}

/** The source of a script or style for a Content-Security-Policy. */
function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/**
 * Prints a page as one file that loads nothing, and runs only its own script.
 * @param body in parts, because a long page would not fit into memory several times
 */
export function printHtml(
  { title, style, script }: { title: string; style: string; script: string },
  body: Iterable<Html>,
  out: Writer,
): void {
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    `script-src ${sourceOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  const start = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${{ trusted: style }}</style>
</head>
<body>
`
  const end = html`<script>${{ trusted: script }}</script>
</body>
</html>
`
  const print = createPrint(out)
  for (const part of [start, ...body, end]) out.raw(markupOf(part, print))
}
