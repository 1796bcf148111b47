import { lstat, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute } from 'node:path'
import type { Context } from '../old/context.ts'
import { fileReason, FlagadmError, isAbsent, writeHint } from '../errors.ts'
import { createFolder } from '../old/output/file.ts'
import { isSameFile, join, pathInside, relative, resolve } from '../paths.ts'

/** The names in a folder, to find those that differ only in case. */
export class FileNames {
  readonly #folder: string
  readonly #known = new Map<string, string>()

  constructor(folder: string, names: readonly string[]) {
    this.#folder = folder
    for (const name of names.toSorted()) this.add(name)
  }

  add(name: string): void {
    const key = name.toLowerCase()
    if (!this.#known.has(key)) this.#known.set(key, name)
  }

  /**
   * @param file how to call the file in the error
   * @throws a usage error if the file system takes the name for that of another file
   */
  refuseOther(name: string, file: string): void {
    const other = this.#known.get(name.toLowerCase())
    if (other === undefined || other === name) return
    if (!isSameFile(join(this.#folder, name), join(this.#folder, other))) return
    const hint =
      'export one of them to another folder: here, names that differ only in case are the same'
    throw new FlagadmError('usage', `${file} is the same file as ${other}`, { hint })
  }
}

/** The path without links; parts that do not exist stay as they are. */
async function withoutLinks(path: string): Promise<string> {
  try {
    return resolve(await realpath(path))
  } catch (error) {
    if (!isAbsent(error) || dirname(path) === path) throw error
    return join(await withoutLinks(dirname(path)), basename(path))
  }
}

/**
 * Refuses a link that leads out of the working directory, because a repository may contain one. An
 * absolute path to elsewhere may contain links, because only the user knows it.
 */
async function refuseLink(path: string, cwd: string): Promise<void> {
  const folder = resolve(cwd, path)
  if (isAbsolute(path) && pathInside(folder, cwd) === undefined) return
  const [base, real] = await Promise.all([withoutLinks(cwd), withoutLinks(folder)])
  if (pathInside(real, base) !== undefined || real === resolve(base, relative(cwd, folder))) return
  throw new FlagadmError('usage', `--dir: ${path} is a symbolic link to ${real}`, {
    hint: `to write there, use --dir ${real}`,
  })
}

/**
 * Creates the folder for exported files, unless it exists.
 * @returns the names of the files in it
 */
export async function openFolder({ host }: Context, path: string): Promise<FileNames> {
  const folder = resolve(host.cwd, path)
  try {
    await refuseLink(path, host.cwd)
    await createFolder(folder)
    return new FileNames(folder, await readdir(folder))
  } catch (cause) {
    if (cause instanceof FlagadmError) throw cause
    throw new FlagadmError('usage', `--dir: cannot create ${path}: ${fileReason(cause)}`, {
      hint: writeHint(cause),
      cause,
    })
  }
}

/** The kind of file at a path, without following a symbolic link. */
export async function fileKind(
  path: string,
  cwd: string,
): Promise<'none' | 'file' | 'link' | 'other'> {
  const stats = await lstat(resolve(cwd, path)).catch(() => undefined)
  if (!stats) return 'none'
  if (stats.isSymbolicLink()) return 'link'
  return stats.isFile() ? 'file' : 'other'
}
