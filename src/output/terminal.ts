import type { Clock, Host } from '../host.ts'
import { isolate } from './escapes.ts'
import type { Sink } from './stream.ts'
import { formatted, type Safe, safe } from './text.ts'

// The alternate screen without cursor and wrapping, so that a terminal made narrower cuts lines off.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

/** The alternate screen of the terminal, which keeps what was shown before. */
interface Screen {
  /** Replaces what is shown. Lines that do not fit above the footer are counted instead. */
  draw(lines: readonly Safe[], footer: readonly Safe[]): void
  /** Restores the terminal. */
  leave(): void
}

function cut(lines: readonly Safe[], rows: number): readonly Safe[] {
  if (lines.length < rows) return lines
  const shown = Math.max(0, rows - 2)
  return [...lines.slice(0, shown), safe`… ${lines.length - shown} more lines`]
}

/** Switches to the alternate screen; each frame overwrites the previous one without clearing, so nothing flickers. */
export function enterScreen(terminal: Sink, onSuspend: Host['onSuspend']): Screen {
  const write = (text: string) => terminal.show(formatted(text))
  write(ENTER)
  const unsubscribe = onSuspend?.({ suspend: () => write(LEAVE), resume: () => write(ENTER) })
  return {
    draw(lines, footer) {
      const { rows } = terminal.size()
      // The line below the last one stays free: writing there would scroll.
      const shown = [...cut(lines, rows - footer.length), ...footer].slice(0, rows - 1)
      const frame = shown.map((line) => `${CLEAR_LINE}${isolate(line)}\r\n`).join('')
      write(`${HOME}${frame}${CLEAR_BELOW}`)
    },
    leave() {
      unsubscribe?.()
      write(LEAVE)
    },
  }
}

const QUIET_MS = 500
const PAUSE_MS = 100
const BAR = 20

/** A bar on a terminal that shows how much of some work is done. */
export interface Progress {
  /** Counts one more step as done. */
  tick(): void
  /** Clears the bar before something else is written to the terminal. */
  clear(): void
}

/** A progress bar that appears when work takes over half a second; none if it is unwanted or the stream is not a terminal. */
export function createProgress(
  stream: Sink,
  total: number,
  clock: Clock,
  wanted: boolean,
): Progress {
  const start = clock.monotonic()
  let done = 0
  let drawn = false
  let last = start
  const write = (text: string) => stream.show(formatted(text))
  return {
    tick() {
      done++
      const now = clock.monotonic()
      if (!wanted || !stream.isTTY || now - start < QUIET_MS || now - last < PAUSE_MS) return
      last = now
      drawn = true
      const full = Math.round((BAR * done) / total)
      write(`\r${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${total} flags`)
    },
    clear() {
      if (drawn) write('\r\u001b[K')
      drawn = false
    },
  }
}
