import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { words } from '../support/text.ts'
import { flagadm } from './installed.ts'

test.each([
  ['dark-mode', ['null', '5761391']],
  ['dark-mode billing-statements', ['"dark-mode"', '5761391', '"billing-statements"', '0']],
])(
  'the filter for jq in the help of feature usage reads the JSON of %s',
  async (names, expected) => {
    const { stdout: help } = await flagadm(['feature', 'usage', '--help'])
    const [, filter = ''] = /--json \| jq '(.*)'/.exec(help) ?? []
    const argv = ['feature', 'usage', ...words(names), '--since', '48h', '--json', '-p', 'sandbox']
    const { stdout: input } = await flagadm(argv)
    const lines = execFileSync('jq', [filter], { input, encoding: 'utf8' })
    expect(lines.trim().split('\n')).toEqual(expected)
  },
)
