import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ended, start } from '../support/binary.ts'
import { temporaryFolder } from '../support/flagadm.ts'

// Long enough that the file is not written with one call of the system.
const more = Array.from({ length: 5000 }, (_, index) => `# line ${index} of a long file\n`).join('')
const text = (name: string) =>
  `${more}\ndefaultProfile: ${name}\nprofiles:\n  a: { baseUrl: https://a.test }\n  b: { baseUrl: https://b.test }\n`

/** Kills the program again and again while it changes a file; returns what is neither the old nor the new file. */
async function kill(first: number): Promise<string[]> {
  const folder = await temporaryFolder({ 'c.yaml': text('a') })
  const path = join(folder, 'c.yaml')
  const found: string[] = []
  for (let run = first; run < 100; run += 6) {
    const before = await readFile(path, 'utf8')
    const name = before.includes('defaultProfile: a') ? 'b' : 'a'
    const child = await start(['profile', 'use', name, '--config', path])
    const end = ended(child)
    // Half of the processes are killed when a file appears, the others a little later each time.
    const watcher = watch(folder)
    const isDraft = new Promise((fulfil) => watcher.on('change', fulfil))
    const signal = run % 6 < 3 ? isDraft.then(() => delay(run / 20)) : delay(40 + 2 * run)
    await Promise.race([signal, end])
    child.kill('SIGKILL')
    await end
    watcher.close()
    const after = await readFile(path, 'utf8')
    if (after !== before && after !== text(name)) found.push(after)
  }
  return found
}

it('leaves the old or the new configuration when it is killed 34 times', async () => {
  expect((await Promise.all([kill(0), kill(3)])).flat()).toEqual([])
})
