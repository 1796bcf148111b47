import fc from 'fast-check'
import { CANARY } from '../support/flagadm.ts'
import { codePoint } from '../support/text.ts'

/** An API key that must be masked before a format escapes it, because every format changes it. */
export const KEY = `*:*.|"'&<##\`;=,%\\${CANARY.slice(CANARY.indexOf('canary'))}`

const controls = ['\0', '\u0007', '\b', '\t', '\n', '\r', '\r\n', '\u007f', '\u0085', '\u009b2J']
const sequences = ['\u001b[31m', '\u001b[2J', '\u001b]0;title\u0007', '\u001b]8;;http://a\u001b\\']
const hidden = ['\u202e', '\u2066', '\u200b', '\u200d', '\ufeff', '\u00ad', '\u2028', '\u{e0041}']
const blanks = [' ', '\u00a0', '\u3164', '\u2800', '\ufe0f', '\ud800', '\udfff', '\u3000']
const marks = ['\ue000', '\u0378', '\ufffc', '\u0338', '\u0301'.repeat(9), '\u05d0\u05d1']
const wide = ['👩‍👩‍👧', '🏴', '日本', 'e\u0301', '\uffff', '\ufffd', '\u0645 1']
const syntax = ['"', "'", '`', '\\', '|', '<', '&', ']]>', '*', '[a](b)', '{', '}', '$', '?', '%']
const commands = ['%0A', '::', '::error::', '##vso[', '##', '##[add-mask]', '\n::stop-commands::']
const formulas = [',', ';', ';=1', '=1+1', '@', '+', '-', '#']
const names = ['__proto__', 'constructor', 'a', 'some-flag', '..', '0', KEY]

const piece = fc.oneof(
  fc.constantFrom(
    ...[...controls, ...sequences, ...hidden, ...blanks, ...marks, ...wide],
    ...[...syntax, ...commands, ...formulas, ...names],
  ),
  fc.string({ unit: codePoint, maxLength: 4 }),
)

/** Text that could harm a terminal, a report or a parser, including the API key. */
export const hostileText = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(''))

// Windows forbids most punctuation, control characters, and a dot or a space at the end.
const forbidden = process.platform === 'win32' ? /[\0-\x1f<>:"/\\|?*]|[. ]$/g : /[/\0]|^\.{1,2}$/g

/** Hostile text as the name of a file in the same folder. */
export const hostileFileName = hostileText
  .map((text) => text.replace(forbidden, '_'))
  .filter((name) => name !== '' && Buffer.byteLength(name) < 200)
