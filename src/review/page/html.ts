import { createHash } from 'node:crypto'
import { escapeMarkup, type Writer } from '../../output/text.ts'

/** Markup that a template makes, or that is part of flagadm. */
export type Html =
  | { readonly parts: TemplateStringsArray; readonly values: readonly Inserted[] }
  | { readonly trusted: string }

/** What a template inserts: text is escaped; nothing is inserted for undefined and false. */
type Inserted = Html | string | number | undefined | false | readonly Inserted[]

/** A template: its text is masked, made printable and escaped, for elements and for attributes in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Inserted[]): Html {
  return { parts, values }
}

function markupOf(value: Inserted, out: Pick<Writer, 'rendered'>): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'number') return `${value}`
  if (typeof value === 'string') return escapeMarkup(out.rendered([value]))
  if ('trusted' in value) return value.trusted
  if (!('parts' in value)) return value.map((one) => markupOf(one, out)).join('')
  return String.raw({ raw: value.parts }, ...value.values.map((one) => markupOf(one, out)))
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
  out: Pick<Writer, 'rendered' | 'raw'>,
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
  out.raw(markupOf(start, out))
  for (const part of body) out.raw(markupOf(part, out))
  out.raw(markupOf(end, out))
}
