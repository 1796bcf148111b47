import { spawn } from 'node:child_process'
import { fileReason, FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Redactor } from '../redact.ts'
import { type ProgramToStart, programOf } from './batch.ts'

const LIMIT_MS = 30_000
const LAST_OUTPUT_MS = 500
const MAX_LINE_LENGTH = 10_000
const MAX_MESSAGES_LENGTH = 10_000

/** Masks the key that a command prints, and shows what it writes to stderr. */
export interface CommandReport {
  redactor: Pick<Redactor, 'add'>
  messages: { note(message: string): void }
}

type Killed = 'done' | `took longer than ${number} s` | `printed more than ${number} characters`

/** The output of a command, and why it was killed, if it was. */
interface Output {
  stdout: string
  stderr: string
  killed?: Killed
}

function firstLine({ stdout }: Output): string {
  return stdout.replace(/\r?\n.*/s, '')
}

/** The complete lines of stderr, at most as many as fit into the limit. */
function messagesIn({ stderr }: Output): string[] {
  const isCut = stderr.length > MAX_MESSAGES_LENGTH
  // Half a key at the end would not be recognised.
  const whole = isCut ? stderr.slice(0, stderr.lastIndexOf('\n', MAX_MESSAGES_LENGTH) + 1) : stderr
  const lines = whole.split(/\r?\n/).filter((line) => line.trim() !== '')
  return isCut ? [...lines, 'the rest of its messages is not shown'] : lines
}

interface Ending {
  code?: number | null
  signal?: NodeJS.Signals | null
}

/** A timer that is set anew, and that does not keep flagadm running: after an interrupt, nothing should. */
function createTimer() {
  let timer: NodeJS.Timeout | undefined
  const clear = () => clearTimeout(timer)
  return {
    clear,
    set(action: () => void, milliseconds: number) {
      clear()
      timer = setTimeout(action, milliseconds).unref()
    },
  }
}

/** Starts a command. Some failures to start are thrown here, the others are events. */
function start({ file, args, windowsVerbatimArguments }: ProgramToStart, cwd: string, host: Host) {
  const { env, signal } = host
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  return spawn(file, args, {
    ...{ cwd, env, signal, stdio, windowsVerbatimArguments },
    killSignal: 'SIGKILL',
  })
}

type Child = ReturnType<typeof start>

/** Collects the first line that a command prints, and its messages; the rest of the output may be endless. */
function collect({ stdout, stderr }: Child, output: Output, onLine: () => void): void {
  stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.stdout.includes('\n') || output.killed) return
    output.stdout += text
    onLine()
  })
  stderr.setEncoding('utf8').on('data', (text: string) => {
    if (output.stderr.length <= MAX_MESSAGES_LENGTH) output.stderr += text
  })
}

/**
 * Waits until a command ends. Kills it soon after its first line is complete, when that line is too long for a
 * key, and after 30 s. Does not wait for background processes.
 */
function waitFor(
  child: Child,
  output: Output,
  { set }: ReturnType<typeof createTimer>,
): Promise<Ending> {
  let ending: Ending = {}
  return new Promise<Ending>((fulfil, reject) => {
    const settle = () => fulfil(ending)
    const kill = (reason: Killed) => {
      output.killed = reason
      child.kill('SIGKILL')
      // A command of another user, run with sudo, cannot be killed.
      set(settle, LAST_OUTPUT_MS)
    }
    set(() => kill(`took longer than ${LIMIT_MS / 1000} s`), LIMIT_MS)
    collect(child, output, () => {
      if (firstLine(output).length > MAX_LINE_LENGTH) {
        kill(`printed more than ${MAX_LINE_LENGTH} characters`)
      } else if (output.stdout.includes('\n')) set(() => kill('done'), LAST_OUTPUT_MS)
    })
    child.on('error', (error) => (output.killed ? settle() : reject(error)))
    child.on('exit', (code, by) => {
      ending = { code, signal: by }
      // Output may still arrive, but a child of the command may keep the pipe open.
      set(settle, LAST_OUTPUT_MS)
    })
    child.on('close', settle)
  })
}

/**
 * Runs a command and collects its output.
 * @throws an error of the system if the command cannot be run
 */
async function execute(
  program: ProgramToStart,
  cwd: string,
  host: Host,
  output: Output,
): Promise<Ending> {
  const child = start(program, cwd, host)
  const timer = createTimer()
  try {
    return await waitFor(child, output, timer)
  } finally {
    timer.clear()
    child.stdout.destroy()
    child.stderr.destroy()
    child.unref()
  }
}

/**
 * Runs a command and returns the first line of its output. It runs in the folder of the configuration
 * file, so a relative program is not looked up in the working directory. What it writes to stderr is shown
 * when it has ended, because only then the key, which may be in it, can be masked.
 * @param from where the command comes from, for errors
 * @throws a configuration error if the command cannot be run, fails, or prints no line in time
 */
export async function runCommand(
  command: readonly string[],
  from: string,
  cwd: string,
  host: Host,
  { redactor, messages }: CommandReport,
): Promise<string> {
  const failure = (reason: string, cause?: unknown) =>
    new FlagadmError('configuration', `${from}: the command ${reason}`, {
      hint: 'run the command by hand to see why',
      cause,
    })
  const program = programOf(command, from, cwd, host)
  const output: Output = { stdout: '', stderr: '' }
  try {
    const { code, signal } = await execute(program, cwd, host, output).catch((cause: unknown) => {
      throw failure(`cannot be run: ${fileReason(cause)}`, cause)
    })
    const { killed } = output
    if (killed !== undefined && killed !== 'done') throw failure(killed)
    // A command that is killed once it has printed its line has no exit code.
    const isDone = code === 0 || (killed === 'done' && typeof code !== 'number')
    if (!isDone) throw failure(`ended with ${code ?? signal}`)
    return firstLine(output)
  } finally {
    redactor.add(firstLine(output))
    for (const line of messagesIn(output)) messages.note(`apiKeyCommand: ${line}`)
  }
}
