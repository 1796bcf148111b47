import { interrupted } from '../errors.ts'

/**
 * Text that is rendered in blocks, so that the caller can let other events run between them, such as
 * Ctrl-C. An empty block only offers such a pause. A step of the rendering may return a result.
 */
export type Blocks<Result = void> = Generator<string, Result>

/** Rows per block: they take a few milliseconds. */
export const BLOCK_ROWS = 1000

/** The text of rows. */
export function* inBlocks<Row>(
  rows: readonly Row[],
  render: (rows: readonly Row[]) => string,
): Blocks {
  for (let start = 0; start < rows.length; start += BLOCK_ROWS) {
    yield render(rows.slice(start, start + BLOCK_ROWS))
  }
}

/** The whole text at once, for text that is short. */
export function wholeText(blocks: Iterable<string>): string {
  return [...blocks].join('')
}

// Characters after which to pause, so that an interrupt does not cut off a short document.
const LONG = 10_000

/**
 * Writes blocks as they are rendered, until the reader closes the stream.
 * @param write returns whether the stream is still open
 * @returns whether the stream is still open
 * @throws an `interrupted` error when the signal aborts
 */
export async function writeBlocks(
  blocks: Iterable<string>,
  write: (text: string) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  let unpaused = 0
  for (const block of blocks) {
    unpaused += block.length
    if (block === '' || unpaused >= LONG) {
      unpaused = 0
      // A turn of the event loop delivers signals; an awaited write alone may not.
      await new Promise(setImmediate)
      if (signal.aborted) throw interrupted()
    }
    if (block !== '' && !(await write(block))) return false
  }
  return true
}
