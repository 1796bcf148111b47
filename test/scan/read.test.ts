import { expect, it } from 'vitest'
import { readTexts } from '../../src/scan/read.ts'
import { temporaryFolder } from '../support/flagadm.ts'

const { signal } = new AbortController()

async function readAll(cwd: string, paths: string[], patience: number): Promise<string[]> {
  const heard: string[] = []
  const onText = (path: string, text: string) => heard.push(`${path}: ${text}`)
  const onUnreadable = (path: string, error: unknown) => heard.push(`${path}! ${error}`)
  await readTexts(paths, { cwd, patience }, { signal, onText, onUnreadable })
  return heard.sort()
}

it('reads the same from a slow disk as from a fast one', async () => {
  const files: Record<string, string> = {
    large: ' '.repeat(1024 * 1024 + 1),
    binary: '\0',
    empty: '',
  }
  for (let index = 0; index < 300; index++) files[`${index}.ts`] = `\ufefftext ${index}`
  const cwd = await temporaryFolder(files)
  const paths = [...Object.keys(files).reverse(), 'missing', '.']
  const [fast, slow] = [await readAll(cwd, paths, 1_000_000), await readAll(cwd, paths, 0)]
  expect(fast).toHaveLength(303)
  expect(fast).toContain('299.ts: text 299')
  expect(fast).toContain('empty: ')
  expect(fast).toContain('.! Error: EISDIR: illegal operation on a directory, read')
  expect(slow).toEqual(fast)
})

it('does not hide an error of the one who hears of a file', async () => {
  const cwd = await temporaryFolder({ 'a.ts': '' })
  const onText = () => {
    throw new RangeError('a bug')
  }
  const reading = readTexts(['a.ts'], { cwd }, { signal, onText, onUnreadable: () => {} })
  await expect(reading).rejects.toThrow('a bug')
})
