import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type FlagadmError, interrupted } from '../errors.ts'
import type { Matched } from './lookups/facts.ts'
import { matchError, reasonOf } from './settings.ts'

function tooSlow(source: string, seconds: number, file: string): FlagadmError {
  const hint = 'avoid repetitions within repetitions, or leave the file out with --scan "!<file>"'
  return matchError(source, `takes more than ${seconds} s for ${file}`, hint)
}

// As text, because a worker cannot load TypeScript, and a bundle would need another file.
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const patterns = workerData.map((source) => new RegExp(source, 'dgm'))
let text = ''
parentPort.on('message', (message) => {
  if (typeof message === 'string') {
    text = message
    return
  }
  const names = []
  for (const { groups, indices } of text.matchAll(patterns[message])) {
    for (const kind of ['flag', 'constant']) {
      if (groups[kind]) names.push({ kind, text: groups[kind], offset: indices.groups[kind][0] })
    }
  }
  parentPort.postMessage(names)
})
`

/**
 * Finds what patterns match that `checkMatch` accepts, in a thread that can be stopped. `^` and `$` match at
 * line ends.
 * @param signal aborts the work
 * @param seconds the time limit of a pattern for one file
 */
export function createMatcher(patterns: readonly string[], signal: AbortSignal, seconds = 5) {
  const worker = new Worker(program, { eval: true, workerData: patterns })
  // On a busy machine, the start of the thread takes as long as a slow pattern.
  const online = once(worker, 'online')

  /** The names that a pattern finds in the text that was sent last. */
  async function namesOf(source: string, index: number, file: string): Promise<Matched[]> {
    await online
    if (signal.aborted) throw interrupted()
    const stop = new AbortController()
    const abort = () => stop.abort()
    const timer = setTimeout(abort, seconds * 1000)
    signal.addEventListener('abort', abort)
    try {
      worker.postMessage(index)
      const [names]: Matched[][] = await once(worker, 'message', { signal: stop.signal })
      return names ?? []
    } catch (cause) {
      if (signal.aborted) throw interrupted()
      if (stop.signal.aborted) throw tooSlow(source, seconds, file)
      const what = `cannot be matched: ${reasonOf(cause)}`
      throw matchError(source, what, 'simplify the pattern', cause)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  return {
    /**
     * The names and constants that the patterns find in a text, one text at a time.
     * @param file what to call the text in errors
     * @throws a `usage` error when a pattern takes too long, `interrupted` when the signal aborts
     */
    async match(text: string, file: string): Promise<Matched[]> {
      worker.postMessage(text)
      let names: Matched[] = []
      for (const [index, source] of patterns.entries()) {
        names = names.concat(await namesOf(source, index, file))
      }
      return names
    },
    async close(): Promise<void> {
      await worker.terminate()
    },
  }
}
