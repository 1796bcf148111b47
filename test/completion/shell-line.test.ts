import { expect, test } from 'vitest'
import { escapeFor, splitLine } from '../../src/completion/shell-line.ts'

test.each([
  ['flagadm ', [''], ''],
  ['flagadm fe', ['fe'], ''],
  ['  flagadm   feature  usage', ['feature', 'usage'], ''],
  ['flagadm --color=al', ['--color=al'], ''],
  ['flagadm -p my\\ pro', ['-p', 'my pro'], ''],
  ["flagadm -p 'my pro", ['-p', 'my pro'], "'"],
  ['flagadm -p "my pro', ['-p', 'my pro'], '"'],
  ['flagadm --profile="my pro', ['--profile=my pro'], '"'],
  ['flagadm -p "a\\"b\\c" x', ['-p', 'a"b\\c', 'x'], ''],
  ["flagadm '' x", ['', 'x'], ''],
  ["flagadm 'a\\' x", ['a\\', 'x'], ''],
  ['flagadm x\\', ['x'], ''],
  ['flagadm $(rm -rf /) x', ['$(rm -rf /)', 'x'], ''],
  ['flagadm `date -u` $HOME x', ['`date -u`', '$HOME', 'x'], ''],
  ['flagadm a > out.txt b', ['a', 'b'], ''],
  ['flagadm a 2>/dev/null b', ['a', 'b'], ''],
  ['flagadm a2>out b', ['a2', 'b'], ''],
])('splits %j', (line, words, quote) => {
  expect(splitLine(line)).toEqual({ words, quote, redirects: false })
})

test.each(['flagadm a > ou', 'flagadm a >ou', 'flagadm < ', 'flagadm a 2>> ou'])(
  'finds the file of a redirection in %j',
  (line) => {
    expect(splitLine(line).redirects).toBe(true)
  },
)

test.each([
  ['', 'it\'s a $(b) `c` "d" !e~f*', String.raw`it\'s\ a\ \$\(b\)\ \`c\`\ \"d\"\ \!e\~f\*`],
  ['"', 'it\'s $(b) `c` "d" \\', 'it\'s \\$(b) \\`c\\` \\"d\\" \\\\'],
  ["'", "it's $(b)", String.raw`it'\''s $(b)`],
  ['', 'plain/file-1.2,3@x:y=z%+ä', 'plain/file-1.2,3@x:y=z%+ä'],
])('after the quotation mark %j, escapes %s', (quote, text, escaped) => {
  expect(escapeFor(quote, text)).toBe(escaped)
})
