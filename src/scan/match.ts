import { Worker } from 'node:worker_threads'
import { FlagadmError } from '../errors.ts'
import type { Matched } from './references.ts'

const hint = `mark the flag with a group: --match 'flag\\("(?<flag>[^"]+)"'`

function refusal(source: string, cause: unknown): FlagadmError {
  // The engine's message repeats the whole pattern before the reason.
  const reason = String(cause).split(': ').at(-1)
  const message = `--match ${source}: not a valid regular expression: ${reason}`
  return new FlagadmError('usage', message, { hint, cause })
}

function groupsOf(source: string): Record<string, string> | undefined {
  try {
    new RegExp(source, 'dgm')
    // The empty branch matches at once, so nothing else is tried, and the match has all groups.
    return new RegExp(`|${source}`).exec('')?.groups
  } catch (cause) {
    throw refusal(source, cause)
  }
}

/**
 * Checks a pattern of `--match`.
 * @throws a `usage` error unless it compiles and has a group named `flag` or `constant`
 */
export function checkMatch(source: string): void {
  const groups = groupsOf(source)
  if (groups && (Object.hasOwn(groups, 'flag') || Object.hasOwn(groups, 'constant'))) return
  const message = `--match ${source}: the pattern has no group named flag or constant`
  throw new FlagadmError('usage', message, { hint })
}

/** Finds what custom patterns match, in a thread that can be stopped. */
interface Matcher {
  /**
   * The names and constants that the patterns find in text.
   * @param file what to call the text in errors
   * @throws a `usage` error when a pattern takes too long, `interrupted` when the signal aborts
   */
  match(text: string, file: string): Promise<Matched[]>
  close(): Promise<void>
}

const MATCH_SECONDS = 5

// As text, because a worker cannot load TypeScript, and a bundle would need another file.
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const patterns = workerData.map((source) => new RegExp(source, 'dgm'))
parentPort.on('message', (text) => {
  for (const pattern of patterns) {
    const names = []
    for (const { groups, indices } of text.matchAll(pattern)) {
      for (const kind of ['flag', 'constant']) {
        if (groups[kind]) names.push({ kind, text: groups[kind], offset: indices.groups[kind][0] })
      }
    }
    parentPort.postMessage(names)
  }
})
`

interface Task {
  file: string
  names: Matched[]
  /** How many patterns have been matched. */
  done: number
  resolve(names: Matched[]): void
  reject(error: FlagadmError): void
}

function failure(source: string | undefined, what: string, hint: string, cause?: unknown) {
  return new FlagadmError('usage', `--match ${source}: ${what}`, { hint, cause })
}

/**
 * A matcher for patterns that `checkMatch` accepts. `^` and `$` match at line ends.
 * @param signal aborts the work
 * @param seconds the time limit of a pattern for one file
 */
export function createMatcher(
  patterns: readonly string[],
  signal: AbortSignal,
  seconds = MATCH_SECONDS,
): Matcher {
  const worker = new Worker(program, { eval: true, workerData: patterns })
  const tasks: Task[] = []
  let timer: NodeJS.Timeout | undefined
  let isOnline = false

  const fail = (error: FlagadmError) => {
    clearTimeout(timer)
    void worker.terminate()
    for (const { reject } of tasks.splice(0)) reject(error)
  }
  const source = () => patterns[tasks[0]?.done ?? 0]
  const watch = () => {
    clearTimeout(timer)
    // On a busy machine, the start of the thread takes as long as a slow pattern.
    if (tasks.length === 0 || !isOnline) return
    timer = setTimeout(() => {
      const what = `takes more than ${seconds} s for ${tasks[0]?.file}`
      fail(
        failure(
          source(),
          what,
          'avoid repetitions within repetitions, or leave the file out with --scan "!<file>"',
        ),
      )
    }, seconds * 1000)
  }
  const interrupt = () => fail(new FlagadmError('interrupted', 'interrupted'))
  signal.addEventListener('abort', interrupt)
  worker.on('online', () => {
    isOnline = true
    watch()
  })
  worker.on('message', (names: Matched[]) => {
    const [task] = tasks
    if (!task) return
    task.names = task.names.concat(names)
    if (++task.done === patterns.length) tasks.shift()?.resolve(task.names)
    watch()
  })
  worker.on('error', (cause) => {
    const what = `cannot be matched: ${cause.message.split(': ').at(-1)}`
    fail(failure(source(), what, 'simplify the pattern', cause))
  })
  return {
    match: (text, file) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(new FlagadmError('interrupted', 'interrupted'))
        tasks.push({ file, names: [], done: 0, resolve, reject })
        if (tasks.length === 1) watch()
        worker.postMessage(text)
      }),
    async close() {
      clearTimeout(timer)
      signal.removeEventListener('abort', interrupt)
      await worker.terminate()
    },
  }
}
