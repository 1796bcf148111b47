/** Names under which anyone with a client key can register an application. */
export const hostileApplications: readonly string[] = [
  '\x1b]0;owned\x07',
  '\x1b[31mred\x1b[0m',
  '\x1b[2J\x1b[H',
  '\u009b31m',
  '\u202egnp.exe',
  '\u2066isolated\u2069',
  'zero\u200bwidth',
  '\ufeffmark',
  'line\u2028separator',
  'a\r\nb\tc',
  '::error::annotation',
  '%0A::error',
  '=cmd|calc',
  '| pipe `tick`',
  '"quotes"\\',
  '<script>',
  '__proto__',
  ' ',
  '日本語🙂',
  'x'.repeat(255),
]

/** The flag that all of them evaluate once. */
export const hostileFlag = 'checkout-hostile'

export const formats = ['table', 'json', 'jsonl', 'csv', 'markdown', 'openmetrics'] as const
