import type { OutputStream } from '../host.ts'

// The other screen, no cursor, and no wrapping: a terminal made narrower cuts lines off.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'
const FALLBACK_ROWS = 24

/** The terminal as a screen of its own, which leaves what was there before as it was. */
export interface Screen {
  /** Replaces what is shown. Lines that do not fit are counted instead. */
  draw(lines: readonly string[]): void
  /** Gives the terminal back. */
  leave(): void
}

function cut(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length < rows) return lines
  return [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more lines`]
}

/** Takes over the terminal; each frame overwrites the one before without clearing, so nothing flickers. */
export function enterScreen(stream: OutputStream): Screen {
  const write = (text: string) => stream.write(text, () => {})
  write(ENTER)
  return {
    draw(lines) {
      const shown = cut(lines, stream.rows ?? FALLBACK_ROWS)
      const frame = shown.map((line) => `${CLEAR_LINE}${line}\r\n`).join('')
      write(`${HOME}${frame}${CLEAR_BELOW}`)
    },
    leave: () => write(LEAVE),
  }
}
