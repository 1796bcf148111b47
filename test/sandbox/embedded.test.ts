import { expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'

const set = ['project', 'settings', 'set', 'default', '--mode', 'protected', '--yes']
const note =
  'note: the embedded sandbox forgets this change when the command ends; flagadm sandbox starts one that keeps it\n'

test('a change in the embedded sandbox comes with a note that it is forgotten', async () => {
  const { code, stderr } = await flagadm([...set, '-p', 'sandbox'])
  expect([code, stderr]).toEqual([0, note])
})

test('several changes come with one note', async () => {
  const { code, stderr } = await flagadm(
    ['project', 'settings', 'apply', '-f', 'all.yaml', '--yes', '-p', 'sandbox'],
    {
      files: {
        'work/all.yaml':
          'projects: { default: { mode: protected }, mobile: { mode: open }, checkout: { mode: open } }\n',
      },
    },
  )
  expect([code, stderr.split(note).length]).toEqual([0, 2])
})

test.each([
  ['a read', ['project', 'settings', 'get', 'default']],
  ['a dry run', [...set, '--dry-run']],
  ['--quiet', [...set, '--quiet']],
])('%s comes without it', async (_what, argv) => {
  const { code, stderr } = await flagadm([...argv, '-p', 'sandbox'])
  expect([code, stderr.includes('forgets')]).toEqual([0, false])
})
