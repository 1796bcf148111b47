import { expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'

const argv = ['naming', 'check', '--names-from', '-', '--pattern', '[a-z-]+', '--no-color']

test('reading names from a terminal prints a note', async () => {
  expect((await flagadm(argv, { stdin: 'new-ui\n', dialog: [] })).stderr).toBe(
    'note: reading names from the terminal, one per line; Ctrl-D ends the list\n',
  )
  expect((await flagadm(argv, { stdin: 'new-ui\n' })).stderr).toBe('')
})
