import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

const MAX_WAIT = 150_000

/** Runs npm in a folder and returns its stdout; throws if it fails. Kills it if this process ends. */
export async function npm(argv: readonly string[], cwd: string): Promise<string> {
  // On Windows, npm is a batch file, which only a shell runs.
  const shell = process.platform === 'win32'
  const running = execute('npm', argv, { cwd, timeout: MAX_WAIT, shell })
  const end = () => running.child.kill()
  process.once('exit', end)
  try {
    return (await running).stdout
  } finally {
    process.off('exit', end)
  }
}
