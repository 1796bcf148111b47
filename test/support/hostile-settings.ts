/** Lines that YAML or a CI runner could take for something else. */
const lines = `- a
-
--- a
...
? a
a: b
: b
a #b
#b
&a
*a
!a
!!str a
|
>-
%a
@a
\`a\`
"a"
'a'
"'\\
[a]
{a: b}
null
~
true
yes
no
on
1
1e3
0x1F
0o7
1:30
.inf
2026-01-05
<<
=
::error::x
##[error]x
##vso[task.complete result=Failed]
\\u0041\\n\\x41
$(rm -rf /) \`x\` \${HOME}
𝔘𝔫𝔦 עברית and العربية 日本語 🏳️‍🌈 and 👩🏽‍🚀`

const blanks = [' a', 'a ', '  ', '\ta\t', 'a\n', '\na', '\n', 'a\n\n\nb\n\n', 'a\r\nb', 'a\rb']

/** Texts that YAML, a terminal or a CI runner could take for something else. */
export const hostileTexts: readonly string[] = [
  ...lines.split('\n'),
  ...blanks,
  'one\n two\n  three',
  ' one\ntwo',
  '\n  one\ntwo',
  'one \ntwo\t\n',
  '- a\n- b',
  '# a\n# b',
  '  ::error::x',
  'one\n::set-output name=x::y',
  '\u0001\u0007\u0008\u000b\u000c\u001b[31m\u007f',
  '\u0080\u0085\u009b',
  '\u0301a',
  '\u00a0a\u00a0',
  '\u200b\u200d\u2060\ufeff',
  '\u2028\u2029',
  '\u202e\u2066a\u2069',
  '\u{e0041}\u{e007f}',
  '\ue000',
  'one\ntwo',
  'x'.repeat(3000),
  'word '.repeat(600),
  `${'long '.repeat(100)}\n${'lines '.repeat(100)}`,
]
