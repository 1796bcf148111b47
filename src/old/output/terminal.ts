// Ours, because cli-progress draws at once, and writes to the stream instead of a `Sink`.
import type { Clock, Host } from '../../host.ts'
import { isolate } from '../../output/escapes.ts'
import type { Sink } from './stream.ts'
import { formatted, repeated, type Safe, safe } from './text.ts'
import { fitText } from './width.ts'

// The alternate screen without cursor and wrapping, so that a terminal made narrower cuts lines off.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

function cut(lines: readonly Safe[], rows: number): readonly Safe[] {
  if (lines.length < rows) return lines
  const shown = Math.max(0, rows - 2)
  return [...lines.slice(0, shown), safe`… ${lines.length - shown} more lines`]
}

/** Switches the terminal to the alternate screen, which keeps what was shown before. */
export function enterScreen(terminal: Sink, onSuspend: Host['onSuspend']) {
  const write = (text: string) => terminal.show(formatted(text))
  write(ENTER)
  const unsubscribe = onSuspend?.({ suspend: () => write(LEAVE), resume: () => write(ENTER) })
  return {
    /**
     * Replaces what is shown. Lines that do not fit above the footer are counted instead. Overwrites the
     * previous lines without clearing them, so nothing flickers.
     */
    draw(lines: readonly Safe[], footer: readonly Safe[]): void {
      const { rows } = terminal.size()
      // The line below the last one stays free: writing there would scroll.
      const shown = [...cut(lines, rows - footer.length), ...footer].slice(0, rows - 1)
      const frame = shown.map((line) => `${CLEAR_LINE}${isolate(line)}\r\n`).join('')
      write(`${HOME}${frame}${CLEAR_BELOW}`)
    },
    /** Restores the terminal. */
    leave(): void {
      unsubscribe?.()
      write(LEAVE)
    },
  }
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
