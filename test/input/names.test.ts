import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flagadm, temporaryFolder } from '../support/flagadm.ts'

const check = ['naming', 'check', '--pattern', '[a-z0-9-]+', '--names-from']

interface Failing {
  name: string
  line: number
}

async function failingNames(list: string): Promise<[line: number, name: string][]> {
  const { stdout } = await flagadm([...check, 'list', '-o', 'jsonl'], {
    files: { 'work/list': list },
  })
  const failing: Failing[] = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  return failing.map(({ name, line }) => [line, name])
}

describe('a list of names that takes several reads', () => {
  test.each([
    ['names', (index: number) => `name-${index}`],
    ['names with spaces around them', (index: number) => ` name-${index} \r`],
    ['names and comments', (index: number) => (index % 2 === 0 ? `name-${index}` : '# comment')],
  ])('of %s has the line of each name that fails', async (_, lineOf) => {
    const lines = Array.from({ length: 50_000 }, (_, index) => lineOf(index))
    const failing = [0, 10_000, 25_001, 49_999]
    for (const index of failing) lines[index] = `Name${index}`
    expect(await failingNames(`${lines.join('\n')}\n`)).toEqual(
      failing.map((index) => [index + 1, `Name${index}`]),
    )
  })

  test('keeps characters of several bytes', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `${'é😀'.repeat(index % 100)}é`)
    expect(await failingNames(names.join('\n'))).toEqual(
      names.map((name, index) => [index + 1, name]),
    )
  })
})

test('a byte order mark is dropped, and kept within a name', async () => {
  expect(await failingNames('\ufeffname\n\ufeffName')).toEqual([[2, 'Name']])
  expect(await failingNames('na\ufeffme')).toEqual([[1, 'na\ufeffme']])
})

test.each([
  ['in a line', 'name\nna\xe9me\nname'],
  ['in the second read', `${'name\n'.repeat(60_000)}\xff\n`],
])('a list that is not UTF-8 %s is refused', async (_, bytes) => {
  const folder = await temporaryFolder({})
  const list = join(folder, 'list')
  await writeFile(list, bytes, 'latin1')
  const { code, stderr } = await flagadm([...check, list])
  expect([code, stderr]).toEqual([2, `error: ${list} is not UTF-8\nhint: save it as UTF-8\n`])
})
