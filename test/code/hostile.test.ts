import { expect, it } from 'vitest'
import { languages } from '../../src/code/languages/all.ts'
import { referencesIn } from '../support/scan.ts'

const parts = [
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
]
const plain = languages.filter(({ scripts }) => !scripts)
const extensions = [...plain.map((one) => one.extensions.split(' ')[0]), 'vue', 'erb', 'yaml']
const LENGTH = 8 * 1024

// With quadratic work, one of these would exceed the limit.
it.each(extensions)('reads long texts of .%s in linear time', { timeout: 60_000 }, async (type) => {
  for (const part of parts) {
    const before = process.cpuUsage()
    const text = part.repeat(LENGTH / part.length)
    await referencesIn({ [`a.${type}`]: text })
    // Microseconds of this process, which other work of the machine does not change.
    expect([part, process.cpuUsage(before).user < 500_000]).toEqual([part, true])
  }
})

it.each([' ', '\n', '\t'])(
  'reads a lookup before much white space in linear time: %j',
  async (space) => {
    const before = process.cpuUsage()
    for (const after of ['x', '?.x', '.x']) {
      await referencesIn({ 'a.ts': `isEnabled${space.repeat(500_000)}${after}` })
    }
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000)
  },
)
