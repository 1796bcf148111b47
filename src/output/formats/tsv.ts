import { recordsWith } from './csv.ts'

/** Values separated by tabs; a tab or a line break in a value is a visible escape (`\x09`, `\x0a`). */
export const beginRows = recordsWith({
  separator: '\t',
  lineBreak: '\n',
  otherSeparators: ';,',
  quoted: (text) => text,
})
