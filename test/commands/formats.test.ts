import { describe, expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'

const formats = [
  ...['text', 'table', 'json', 'jsonl', 'csv', 'markdown', 'openmetrics'],
  ...['github', 'gitlab', 'junit', 'sarif', 'xml'],
]

const rule = ['--pattern', '[a-z]+', '--example', 'a', '--description', 'd']
const set = ['project', 'settings', 'set', 'default', '--mode', 'open', '-p', 'sandbox']

const usage = ['table', 'json', 'jsonl', 'csv', 'markdown', 'openmetrics']
const commands: [argv: string[], supported: string[], code?: number][] = [
  [['feature', 'usage', 'dark-mode', '-p', 'sandbox'], usage],
  [
    ['naming', 'lint', ...rule],
    ['text', 'json', 'github', 'gitlab', 'sarif'],
  ],
  [
    ['naming', 'check', 'a', ...rule],
    ['text', 'json', 'jsonl', 'github', 'gitlab', 'junit', 'sarif'],
  ],
  [
    ['naming', 'diff', '--from', 'pattern:a', '--to', 'pattern:b'],
    ['text', 'json', 'markdown', 'github'],
  ],
  [set, ['text', 'json']],
  [
    [...set, '--dry-run'],
    ['text', 'json'],
  ],
  [['sandbox', '--port', '0'], ['text', 'json'], 130],
  [['help', 'environment'], ['text']],
]

describe.each(commands)('%j', (argv, supported, code = 0) => {
  test.each(formats)('supports or refuses -o %s', async (format) => {
    const isSupported = supported.includes(format)
    const { code: exit, stderr } = await flagadm([...argv, '-o', format, '-q'], {
      ...(code === 130 && isSupported && { signal: AbortSignal.abort() }),
    })
    expect(exit).toBe(isSupported ? code : 2)
    if (isSupported) return
    expect(stderr).toContain(`this command has no output format '${format}'`)
    expect(stderr).toContain(`choose one of ${supported.join(', ')}`)
  })
})
