import { createHash } from 'node:crypto'
import type { Writer } from './text.ts'

/** Markup that is safe to insert. Only the template of `htmlTemplate` and `trusted` make it. */
export interface Html {
  readonly markup: string
}

/** What a template inserts: text is escaped; nothing is inserted for undefined and false. */
export type Inserted = Html | string | number | undefined | false | readonly Inserted[]

export type HtmlTemplate = (parts: TemplateStringsArray, ...values: readonly Inserted[]) => Html

const entities: Record<string, string> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
}

/** Text of flagadm itself, inserted as it is: styles and scripts. */
export const trusted = (markup: string): Html => ({ markup })

/** A template whose text is masked, made printable and escaped, for elements and for attributes in quotes. */
export function htmlTemplate(out: Pick<Writer, 'rendered'>): HtmlTemplate {
  const markupOf = (value: Inserted): string => {
    if (value === undefined || value === false) return ''
    if (typeof value === 'number') return `${value}`
    if (typeof value === 'string') {
      return out.rendered([value]).replace(/[&<>"']/g, (character) => entities[character] ?? '')
    }
    return 'markup' in value ? value.markup : value.map(markupOf).join('')
  }
  return (parts, ...values) => {
    return { markup: String.raw({ raw: parts }, ...values.map(markupOf)) }
  }
}

/** The source of a script or style for a Content-Security-Policy. */
function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

interface HtmlPage {
  title: string
  style: string
  script: string
  /** In parts, because a long page would not fit into memory several times. */
  body: Iterable<Html>
}

/** Prints a page in one file that loads nothing, and runs only its own script. */
export function printPage(
  { title, style, script, body }: HtmlPage,
  html: HtmlTemplate,
  out: Pick<Writer, 'raw'>,
): void {
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    `script-src ${sourceOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const start = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
`
  const end = html`<script>${trusted(script)}</script>
</body>
</html>
`
  out.raw(start.markup)
  for (const { markup } of body) out.raw(markup)
  out.raw(end.markup)
}
