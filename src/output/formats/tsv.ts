import { visibleEscape } from '../escapes.ts'
import { recordsWith } from './csv.ts'

/**
 * Values separated by tabs; a tab or a line break in a value is a visible escape (`\x09`, `\x0a`), and so is a quotation mark at its
 * start (`\x22`), where many readers begin a quoted value that goes on over tabs and lines.
 */
export const beginRows = recordsWith({
  separator: '\t',
  lineBreak: '\n',
  otherSeparators: ';,',
  quoted: (text) => text.replace(/(?<=^ *)"/, visibleEscape),
})
