/** Lets one task at a time do what takes much memory; the others wait, in the order in which they ask. */
export interface Turns {
  /**
   * Waits for a turn; fulfils with what ends it.
   * @throws the reason of the signal when it aborts first
   */
  take(signal: AbortSignal): Promise<() => void>
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

export function createTurns(): Turns {
  let last = Promise.resolve()
  return {
    async take(signal) {
      const before = last
      let end = () => {}
      last = new Promise((fulfil) => {
        end = fulfil
      })
      try {
        await Promise.race([before, aborted(signal)])
      } catch (reason) {
        void before.then(end)
        throw reason
      }
      return end
    },
  }
}
