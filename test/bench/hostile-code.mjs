// Texts that are slow to read if a language is read without care, when they repeat. `npm run bench` doubles them.

const extensions = 'ts rb py kt swift java go cs php dart ex rs vue erb yaml'.split(' ')

export const parts = [
  '\\"',
  '/isEnabled(a)[',
  '<% isEnabled(',
  '<a b="isEnabled(',
  '="<?= isEnabled(',
  `"<b'"'`,
  '@isEnabled(',
  '`${isEnabled(',
  'def f(a): isEnabled(a) ',
  'enabled? "',
  'f(a) { isEnabled(a)',
  'fun f(a) = isEnabled(a);',
  'isEnabled(',
  'isEnabled(/*',
  'isEnabled(//',
  'isEnabled(A);A("x",',
  'isEnabled(A.B);A=',
  'isEnabled(a +',
  "isEnabled('",
  "isEnabled('a'/*",
  'isEnabled<a<b>',
  'isEnabled?.',
  'useFlag(',
  '<Flag flag="',
  'enum Flag { "',
  '{isEnabled(a)',
  '~H"""<a b={isEnabled(a) ',
  'a |> enabled?.',
  'enum A { f() { isEnabled(a) ',
  'func (f *Flag) g() { isEnabled(f.a) ',
  'const { a } = B; isEnabled(a);',
  'import { a as b } isEnabled(b) ',
  'A = B; B = A; isEnabled(A);',
  'A = `${A}${A}`; isEnabled(A);',
  'isEnabled("$a$a$a");',
  'isEnabled(`${`${',
  'f(a: b) { isEnabled(a) } ',
  'A = C ? A : B; B = C ? B : A; isEnabled(A);',
  'a = Flag(isEnabled(a), ',
  'function f(a) { isEnabled(a) } f(b); ',
  'fun f(a) = isEnabled(a); f("b"); ',
  'x.isFeatureEnabled(a); ',
]

/** A file of each kind with a text that repeats; none has a service. */
export const hostileCode = Object.fromEntries(
  parts.map((part) => [
    part,
    {
      commands: ['feature references --scan . -o names'],
      answers: () => ({}),
      files: (size) => {
        const text = part.repeat((160 * size) / part.length)
        return Object.fromEntries(extensions.map((extension) => [`a.${extension}`, text]))
      },
    },
  ]),
)
