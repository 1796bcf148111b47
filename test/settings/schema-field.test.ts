import { expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'

const SCHEMA = '$schema: https://example.com/a.json\n'
const set = ['project', 'settings', 'set', 'default', '--dry-run', '--json']
const settings = `${SCHEMA}mode: protected\nfeatureNaming:\n  pattern: feat-[a-z]+\n`
const inPackage = JSON.stringify({ flagadm: { $schema: 'x', baseUrl: 'https://a.example' } })

test.each([
  [
    'a configuration',
    [...set, '--mode', 'open'],
    { 'home/.config/flagadm/config.yaml': `${SCHEMA}baseUrl: https://a.example\n` },
  ],
  ['the field of a package.json', [...set, '--mode', 'open'], { 'work/package.json': inPackage }],
  ['settings', [...set, '--file', 's.yaml', '-p', 'sandbox'], { 'work/s.yaml': settings }],
  ['a naming rule', ['naming', 'check', 'feat-a', '--rule', 's.yaml'], { 'work/s.yaml': settings }],
])('$schema is accepted in %s, and not sent', async (_what, argv, files) => {
  const { code, stdout } = await flagadm(argv, { files })
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('$schema')])
})
