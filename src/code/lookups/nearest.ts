import { familyOf } from '../languages/of-file.ts'
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

// Names with no more declarations are not worth the memory.
const FEW = 10

/** What files declare, by its name. */
export class Declarations<Item extends Declared> {
  readonly #nearestFirst: NearestFirst
  readonly #declared = new Map<string, Item[]>()
  /** What a file sees of many is found once, because it may have the name many times. */
  readonly #seen = new Map<string, Item[][]>()

  constructor(nearestFirst: NearestFirst) {
    this.#nearestFirst = nearestFirst
  }

  add(name: string, item: Item): void {
    const key = keyOf(name, item.file)
    const items = this.#declared.get(key)
    if (items) items.push(item)
    else this.#declared.set(key, [item])
  }

  /** All with a name, in the languages of the family of a file. */
  all(name: string, file: string): readonly Item[] {
    return this.#declared.get(keyOf(name, file)) ?? []
  }

  /** Those with a name that a file sees, the nearest first. */
  seenFrom(file: string, name: string): readonly (readonly Item[])[] {
    const all = this.all(name, file)
    if (all.length <= FEW) return this.#nearestFirst(file, all)
    const key = `${name}\n${file}`
    const seen = this.#seen.get(key) ?? this.#nearestFirst(file, all)
    this.#seen.set(key, seen)
    return seen
  }
}

function keyOf(name: string, file: string): string {
  return `${familyOf(file)}:${name}`
}
