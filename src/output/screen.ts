import type { Host, OutputStream } from '../host.ts'
import { isolate } from './text.ts'

// The other screen, no cursor, and no wrapping: a terminal made narrower cuts lines off.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'
const FALLBACK_ROWS = 24

/** The terminal as a screen of its own, which leaves what was there before as it was. */
export interface Screen {
  /** Replaces what is shown. Lines that do not fit above the footer are counted instead. */
  draw(lines: readonly string[], footer: readonly string[]): void
  /** Gives the terminal back. */
  leave(): void
}

function cut(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length < rows) return lines
  const shown = Math.max(0, rows - 2)
  return [...lines.slice(0, shown), `… ${lines.length - shown} more lines`]
}

/** Takes over the terminal; each frame overwrites the one before without clearing, so nothing flickers. */
export function enterScreen(stream: OutputStream, onSuspend: Host['onSuspend']): Screen {
  const write = (text: string) => stream.write(text, () => {})
  write(ENTER)
  const forget = onSuspend?.({ suspend: () => write(LEAVE), resume: () => write(ENTER) })
  return {
    draw(lines, footer) {
      const room = (stream.rows ?? FALLBACK_ROWS) - footer.length
      const shown = [...cut(lines, room), ...footer]
      const frame = shown.map((line) => `${CLEAR_LINE}${isolate(line)}\r\n`).join('')
      write(`${HOME}${frame}${CLEAR_BELOW}`)
    },
    leave() {
      forget?.()
      write(LEAVE)
    },
  }
}
