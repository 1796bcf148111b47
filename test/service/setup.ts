import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
 * Starts the real service for all tests, and gives what stops it. It also stops when this process
 * ends in any other way, since its standard input ends then.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const child = spawn(
    fileURLToPath(new URL('node_modules/.bin/node', import.meta.url)),
    ['--no-deprecation', fileURLToPath(new URL('server.mjs', import.meta.url))],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
      // Ctrl-C is for the tests; the service then stops in order.
      detached: true,
    },
  )
  const ended = once(child, 'close')
  const stop = async () => {
    child.stdin.end()
    const late = setTimeout(() => child.kill('SIGKILL'), stopLimit)
    await ended
    clearTimeout(late)
  }
  const late = setTimeout(() => child.stdin.end(), readyLimit)
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      project.provide('service', JSON.parse(line))
      return stop
    }
    throw new Error('the service did not start')
  } finally {
    clearTimeout(late)
  }
}
