import type { Expected } from './target.ts'

/** Names under which anyone with a client key can register an application. */
export const hostileApplications: readonly string[] = [
  '\x1b]0;owned\x07',
  '\x1b[2J\x1b[H',
  '\u202egnp.exe',
  'zero\u200bwidth',
  'line\u2028separator',
  'a\r\nb\tc',
  '::error::annotation',
  '=cmd|calc',
  '| pipe `tick`',
  '"quotes"\\',
  '__proto__',
  ' ',
  '日本語🙂',
  'x'.repeat(255),
]

/** The flag that all of them evaluate once. */
export const hostileFlag = 'checkout-hostile'

interface Format {
  format: string
  /** The text in this format for the first of the names, or for the flag. */
  shows: Expected<{ text: string }>
}

function named(format: string, text: string): Format {
  const service = { text: hostileFlag }
  const because = 'the rows of the service have no applications'
  return { format, shows: { service, sandbox: { text }, because } }
}

/** How flagadm shows these applications. */
export const formats: readonly Format[] = [
  { format: 'table', shows: { text: '\\x1b]0;owned\\x07' } },
  { format: 'json', shows: { text: '\\u001b]0;owned\\u0007' } },
  named('jsonl', '\\u001b]0;owned\\u0007'),
  named('csv', '\\x1b]0;owned\\x07'),
  named('markdown', '`\\x1b]0;owned\\x07`'),
  named('openmetrics', '\\\\x1b]0;owned\\\\x07'),
]
