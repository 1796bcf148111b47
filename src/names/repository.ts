import { relativePath, resolve } from '../paths.ts'
import { projectFolders } from '../profile/configuration.ts'

// The services that read these formats take paths from the root of the repository.
const rootedFormats: readonly string[] = ['github', 'gitlab', 'junit', 'sarif']

/** Changes the path of an item, if it has one. */
export type Placing = <Item extends { file?: string | undefined }>(item: Item) => Item

/**
 * A function that makes paths from the working directory fit for a format: some need them from the
 * root of the repository.
 */
export function inRepository(format: string, cwd: string): Placing {
  // Outside a repository, the working directory itself.
  const root = rootedFormats.includes(format) ? projectFolders(cwd).at(-1) : undefined
  if (root === undefined || root === cwd) return (item) => item
  return (item) => {
    // Standard input is not a file.
    if (item.file === undefined || item.file.startsWith('<')) return item
    return { ...item, file: relativePath(resolve(cwd, item.file), root) }
  }
}
