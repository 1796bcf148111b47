import { expect, it } from 'vitest'
import { branchOf, worldIn } from '../support/branch.ts'
import { flagadm } from '../support/flagadm.ts'
import { ending } from '../support/text.ts'

const before = { 'src/a.ts': "isEnabled('Old_Name')\nisEnabled(x)\n" }
const after = {
  'src/a.ts': "isEnabled('New_Name')\nisEnabled(x)\n",
  'src/b.ts': "isEnabled('Old_Name')\nisEnabled('checkout-new-basket')\n",
}

async function check(argv: readonly string[], changes: Record<string, string> = after) {
  const root = await branchOf(before, changes)
  const scan = ['naming', 'check', '--scan', 'src', '--pattern', '[a-z-]+', ...argv]
  const { code, stdout, stderr } = await flagadm(scan, worldIn(root))
  return { code, stdout, stderr }
}

const since = ['--added-since', 'main']

it('checks only the names that a branch has added', async () => {
  expect(await check(since)).toEqual({
    code: 9,
    stdout: `Names must match ^[a-z-]+$
src/a.ts
  1:12  error  New_Name  did you mean new-name
`,
    stderr: 'error: 1 of 2 names breaks the rule\n',
  })
})

it('without --added-since, checks all of them', async () => {
  expect(ending(await check([]))).toBe('9 error: 2 of 3 names break the rule\n')
})

it('with --available, asks for added names only', async () => {
  const argv = [...since, '--available', '--project', 'checkout', '-o', 'names', '-p', 'sandbox']
  expect(await check(argv)).toEqual({
    code: 9,
    stdout: 'New_Name\ncheckout-new-basket\n',
    stderr: 'error: 2 of 2 names cannot be used for new flags\n',
  })
})

it('notes that a branch has added no name', async () => {
  expect(await check([...since, '--fail-on', 'unresolved,unread'], { 'src/c.ts': 'x' })).toEqual({
    code: 0,
    stdout: '✓ there are no names to check\n',
    stderr: 'note: no name was added to the code since main\n',
  })
})

it('fails for new lookups that could not be read', async () => {
  const changes = { 'src/c.ts': 'isEnabled(y)\n' }
  const { code, stdout, stderr } = await check([...since, '--fail-on', 'unresolved'], changes)
  expect([code, stdout]).toEqual([
    9,
    `src/c.ts
  1:1  error  a lookup could not be read: isEnabled(y)
? there are no names to check in what could be read
`,
  ])
  const [note, error] = stderr.split('\n')
  expect([note, error]).toEqual([
    'note: no name was added to the code since main, as far as it could be read',
    'error: 1 new lookup could not be read',
  ])
})

it.each([
  ['json', '"unresolvedPlaces":[{"file":"src/c.ts","line":1,"column":1,"text":"isEnabled(y)"}]'],
  ['jsonl', '"message":"a lookup could not be read: isEnabled(y)","file":"src/c.ts","line":1'],
  ['csv', 'a lookup could not be read: isEnabled(y),,,src/c.ts,1,1\r\n'],
  [
    'github',
    '::error file=src/c.ts,line=1,col=1,title=unresolved::a lookup could not be read: isEna',
  ],
  ['gitlab', '"location":{"path":"src/c.ts","lines":{"begin":1}}'],
  ['junit', 'classname="src/c.ts"><failure message="a lookup could not be read: isEnabled(y)"'],
  ['sarif', '"ruleId":"unresolved"'],
  ['markdown', '`a lookup could not be read: isEnabled(y)`'],
])('has the place of what it fails for in %s', async (format, part) => {
  const changes = { 'src/c.ts': 'isEnabled(y)\n' }
  const argv = [...since, '--fail-on', 'unresolved', '-o', format]
  expect((await check(argv, changes)).stdout).toContain(part)
})

it('is not a check if the code has no lookups at all', async () => {
  const root = await branchOf({ 'src/a.ts': 'x' }, { 'src/a.ts': 'y' })
  const argv = ['naming', 'check', '--scan', 'src', '--pattern', 'a', ...since]
  expect(ending(await flagadm(argv, worldIn(root)))).toContain(
    '2 error: no flag names in 1 scanned file\n',
  )
  expect((await flagadm([...argv, '--allow-empty'], worldIn(root))).code).toBe(0)
})

it('reads the paths of the configuration', async () => {
  const root = await branchOf(before, { ...after, '.flagadmrc': 'scan: { paths: [src] }\n' })
  const argv = ['naming', 'check', '--pattern', '[a-z-]+', '--added-since', 'main', '-o', 'names']
  expect((await flagadm(argv, worldIn(root))).stdout).toBe('New_Name\n')
})
