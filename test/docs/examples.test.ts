import { expect, it } from 'vitest'
import { blocksOf, pages, runExample } from './pages.ts'

const examples = pages.flatMap((page) =>
  blocksOf(page)
    .filter(({ language, isRun }) => language === 'sh' && isRun)
    .flatMap(({ code }) => code.replaceAll('\\\n', '').split('\n'))
    .filter((line) => line.startsWith('flagadm '))
    .map((line) => line.replaceAll(/ +/g, ' ')),
)

it.each([...new Set(examples)])('the example works: %s', async (line) => {
  const { code, stderr } = await runExample(line)
  const note = line.includes('--dry-run') ? 'note: dry run: nothing was sent\n' : ''
  // Progress replaces the last line of the terminal.
  const messages = stderr
    .replaceAll(/\r\u001b\[K[^\r]*/g, '')
    .replace(/^note: the embedded sandbox forgets this change [^]*? keeps it\n/m, '')
  expect([code, messages]).toEqual([0, note])
})
