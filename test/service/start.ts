import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Service } from './service.ts'

const readyLimit = 180_000
const stopLimit = 30_000

/** A folder of this one. */
export const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

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

/** A service that runs. */
export interface Started {
  service: Service
  /** Its temporary folder, which is removed when it stops. */
  folder: string
  stop: () => Promise<void>
}

/**
 * Starts the real service. It also stops when this process ends in any other way, because its standard input ends then.
 * @param home the folder in which it is installed
 * @param argv the arguments of server.mjs
 */
export async function startService(home: string, argv: readonly string[]): Promise<Started> {
  const folder = await openFolder()
  const { PATH, HOME } = process.env
  const program = [join(home, 'node_modules/.bin/node'), '--no-deprecation', path('server.mjs')]
  const [node = '', ...words] = [...program, ...argv]
  const child = spawn(node, words, {
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
      return { service: JSON.parse(line), folder, stop }
    }
  } finally {
    clearTimeout(late)
  }
  await stop()
  throw new Error('the service did not start')
}
