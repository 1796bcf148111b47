import { interrupted } from '../../errors.ts'
import type { Write } from './stream.ts'
import { joined, type Safe } from './text.ts'

/** Text in blocks, so that other events, such as Ctrl-C, happen between them. */
export type Blocks = Iterable<Safe>

/** Rows per block: they take a few milliseconds. */
const BLOCK_ROWS = 250

/**
 * The text of rows.
 * @param render takes some of them, and the index of the first one
 */
export function* inBlocks<Row>(
  rows: readonly Row[],
  render: (rows: readonly Row[], start: number) => Safe,
): Blocks {
  for (let start = 0; start < rows.length; start += BLOCK_ROWS) {
    yield render(rows.slice(start, start + BLOCK_ROWS), start)
  }
}

/** The whole text at once, for text that is short. */
export function wholeText(blocks: Blocks): Safe {
  return joined([...blocks])
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
  blocks: Blocks,
  write: Write,
  signal: AbortSignal,
): Promise<boolean> {
  let unpaused = 0
  for (const block of blocks) {
    unpaused += block.length
    if (unpaused >= LONG) {
      unpaused = 0
      // A turn of the event loop delivers signals; an awaited write alone may not.
      await new Promise(setImmediate)
      if (signal.aborted) throw interrupted()
    }
    if (!(await write(block))) return false
  }
  return true
}
