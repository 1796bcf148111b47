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
  /** How many; unknown while their list is read. */
  total?: number
}

/** One line on a terminal that shows how far a loop is. It has no text from outside. */
export interface Progress {
  /** Performs a loop. @param loop calls `advance` after each step */
  track<Result>(task: Task, loop: (advance: () => void) => Promise<Result>): Promise<Result>
  /** Removes the line, so that something else can be written. */
  erase(): void
}

/**
 * Whether a run shows progress: only to people, and not beside another program that reads the result, which may
 * use the terminal itself.
 */
function isShown({ stdout, stderr, env, writesToFile }: ProcessHost): boolean {
  if (!stderr.isTTY || env.TERM === 'dumb' || env.CI) return false
  return stdout.isTTY === true || writesToFile()
}

function taskText({ verb, noun, total }: Task, done: number): string {
  if (total === undefined) return `${verb} the list of ${noun}s`
  const nouns = total === 1 ? noun : `${noun}s`
  return `${verb} ${groupDigits(done)} of ${groupDigits(total)} ${nouns}`
}

/**
 * Shows progress on stderr once a run has taken a second.
 * @param isQuiet whether the user wants none
 */
export function createProgress(host: ProcessHost, isQuiet: () => boolean): Progress {
  const { stderr, clock } = host
  /** The loops under way; those that began later are within the others, or beside them. */
  const running: { task: Task; done: number }[] = []
  const start = clock.monotonic()
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
    if (now - start < DELAY_MS || now - drawnAt < INTERVAL_MS) return
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
      const runningTask = { task, done: 0 }
      running.push(runningTask)
      // A step may take long, too.
      const timer = setInterval(draw, INTERVAL_MS).unref()
      try {
        return await loop(() => {
          runningTask.done++
          draw()
        })
      } finally {
        clearInterval(timer)
        running.splice(running.indexOf(runningTask), 1)
        erase()
      }
    },
    erase,
  }
}
