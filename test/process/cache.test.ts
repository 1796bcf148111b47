import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ended, start } from '../support/binary.ts'
import { temporaryFolder } from '../support/flagadm.ts'

async function usage(home: string, cache: string) {
  const argv = ['feature', 'usage', 'dark-mode', '-o', 'csv', '-p', 'sandbox']
  const { code, stderr } = await ended(await start(argv, { HOME: home, XDG_CACHE_HOME: cache }))
  return { code, stderr }
}

test('a command writes no file in the home directory or in the cache folder', async () => {
  const [home, cache] = [await temporaryFolder(), await temporaryFolder()]
  expect(await usage(home, cache)).toEqual({ code: 0, stderr: '' })
  expect([await readdir(home), await readdir(cache)]).toEqual([[], []])
})

test('compiled code that earlier builds would load from the cache folder is not executed', async () => {
  const [home, cache] = [await temporaryFolder(), await temporaryFolder()]
  const marker = join(home, 'ran')
  const entry = readFileSync(new URL('../../dist/cli.js', import.meta.url))
  const [head, tail] = ['(function (exports, require, module) {', '\n})']
  const source = Buffer.concat([Buffer.from(head), entry, Buffer.from(tail)])
  // V8 compares only the length of the source.
  const foreign = `${head} require('fs').writeFileSync(${JSON.stringify(marker)}, '')`
  const padded = foreign.padEnd(source.length - tail.length) + tail
  // In a process of its own, because V8 also compares the options of Node.js.
  const compile = 'new vm.Script(fs.readFileSync(0, "latin1")).createCachedData()'
  const argv = ['-e', `process.stdout.write(${compile})`]
  const compiled = execFileSync(process.execPath, argv, { input: padded })
  const folder = join(cache, 'flagadm')
  await mkdir(folder)
  await chmod(folder, 0o700)
  const file = join(folder, `${process.version}-${process.arch}-${source.length}-cli.js`)
  await writeFile(file, Buffer.concat([source, compiled, compiled]), { mode: 0o600 })
  expect(await usage(home, cache)).toEqual({ code: 0, stderr: '' })
  expect(existsSync(marker)).toBe(false)
})
