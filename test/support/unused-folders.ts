import { rm } from 'node:fs/promises'

/** Temporary folders of finished tests in which nothing was written; removed after the tests of a file. */
export const unusedFolders: string[] = []

/** Removes a folder: asynchronously, because Windows removes none with files that are still being closed. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10 })
}
