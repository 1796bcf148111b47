import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { join } from '../../src/paths.ts'
import { temporaryFolder } from './flagadm.ts'

const IMAGE_BYTES = 8 * 1024 * 1024

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'ignore' })
}

/** Mounts a file system of Windows, on Linux as root with ntfs-3g. */
function mount(image: string, folder: string): boolean {
  try {
    run('mkntfs', '--force', '--quick', image)
    run('lowntfs-3g', '-o', 'ignore_case,umask=077', image, folder)
    return true
  } catch {
    return false
  }
}

/** A temporary folder that ignores the case of names; undefined if this machine cannot make one. */
export async function folderIgnoringCase(): Promise<string | undefined> {
  const folder = await temporaryFolder({ probe: '' })
  if (existsSync(join(folder, 'PROBE'))) return temporaryFolder()
  const image = join(folder, 'image')
  const mounted = join(folder, 'mounted')
  writeFileSync(image, '')
  truncateSync(image, IMAGE_BYTES)
  mkdirSync(mounted)
  if (!mount(image, mounted)) return undefined
  onTestFinished(() => run('umount', mounted))
  return mounted
}
