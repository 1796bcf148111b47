import { describe, expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'

// The system allows no new files here.
const dir = '/dev/fd'

describe('settings export that cannot write', () => {
  test.each([['the file of each project', [], '….yaml']])(
    '%s counts every project',
    async (_, options, file) => {
      const sandbox = await sandboxOf(['checkout', 'mobile'].map((id) => ({ id, mode: 'open' })))
      const argv = ['project', 'settings', 'export', '--all', '--dir', dir, ...options]
      const { code, stdout, stderr } = await flagadm(argv, sandbox)
      expect([code, stdout]).toEqual([1, `Exported 0 projects to ${dir}\n`])
      expect(stderr.split('\n')).toEqual([
        expect.stringMatching(
          `^error: 2 projects could not be exported: ${dir}/${file} cannot be written: .*: checkout, mobile$`,
        ),
        'hint: check the path and its permissions',
        'error: 2 of 2 projects could not be exported',
        '',
      ])
    },
  )
})
