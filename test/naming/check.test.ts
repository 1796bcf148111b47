import { expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'
import { checkNames, type Violation } from './check.ts'

const unmatched = 'does not match ^feat-[a-z]+$'

test.each<Violation>([
  { name: 'Feat_Login', reasons: [unmatched], suggestion: 'feat-login' },
  { name: 'login', reasons: [unmatched], suggestion: 'feat-login' },
  { name: 'feat-123', reasons: [unmatched] },
  {
    name: 'feat-né',
    reasons: [
      `contains a character that is not one of A-Z a-z 0-9 - _ . ! ~ * ' ( ): "é"`,
      unmatched,
    ],
    suggestion: 'feat-ne',
  },
  { name: '', reasons: ['is empty', unmatched] },
  { name: '..', reasons: ['is ".."', unmatched] },
  { name: `feat-${'x'.repeat(96)}`, reasons: ['is longer than 100 characters'] },
])('$name fails feat-[a-z]+ for its reasons', async (violation) => {
  expect(await checkNames('feat-[a-z]+', [violation.name])).toEqual([violation])
})

test.each([
  ['[a-z]+(-[a-z]+)*', 'newCheckoutFlow', 'new-checkout-flow'],
  ['[a-z]+(_[a-z]+)*', 'HTTPServer', 'http_server'],
  ['[a-z]+(\\.[a-z]+)+', 'new/checkout', 'new.checkout'],
  ['[a-z][a-zA-Z]+', 'new-checkout', 'newCheckout'],
  ['[A-Z][a-zA-Z]+', 'new-checkout', 'NewCheckout'],
  ['[A-Z][A-Z_]+', 'new-checkout', 'NEW_CHECKOUT'],
  ['[A-Z]+-\\d+', 'proj-12', 'PROJ-12'],
  ['[a-z]+', 'new-checkout', 'newcheckout'],
  ['feat\\.[a-z]+', 'checkout', 'feat.checkout'],
  ['(feat|fix)-[a-z]+', 'checkout', undefined],
  ['feat-v?[0-9]+', 'Feat 12', 'feat-12'],
])('for the pattern %s and the name %s, %s is suggested', async (pattern, name, suggestion) => {
  const [violation] = await checkNames(pattern, [name])
  expect([violation?.name, violation?.suggestion]).toEqual([name, suggestion])
})

test('among thousands of names, each has the violations that it has alone', async () => {
  const special = ['', '.', '..', 'a', 'ab', 'A', 'a b', 'é', 'x'.repeat(101)]
  const names = [...special, ...Array.from({ length: 10_001 }, (_, index) => `name-${index}`)]
  const alone = await Promise.all(special.map((name) => checkNames('[a-z]+|name-\\d+', [name])))
  expect(alone.filter(({ length }) => length > 0)).toHaveLength(7)
  expect(await checkNames('[a-z]+|name-\\d+', names)).toEqual(alone.flat())
})

test('CSV has the project of a name even if there is only one project', async () => {
  const argv = ['naming', 'check', 'Pay', '--project', 'checkout', '-p', 'sandbox', '-o', 'csv']
  const { code, stdout } = await flagadm(argv)
  expect({ code, stdout }).toEqual({
    code: 9,
    stdout:
      'name,reasons,suggestion,project,file,line,column\r\nPay,does not match ^checkout-[a-z0-9]+(-[a-z0-9]+)*$,checkout-pay,checkout,,,\r\n',
  })
})
