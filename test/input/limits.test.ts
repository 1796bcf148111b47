import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CANARY, flagadm, temporaryFolder } from '../support/flagadm.ts'
import { ending } from '../support/text.ts'
import { serveTls } from '../support/tls.ts'

const usage = ['feature', 'usage', 'some-flag']
const set = ['project', 'settings', 'set', 'p', '--dry-run', '--base-url', 'https://x.test']

test.each([
  ['--rule', ['naming', 'lint', '--rule', '/dev/zero'], 2],
  ['--file', [...set, '--file', '/dev/zero'], 2],
  ['--api-key-file', [...usage, '--base-url', 'https://x.test', '--api-key-file', '/dev/zero'], 3],
])('an endless file is refused by %s', async (option, argv, exit) => {
  const { code, stderr } = await flagadm(argv)
  const name = option === '--api-key-file' ? 'the file' : '/dev/zero'
  const error = `error: ${option}: ${name} is larger than 16 MiB\nhint: check the path\n`
  expect([code, stderr]).toEqual([exit, error])
})

test('an endless standard input is refused', async () => {
  const stdin = ' '.repeat(16 * 1024 * 1024 + 1)
  const { code, stderr } = await flagadm([...set, '--file', '-'], { stdin })
  const error = 'error: standard input is larger than 16 MiB\nhint: check the path\n'
  expect([code, stderr]).toEqual([2, error])
})

test('a pipe is read', async () => {
  const folder = await temporaryFolder({ 'rule.yaml': 'featureNaming: {pattern: a+}\n' })
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  execFileSync('sh', ['-c', 'cat rule.yaml > pipe &'], { cwd: folder, stdio: 'ignore' })
  expect((await flagadm(['naming', 'check', 'aa', '--rule', pipe])).code).toBe(0)
})

test('a line of more than 10,000 characters in a list is refused with its number', async () => {
  const argv = ['naming', 'check', '--pattern', '[a-z]+', '--names-from', '-']
  const lines = ['a'.repeat(10_000), 'b', 'c'.repeat(10_001), 'd', '']
  expect(ending(await flagadm(argv, { stdin: lines.join('\n') }))).toBe(
    '2 error: line 3 of standard input is longer than 10000 characters\nhint: write one name per line\n',
  )
})

test('an endless caFile is refused before anything is sent', async () => {
  const service = await serveTls()
  const baseUrl = `https://localhost:${service.port}`
  const profile = JSON.stringify({ baseUrl, apiKey: CANARY, caFile: '/dev/zero' })
  const files = { 'home/.config/flagadm/config.json': profile }
  const { code, stderr } = await flagadm(usage, { files })
  expect({ code, stderr, connections: service.connections() }).toEqual({
    code: 3,
    stderr: 'error: caFile /dev/zero is larger than 16 MiB\nhint: check the path\n',
    connections: 0,
  })
})
