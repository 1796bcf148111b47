import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import type { Service } from './service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    service: Service
  }
}

const readyLimit = 180_000
const stopLimit = 30_000

/**
 * A temporary folder that PostgreSQL can enter. If root starts it, it runs as another user, who
 * cannot enter every TMPDIR.
 */
async function openFolder(): Promise<string> {
  const base = process.getuid?.() === 0 ? '/tmp' : tmpdir()
  const folder = await mkdtemp(join(base, 'flagadm-service-'))
  await chmod(folder, 0o755)
  return folder
}

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Starts the real service for all tests; returns the function that stops it. It also stops when this process
 * ends in any other way, because its standard input ends then.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await openFolder()
  // The tests' folders go here, too, so that they are always removed.
  process.env.TMPDIR = folder
  const { PATH, HOME } = process.env
  const child = spawn(path('node_modules/.bin/node'), ['--no-deprecation', path('server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Only these, because other variables may configure Unleash.
    env: { PATH, HOME, TMPDIR: folder, NODE_ENV: 'production' },
    // Ignore Ctrl-C, because the tests stop the service.
    detached: true,
  })
  const ended = once(child, 'close')
  const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
  const stop = async () => {
    child.stdin.end()
    const late = setTimeout(kill, stopLimit)
    await ended
    clearTimeout(late)
    await rm(folder, { recursive: true, force: true })
  }
  const late = setTimeout(kill, readyLimit)
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      project.provide('service', JSON.parse(line))
      return stop
    }
  } finally {
    clearTimeout(late)
  }
  await stop()
  throw new Error('the service did not start')
}
