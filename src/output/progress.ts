import type { ProcessHost } from '../host.ts'
import { groupDigits } from './numbers.ts'
import { cutText } from './width.ts'

// Shorter work is done before anyone reads the line.
const DELAY_MS = 1000
const INTERVAL_MS = 100

const CLEAR_TO_END = '\u001b[K'

/** A loop that may take long: `Reading 120 of 340 flags`. */
export interface Task {
  verb: 'Checking' | 'Reading' | 'Searching'
  /** What it takes one after the other, in the singular. */
  noun: string
  total: number
}

/** One line on a terminal that shows how far a loop is. It has no text from outside. */
export interface Progress {
  /** Performs a loop. @param loop calls `advance` after each step */
  track<Result>(task: Task, loop: (advance: () => void) => Promise<Result>): Promise<Result>
  /** Removes the line, so that something else can be written. */
  erase(): void
}

/** Whether a run shows progress: only to people, who see it on the terminal that has the result. */
function isShown({ stdout, stderr, env }: ProcessHost): boolean {
  return Boolean(stdout.isTTY && stderr.isTTY && env.TERM !== 'dumb' && !env.CI)
}

function taskText({ verb, noun, total }: Task, done: number): string {
  const nouns = total === 1 ? noun : `${noun}s`
  return `${verb} ${groupDigits(done)} of ${groupDigits(total)} ${nouns}`
}

/**
 * Shows progress on stderr while a loop takes more than a second.
 * @param isQuiet whether the user wants none
 */
export function createProgress(host: ProcessHost, isQuiet: () => boolean): Progress {
  const { stderr, clock } = host
  /** The loops under way; those that began later are within the others, or beside them. */
  const running: { task: Task; done: number; start: number }[] = []
  let drawn = ''
  let drawnAt = 0
  const erase = () => {
    if (drawn === '') return
    drawn = ''
    stderr.write(`\r${CLEAR_TO_END}`, () => {})
  }
  const draw = () => {
    const current = running.at(-1)
    if (!current) return
    const now = clock.monotonic()
    if (now - current.start < DELAY_MS || now - drawnAt < INTERVAL_MS) return
    const text = taskText(current.task, current.done)
    if (text === drawn) return
    drawn = text
    drawnAt = now
    const width = stderr.columns || 80
    // The last column stays free, because some terminals would begin another line.
    stderr.write(`\r${cutText(text, width - 1)}${CLEAR_TO_END}`, () => {})
  }
  return {
    async track(task, loop) {
      if (isQuiet() || !isShown(host)) return loop(() => {})
      const own = { task, done: 0, start: clock.monotonic() }
      running.push(own)
      // A step may take long, too.
      const timer = setInterval(draw, INTERVAL_MS).unref()
      try {
        return await loop(() => {
          own.done++
          draw()
        })
      } finally {
        clearInterval(timer)
        running.splice(running.indexOf(own), 1)
        erase()
      }
    },
    erase,
  }
}
