import { groupBy } from '../../groups.ts'
import type { Position } from '../../input/shape.ts'
import { orderBy } from '../../output/order.ts'
import { positionText } from '../../output/problems.ts'

/** A position in source code. */
export interface FilePosition extends Position {
  file: string
}

/** The order of the files, then of the text. */
const byPlace = orderBy<FilePosition>(
  ({ file }) => file,
  ({ line }) => line,
  ({ column }) => column,
)

/** The first of the places with each key, in order. */
export function firstInOrder<Item extends FilePosition>(
  places: readonly Item[],
  keyOf: (place: Item) => string,
): Item[] {
  return Array.from(groupBy(places, keyOf).values(), ([first]) => first).sort(byPlace)
}

/** A key for the place of a name. */
export function namedKeyOf(place: FilePosition & { name: string }): string {
  return `${positionText(place)}:${place.name}`
}

const MAX_TEXT = 120

/** A function from offsets in a file, in any order, to positions. */
export function createLocator(text: string, file: string): (offset: number) => FilePosition {
  let starts: number[] | undefined
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
    const line = countWhile(starts, (start) => start <= offset)
    return { file, line, column: offset - (starts[line - 1] ?? 0) + 1 }
  }
}

/** How many items come before the first that fails a test, which all later ones fail: by binary search. */
export function countWhile<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const item = items[middle]
    if (item !== undefined && test(item)) low = middle + 1
    else high = middle
  }
  return low
}

/** Copies a part of a text, because a slice would keep the whole text in memory. */
export function ownCopy(part: string): string {
  // V8 copies what it joins before it takes a slice of it.
  return ` ${part}`.slice(1)
}

/** A part of a text in one line. */
export function excerpt(text: string, start: number, end: number): string {
  const part = text
    .slice(start, Math.min(end, start + 4 * MAX_TEXT))
    .replace(/\s+/g, ' ')
    .trim()
  return ownCopy(part.length > MAX_TEXT ? `${part.slice(0, MAX_TEXT - 1)}…` : part)
}

/** The line around an offset. */
export function lineAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset) + 1, offset - MAX_TEXT)
  const end = text.indexOf('\n', offset)
  return excerpt(text, start, end === -1 ? text.length : end)
}
