import { isStackOverflow } from '../../timed.ts'

/** Thrown when a question about a pattern cannot be decided; the message is the reason. */
export class Undecided extends Error {}

/** Returns an answer, or the reason why the question cannot be decided. */
export async function orUndecided<T>(answer: () => T | Promise<T>): Promise<T | Undecided> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof Undecided) return error
    if (!isStackOverflow(error)) throw error
    return new Undecided('its groups are nested too deeply', { cause: error })
  }
}

// About two seconds.
const ALL_WORK = 10_000_000

const WORK_BETWEEN_PAUSES = 50_000

/** Counts work, so that limits do not depend on the speed of the machine. */
export class Budget {
  readonly signal: AbortSignal
  #workLeft: number
  #nextPause: number
  readonly #whole: Budget | undefined

  constructor(signal: AbortSignal, work = ALL_WORK, whole?: Budget) {
    this.signal = signal
    this.#workLeft = work
    this.#nextPause = work
    this.#whole = whole
  }

  /** Creates a budget for one question, which is also counted here. */
  part(work: number): Budget {
    return new Budget(this.signal, work, this)
  }

  /** @throws Undecided when nothing is left */
  spend(work: number): void {
    this.#workLeft -= work
    if (this.#workLeft < 0) throw new Undecided('it takes too long')
    this.#whole?.spend(work)
  }

  /** Lets signals arrive from time to time. */
  async pause(): Promise<void> {
    if (this.#workLeft > this.#nextPause) return
    this.#nextPause = this.#workLeft - WORK_BETWEEN_PAUSES
    await new Promise(setImmediate)
    this.signal.throwIfAborted()
  }
}
