import type { Host, OutputStream } from '../host.ts'
import { terminalSize } from './terminal.ts'
import { isolate } from './text.ts'

// The alternate screen without cursor and wrapping, so that a terminal made narrower cuts lines off.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

/** The alternate screen of the terminal, which keeps what was shown before. */
export interface Screen {
  /** Replaces what is shown. Lines that do not fit above the footer are counted instead. */
  draw(lines: readonly string[], footer: readonly string[]): void
  /** Restores the terminal. */
  leave(): void
}

function cut(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length < rows) return lines
  const shown = Math.max(0, rows - 2)
  return [...lines.slice(0, shown), `… ${lines.length - shown} more lines`]
}

/** Switches to the alternate screen; each frame overwrites the previous one without clearing, so nothing flickers. */
export function enterScreen(stream: OutputStream, onSuspend: Host['onSuspend']): Screen {
  const write = (text: string) => stream.write(text, () => {})
  write(ENTER)
  const forget = onSuspend?.({ suspend: () => write(LEAVE), resume: () => write(ENTER) })
  return {
    draw(lines, footer) {
      const { rows } = terminalSize(stream)
      // The line below the last one stays free: writing there would scroll.
      const shown = [...cut(lines, rows - footer.length), ...footer].slice(0, rows - 1)
      const frame = shown.map((line) => `${CLEAR_LINE}${isolate(line)}\r\n`).join('')
      write(`${HOME}${frame}${CLEAR_BELOW}`)
    },
    leave() {
      forget?.()
      write(LEAVE)
    },
  }
}
