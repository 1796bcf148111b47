import { isStackOverflow } from '../timed.ts'

/** Thrown when a question about a pattern cannot be decided; the message is the reason. */
export class Undecided extends Error {}

/** Returns an answer, or the reason why it cannot be decided. */
export async function decide<T>(work: () => T | Promise<T>): Promise<T | Undecided> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Undecided) return error
    if (!isStackOverflow(error)) throw error
    return new Undecided('its groups are nested too deeply', { cause: error })
  }
}

// About two seconds.
const allWork = 10_000_000

/** Counts work, so that limits do not depend on the speed of the machine. */
export class Budget {
  private left: number
  private nextPause: number
  readonly signal: AbortSignal
  private readonly whole: Budget | undefined

  constructor(signal: AbortSignal, work = allWork, whole?: Budget) {
    this.left = work
    this.nextPause = work
    this.signal = signal
    this.whole = whole
  }

  /** Creates a budget for one question, which is also counted here. */
  part(work: number): Budget {
    return new Budget(this.signal, work, this)
  }

  spend(work: number): void {
    this.left -= work
    if (this.left < 0) throw new Undecided('it takes too long')
    this.whole?.spend(work)
  }

  /** Lets signals arrive from time to time. */
  async breathe(): Promise<void> {
    if (this.left > this.nextPause) return
    this.nextPause = this.left - 50_000
    await new Promise(setImmediate)
    this.signal.throwIfAborted()
  }
}
