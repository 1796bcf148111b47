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
    '✓ there are no names to check\n\nIncomplete: 1 new lookup could not be read (src/c.ts:1:1 isEnabled(y))\n',
  ])
  const [note, error] = stderr.split('\n')
  expect([note, error]).toEqual([
    'note: no name was added to the code since main, as far as it could be read',
    'error: 1 new lookup could not be read',
  ])
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
