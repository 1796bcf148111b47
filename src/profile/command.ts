import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { fileReason, FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { type ProgramToStart, programOf } from './batch.ts'

const LIMIT_MS = 30_000
const LAST_OUTPUT_MS = 500
const MAX_LINE_LENGTH = 10_000
const MAX_MESSAGES_LENGTH = 10_000

/** The output of a command so far. */
interface Output {
  stdout: string
  stderr: string
}

function firstLine({ stdout }: Output): string {
  return stdout.replace(/\r?\n.*/s, '')
}

function isTooLong(output: Output): boolean {
  return firstLine(output).length > MAX_LINE_LENGTH
}

/** The complete lines of stderr, at most as many as fit into the limit. */
function messagesIn({ stderr }: Output): string[] {
  const isCut = stderr.length > MAX_MESSAGES_LENGTH
  // Half a key at the end would not be recognised.
  const whole = isCut ? stderr.slice(0, stderr.lastIndexOf('\n', MAX_MESSAGES_LENGTH) + 1) : stderr
  const lines = whole.split(/\r?\n/).filter((line) => line.trim() !== '')
  return isCut ? [...lines, 'the rest of its messages is not shown'] : lines
}

/**
 * Collects the first line that a command prints, and its messages; the rest of the output may be endless.
 * @returns a promise that is fulfilled once the line is complete, or too long for a key
 */
function collect(
  { stdout, stderr }: Record<'stdout' | 'stderr', Readable>,
  output: Output,
): Promise<void> {
  stderr.setEncoding('utf8').on('data', (text: string) => {
    if (output.stderr.length <= MAX_MESSAGES_LENGTH) output.stderr += text
  })
  return new Promise((fulfil) => {
    stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.stdout.includes('\n') || isTooLong(output)) return
      output.stdout += text
      if (output.stdout.includes('\n') || isTooLong(output)) fulfil()
    })
  })
}

/** Waits for at most this time, and does not keep flagadm running: after an interrupt, nothing should. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, delay(milliseconds, undefined, { ref: false })])
}

/**
 * Runs a command until it ends. Kills it soon after its first line is complete, when that line is too long for a
 * key, and after 30 s. Does not wait for background processes.
 * @returns how it ended; without a code and a signal if it could not be killed
 * @throws an error of the system if the command cannot be run
 */
async function execute(program: ProgramToStart, cwd: string, host: Host, output: Output) {
  const { file, args, windowsVerbatimArguments } = program
  const { env, signal } = host
  // Some failures to start are thrown here, the others are events.
  const child = spawn(file, args, {
    cwd,
    env,
    signal,
    windowsVerbatimArguments,
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
  })
  const exited = new Promise((fulfil, reject) => child.on('exit', fulfil).on('error', reject))
  const closed = new Promise((fulfil) => child.on('close', fulfil))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  try {
    await within(LIMIT_MS, Promise.race([exited, collect(child, output)]))
    const isLate = !hasEnded() && !output.stdout.includes('\n')
    if (!isLate) await within(LAST_OUTPUT_MS, exited)
    const isKilled = !hasEnded()
    if (isKilled) child.kill('SIGKILL')
    // Output may still arrive, but a child of the command may keep the pipe open.
    await within(LAST_OUTPUT_MS, closed)
    return { code: child.exitCode, signal: child.signalCode, isKilled, isLate }
  } finally {
    child.stdout.destroy()
    child.stderr.destroy()
    child.unref()
  }
}

/**
 * Runs a command and returns the first line of its output. It runs in the folder of the configuration
 * file, so a relative program is not looked up in the working directory. What it writes to stderr is shown
 * when it has ended, because only then can the key, which may be in it, be masked.
 * @param from where the command comes from, for errors
 * @throws a configuration error if the command cannot be run, fails, or prints no line in time
 */
export async function runCommand(
  command: readonly string[],
  from: string,
  cwd: string,
  { host, redactor, messages }: Context,
): Promise<string> {
  const failure = (reason: string, cause?: unknown) =>
    new FlagadmError('configuration', `${from}: the command ${reason}`, {
      hint: 'run the command by hand to see why',
      cause,
    })
  const program = programOf(command, from, cwd, host)
  const output: Output = { stdout: '', stderr: '' }
  try {
    const ending = await execute(program, cwd, host, output).catch((cause: unknown) => {
      throw failure(`cannot be run: ${fileReason(cause)}`, cause)
    })
    const { code, signal, isKilled, isLate } = ending
    if (isTooLong(output)) throw failure(`printed more than ${MAX_LINE_LENGTH} characters`)
    if (isLate) throw failure(`took longer than ${LIMIT_MS / 1000} s`)
    // A command that is killed once it has printed its line has no exit code.
    const isDone = code === 0 || (isKilled && code === null)
    if (!isDone) throw failure(`ended with ${code ?? signal}`)
    return firstLine(output)
  } finally {
    redactor.add(firstLine(output))
    for (const line of messagesIn(output)) messages.note(`apiKeyCommand: ${line}`)
  }
}
