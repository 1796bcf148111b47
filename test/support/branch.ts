import { rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { temporaryFolder, type World } from './flagadm.ts'
import { git } from './git.ts'

type Files = Readonly<Record<string, string>>

function commit(root: string): void {
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--allow-empty', '--message', 'm')
}

/** A repository: the files of `main`, and those that a branch has in their place; an empty text removes a file. */
export async function branchOf(before: Files, changes: Files): Promise<string> {
  const root = await temporaryFolder(before)
  git(root, 'init', '--quiet', '--initial-branch', 'main')
  commit(root)
  git(root, 'checkout', '--quiet', '-b', 'topic')
  for (const [path, text] of Object.entries(changes)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    if (text === '') rmSync(join(root, path))
    else await writeFile(join(root, path), text)
  }
  commit(root)
  return root
}

/** The world of a command that runs in a repository. */
export function worldIn(root: string): Pick<World, 'cwd' | 'env'> {
  return { cwd: join('..', basename(root)), env: { PATH: process.env.PATH ?? '' } }
}
