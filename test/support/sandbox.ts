import { onTestFinished } from 'vitest'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import type { Seed } from '../../src/sandbox/seed.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts'
import { environment } from './flagadm.ts'

/** A sandbox of a test, which ends with it. */
export interface TestSandbox extends Sandbox {
  /** The environment that points flagadm to it. */
  env: Record<string, string>
  /** The requests so far: method, path and status. */
  requests(): string[]
  /** Those that change something. */
  writes(): string[]
}

/** Starts a sandbox for one test. */
export async function sandboxOf(
  projects: Seed['projects'],
  options: Partial<SandboxOptions> = {},
): Promise<TestSandbox> {
  const log: string[] = []
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    seed: { projects, flags: [] },
    frozen: true,
    now: Date.now,
    log: (line) => log.push(line),
    ...options,
  })
  onTestFinished(() => sandbox.close())
  const requests = () => log.map((line) => line.split(' ').slice(0, 3).join(' '))
  return {
    ...sandbox,
    env: environment(sandbox.url, sandbox.keys.full),
    requests,
    writes: () => requests().filter((line) => !line.startsWith('GET')),
  }
}

/** A service with only the operations of the specification, and the projects and flags of a sandbox without a seed. */
export function specifiedService(): Promise<TestSandbox> {
  return sandboxOf([], { seed: defaultSeed, specOnly: true, frozen: false })
}

/** Runs flagadm and returns its outcome with the address of the sandbox as `S`. */
export function anonymous<Run extends { stdout: string; stderr: string }>(
  { url }: { url: string },
  { stdout, stderr, ...outcome }: Run,
) {
  return { ...outcome, stdout: stdout.replaceAll(url, 'S'), stderr: stderr.replaceAll(url, 'S') }
}
