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

async function openFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'flagadm-test-')))
  await chmod(folder, 0o755)
  return folder
}

/** The environment that points `flagadm` of a shell script to copies that every user may read. */
export interface Copies {
  env: Record<string, string>
  remove(): Promise<void>
}

/** Copies the built flagadm and Node.js. */
export async function copyProgram(): Promise<Copies> {
  const folder = await openFolder()
  for (const part of ['bin', 'dist']) {
    await cp(join(root, part), join(folder, part), { recursive: true })
  }
  const node = join(folder, 'node')
  await cp(process.execPath, node)
  await open(folder)
  return {
    env: { NODE: node, BIN: join(folder, 'bin/flagadm.js') },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A working directory for a user who is not root, removed after the test. It belongs to the user that runs the tests. */
export async function restricted(): Promise<Placement & { cwd: string }> {
  const folder = await openFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const cwd = join(folder, 'work')
  await mkdir(cwd)
  await chmod(cwd, 0o755)
  return { cwd, ...(isRoot && { uid: 65_534, gid: 65_534 }) }
}
