import { isTest } from '../lexer/file-names.ts'

/** Something that a file declares. */
interface Declared {
  file: string
}

/**
 * Groups what a file can see of some declarations, the nearest first: those in it, then others of its repository, from the
 * nearest folder upwards. Only tests see what tests declare.
 */
export type NearestFirst = <Item extends Declared>(
  from: string,
  declared: readonly Item[],
) => Item[][]

/** @param repositoryOf the repository of a file, which sees only files of the same one */
export function nearestFirstIn(repositoryOf: (file: string) => string): NearestFirst {
  return (from, declared) => {
    const isSeen = ({ file }: Declared) =>
      (isTest(from) || !isTest(file)) && repositoryOf(file) === repositoryOf(from)
    const inFile = declared.filter(({ file }) => file === from)
    const others = declared.filter((item) => item.file !== from && isSeen(item))
    return [inFile, ...byDistance(from, others)].filter((group) => group.length > 0)
  }
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

/** Groups declarations by how far the folder that a file shares with theirs is above it. */
function byDistance<Item extends Declared>(from: string, declared: readonly Item[]): Item[][] {
  const above = folderOf(from).split('/')
  const groups: Item[][] = above.map(() => [])
  groups.push([])
  for (const item of declared) {
    const folders = folderOf(item.file).split('/')
    let shared = 0
    while (shared < above.length && above[shared] === folders[shared]) shared++
    groups[above.length - shared]?.push(item)
  }
  return groups
}
