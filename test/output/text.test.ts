import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type ColorChoice, loadPaint, usesColor } from '../../src/output/color.ts'
import { createWriter, type Line } from '../../src/output/text.ts'
import { createRedactor } from '../../src/output/redact.ts'
import { openWriter as openTerminal } from '../support/writer.ts'

const KEY = '*:*.0123456789abcdef0123456789abcdef'

/** A writer, and what it has written. */
async function openStyled(isColored = false) {
  const redactor = createRedactor()
  redactor.add(KEY)
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const out = createWriter(stream, redactor)
  if (isColored) out.usePaint(await loadPaint())
  return { out, written: () => text.replaceAll(/\u001b\[\d+m/g, '') }
}

const hostile = [
  '',
  ' ',
  '::error::x',
  ':',
  ':error::x',
  '#',
  '##[group]x',
  '##',
  '\u001b[31m',
  '\n',
  '\u202e',
  '\u0301',
  'a',
  KEY,
  KEY.slice(0, 10),
  KEY.slice(10),
  '\u2028',
]

describe('a line', () => {
  it('is safe where two hostile parts meet, styled or not', async () => {
    for (const first of hostile) {
      for (const second of hostile) {
        const lines: Line[] = [
          [first, second],
          [{ red: first }, { dim: second }],
        ]
        const { out, written } = await openStyled(true)
        out.lines(lines)
        const text = written()
        expect(text.split('\n'), JSON.stringify([first, second])).toHaveLength(3)
        expect(text).not.toMatch(/##|^\s*::|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/m)
        expect(text).not.toContain(KEY)
      }
    }
  })

  it('styles its parts', async () => {
    const { out, written } = await openStyled()
    out.line({ red: 'error:' }, ' profile ', { bold: 'a\nb' })
    expect(written()).toBe('error: profile a\\x0ab\n')
    const colored = await openStyled(true)
    expect(colored.out.rendered([{ red: 'a' }, 'b'])).toBe('\u001b[31ma\u001b[39mb')
  })
})

it.each([
  ['one two three', 'one two\nthree'],
  ['longer-than-it is', 'longer-than-it\nis'],
  ['  a  one two three', '  a  one\n     two\n     three'],
  ['  one two three', '  one two\n  three'],
  ['see flagadm a b', 'see\nflagadm a b'],
  ['is 2.7 y old', 'is 2.7 y\nold'],
  ['was 2.7 y ago', 'was 2.7 y\nago'],
  ['since 36h 36m', 'since\n36h 36m'],
  ['about (30 d)', 'about\n(30 d)'],
  ['about 201.9 M', 'about\n201.9 M'],
  ['only 30 days', 'only 30\ndays'],
  ['with --a b', 'with\n--a b'],
  ['a  one  two  three', 'a  one\n   two\n   three'],
  ['one two :: three', 'one two ::\nthree'],
])('%j is wrapped as %j at 9 columns', (text, lines) => {
  const { out, written } = openTerminal(9)
  out.line(text)
  expect(written()).toBe(`${lines}\n`)
})

describe('JSON', () => {
  it('keeps its value, and masks keys however they are escaped', async () => {
    const { out, written } = await openStyled()
    const data = { name: '##[x]\u202e\u001b', key: KEY, more: `a${KEY}b` }
    out.json(data)
    expect(written()).not.toMatch(/##|\u202e|\u001b/)
    expect(JSON.parse(written())).toEqual({
      ...data,
      key: '[redacted]',
      more: 'a[redacted]b',
    })
  })

  it('of the service keeps its digits', async () => {
    const { out, written } = await openStyled()
    const text = '{"yes":9007199254740993,\n "__proto__":1e400}\n'
    out.jsonText(text)
    expect(written()).toBe(text)
  })
})

it.each([
  [{}, undefined],
  [{ isTTY: true }, 80],
  [{ isTTY: true, columns: 0 }, 80],
  [{ isTTY: true, columns: 120 }, 120],
])('a stream that reports %j has the width %j', (reported, width) => {
  const stream = Object.assign(new Writable(), reported)
  expect(createWriter(stream, createRedactor()).width).toBe(width)
})

describe('a stream that fails', () => {
  const failing = (code: string) =>
    createWriter(
      { write: (_text, done) => done(Object.assign(new Error(code), { code })) },
      createRedactor(),
    )

  it('is not an error if the reader has closed it', async () => {
    const out = failing('EPIPE')
    out.line('a')
    out.line('b')
    await out.flush()
    expect(out.isClosed).toBe(true)
  })

  it('is an error if the disk is full', async () => {
    const out = failing('ENOSPC')
    out.line('a')
    await expect(out.flush()).rejects.toThrow('the output cannot be written: the disk is full')
  })
})

it.each<[ColorChoice | false, boolean, Record<string, string>, boolean]>([
  ['auto', true, { TERM: 'dumb' }, false],
  ['auto', false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ['auto', true, { FORCE_COLOR: '0' }, false],
  ['auto', false, { FORCE_COLOR: '' }, false],
  ['auto', true, { FORCE_COLOR: '' }, true],
  ['auto', false, { CLICOLOR_FORCE: '' }, false],
  ['auto', false, { FORCE_COLOR: '', CLICOLOR_FORCE: '1' }, true],
  ['auto', true, { CLICOLOR_FORCE: 'false' }, false],
  [false, true, { FORCE_COLOR: '1' }, false],
])(
  'with %j, a terminal: %j and the variables %j, colours are used: %j',
  (choice, isTTY, env, uses) => {
    expect(usesColor(choice, { isTTY }, env)).toBe(uses)
  },
)
