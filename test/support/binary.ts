import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './flagadm.ts'

const bin = fileURLToPath(new URL('../../bin/flagadm.js', import.meta.url))

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Starts the built flagadm as a process with a home of its own; killed after the test. */
export async function start(
  argv: readonly string[],
  env: Record<string, string> = {},
  stdio: StdioOptions = 'pipe',
): Promise<ChildProcess> {
  const home = await temporaryFolder()
  const child = spawn(process.execPath, [bin, ...argv], {
    cwd: home,
    stdio,
    env: { HOME: home, PATH: process.env.PATH, ...env },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/** Waits for a process to end. */
export function ended(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return new Promise((fulfil) => {
    child.on('close', (code) => fulfil({ code, stdout, stderr }))
  })
}
