import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('the demo asks nothing, explains its mistake before it happens, and ends with the next steps', async () => {
  const script = fileURLToPath(new URL('../demo.mjs', import.meta.url))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script])
  const mistake = stdout.indexOf('A mistake, on purpose')
  expect(mistake).toBeGreaterThan(stdout.indexOf('Updated project checkout'))
  expect(stderr).toMatch(/^error: --pattern: [^\n]*\nhint: [^\n]*\n$/)
  // A command is one line, so that it can be copied.
  const tooWide = stdout
    .split('\n')
    .filter((line) => line.length > 80 && !/^\$ |^Usage |^Review |\S {2}|─/.test(line))
  expect(tooWide).toEqual([])
  expect(stdout).toMatch(/flagadm profile add +connect to your own Unleash\n$/)
})
