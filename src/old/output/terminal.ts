// Ours, because cli-progress draws at once, and writes to the stream instead of a `Sink`.
import type { Clock } from '../../host.ts'
import type { Sink } from './stream.ts'
import { formatted, repeated, type Safe, safe } from './text.ts'
import { fitText } from './width.ts'

const CLEAR_LINE = '\u001b[K'
const CLEAR_SCREEN = '\u001b[H\u001b[J'

/** Clears what a terminal shows, and moves the cursor to its top. */
export function clearScreen(terminal: Sink): void {
  terminal.show(formatted(CLEAR_SCREEN))
}

const QUIET_MS = 500
const PAUSE_MS = 100
const BAR = 20

/**
 * A progress bar over flags that appears when reading them takes over half a second; none if it is unwanted or the
 * stream is not a terminal.
 */
export function createProgress(stream: Sink, total: number, clock: Clock, wanted: boolean) {
  const start = clock.monotonic()
  const line = createStatusLine(stream, wanted)
  let done = 0
  let appeared = false
  let last = start
  const draw = () => {
    const full = Math.round((BAR * done) / total)
    line.show(
      safe`${repeated(safe`█`, full)}${repeated(safe`░`, BAR - full)} ${done} of ${total} flags`,
    )
  }
  return {
    /** Counts one more step as done. */
    tick(): void {
      done++
      const now = clock.monotonic()
      if (now - start < QUIET_MS || now - last < PAUSE_MS) return
      last = now
      appeared = true
      draw()
    },
    /** Clears the bar before something else is written to the terminal. */
    clear: line.clear,
    /** Draws the bar again if it was cleared. */
    redraw: () => appeared && draw(),
  }
}

/** The last line on a terminal, which shows what is going on; empty if it is unwanted or the stream is not a terminal. */
export function createStatusLine(stream: Sink, wanted: boolean) {
  let drawn = false
  return {
    /** Replaces the line. */
    show(text: Safe): void {
      if (!wanted || !stream.movesCursor) return
      drawn = true
      // A line that wraps could not be cleared, and the terminal shows ^C after it.
      const [line = safe``] = fitText(text, stream.size().columns - 3, 1)
      stream.show(formatted(`\r${CLEAR_LINE}${line}`))
    },
    /** Clears the line before something else is written to the terminal. */
    clear(): void {
      if (drawn) stream.show(formatted(`\r${CLEAR_LINE}`))
      drawn = false
    },
  }
}
