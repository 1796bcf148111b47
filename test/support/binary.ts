import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './flagadm.ts'

const bin = fileURLToPath(new URL('../../bin/flagadm.js', import.meta.url))

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Variables to set; those that are undefined are not set. */
type Environment = Record<string, string | undefined>

/** Where a process runs and as which user. */
export interface Placement {
  /** The working directory and, unless the environment names another one, the home directory. */
  cwd?: string
  stdio?: StdioOptions
  uid?: number
  gid?: number
  /** Whether it gets its own process group, which is killed after the test. */
  detached?: boolean
}

/** Kills a process, or its group, if it still runs. */
function end(child: ChildProcess, isGroup = false): void {
  if (!isGroup || child.pid === undefined) {
    child.kill('SIGKILL')
    return
  }
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

async function launch(
  command: readonly [string, ...string[]],
  env: Environment,
  placement: Placement,
): Promise<ChildProcess> {
  const { cwd = await temporaryFolder(), ...rest } = placement
  const [file, ...args] = command
  const child = spawn(file, args, {
    stdio: 'pipe',
    ...rest,
    cwd,
    env: { HOME: cwd, PATH: process.env.PATH, ...env },
  })
  onTestFinished(() => end(child, rest.detached))
  return child
}

/** Starts the built flagadm as a process with its own home directory; killed after the test. */
export function start(
  argv: readonly string[],
  env: Environment = {},
  stdio: StdioOptions = 'pipe',
  placement: Placement = {},
): Promise<ChildProcess> {
  return launch([process.execPath, bin, ...argv], env, { stdio, ...placement })
}

/** Starts the built flagadm on a terminal of its own; needs `script` of util-linux. */
export function startOnTerminal(
  argv: readonly string[],
  env: Record<string, string> = {},
  placement: Placement = {},
): Promise<ChildProcess> {
  const script = `stty cols 80; "$NODE" "$BIN" ${argv.join(' ')}`
  const all = { NODE: process.execPath, BIN: bin, TERM: 'xterm', ...env }
  return launch(['script', '-qec', script, '/dev/null'], all, {
    ...placement,
    detached: true,
  })
}

/** Runs a shell script in which `flagadm` is the built one, and waits for it to end. */
export async function shell(
  script: string,
  env: Environment = {},
  placement: Placement = {},
): Promise<Ended> {
  const command = `flagadm() { "$NODE" "$BIN" "$@"; }\n${script}`
  const all = { NODE: process.execPath, BIN: bin, ...env }
  // A process group, so all that the script starts ends with it.
  return ended(await launch(['sh', '-c', command], all, { ...placement, detached: true }))
}

/** Waits for a process to end. If a signal kills it, the exit code is the one that shells report. */
export function ended(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return new Promise((fulfil) => {
    child.on('close', (code, signal) => {
      fulfil({ code: signal ? 128 + constants.signals[signal] : code, stdout, stderr })
    })
  })
}
