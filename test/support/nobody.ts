import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Placement } from './binary.ts'

// Root ignores permissions, so these tests run as the user nobody, with copies of flagadm and Node.js
// in case nobody cannot read the originals.
const isRoot = process.getuid?.() === 0
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Makes all of a folder readable to every user, regardless of the umask. */
async function open(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true })) {
    await chmod(join(folder, entry), 0o755)
  }
}

/** A working directory for a user who is not root. */
export interface Restricted {
  placement: Placement & { cwd: string }
  /** Points `flagadm` of a shell script to copies of the built one and of Node.js that the user may read. */
  env: Record<string, string>
}

/** Creates such a working directory. It belongs to the user that runs the tests. */
export async function restricted(): Promise<Restricted> {
  const base = isRoot ? '/tmp' : tmpdir()
  const folder = await realpath(await mkdtemp(join(base, 'flagadm-test-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const part of ['bin', 'dist']) {
    await cp(join(root, part), join(folder, part), { recursive: true })
  }
  const node = join(folder, 'node')
  await cp(process.execPath, node)
  const cwd = join(folder, 'work')
  await mkdir(cwd)
  await open(folder)
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : {}
  const env = { NODE: node, BIN: join(folder, 'bin/flagadm.js') }
  return { placement: { cwd, ...user }, env }
}
