import { expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'

const check = ['naming', 'check', '--pattern', '[a-z0-9-]+', '--names-from', 'list']

/** The line and the name of each name in a list that fails. */
async function failingNames(list: string): Promise<[line: number, name: string][]> {
  const { stdout } = await flagadm([...check, '-o', 'jsonl'], { files: { 'work/list': list } })
  const failing = stdout.trimEnd().split('\n')
  return failing.map((line) => JSON.parse(line)).map(({ line, name }) => [line, name])
}

test('a list that takes several reads has the line of each name that fails', async () => {
  const forms = ['name', ' name \r', '# comment', '']
  const lines = Array.from({ length: 50_000 }, (_, index) => forms[index % 4] ?? '')
  const failing = [0, 10_000, 25_001, 49_999]
  for (const index of failing) lines[index] = `Name${index}`
  expect(await failingNames(`${lines.join('\n')}\n`)).toEqual(
    failing.map((index) => [index + 1, `Name${index}`]),
  )
})

test('a list that takes several reads keeps characters of several bytes', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `${'é😀'.repeat(index % 100)}é`)
  expect(await failingNames(names.join('\n'))).toEqual(
    names.map((name, index) => [index + 1, name]),
  )
})

test('a byte order mark is dropped, and kept within a name', async () => {
  expect(await failingNames('\ufeffname\n\ufeffName')).toEqual([[2, 'Name']])
  expect(await failingNames('na\ufeffme')).toEqual([[1, 'na\ufeffme']])
})

test.each([
  ['in a line', 'name\nna\xe9me\nname', 2],
  ['because of half a surrogate pair', 'name\nname\nf\xed\xa0\x80', 3],
  ['in the second read', `${'name\n'.repeat(60_000)}\xff\n`, 60_001],
])('a list that is not UTF-8 %s is refused', async (_, bytes, line) => {
  const files = { 'work/list': Buffer.from(bytes, 'latin1') }
  const { code, stderr } = await flagadm(check, { files })
  expect([code, stderr]).toEqual([2, `error: list:${line} is not UTF-8\nhint: save it as UTF-8\n`])
})
