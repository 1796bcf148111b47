import { EventEmitter, once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { PoolOptions, PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node'
import { onMessage, send } from './messages.ts'
import { kill, root, startNode, type WindowsProcess } from './wine.ts'

// Windows sees the root of Linux as a drive.
const windowsRoot = `Z:${root}`

/** A copy of a message, which may contain cycles, with another folder in all its texts. */
function replaceFolder(message: unknown, from: string, to: string): unknown {
  const copies = new Map<object, unknown>()
  function copyOf(value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll(from, to)
    if (typeof value !== 'object' || value === null) return value
    if (copies.has(value)) return copies.get(value)
    const isPlain = Object.getPrototypeOf(value) === Object.prototype
    if (!Array.isArray(value) && !isPlain) return value
    const copy = Array.isArray(value) ? [] : {}
    copies.set(value, copy)
    for (const [key, item] of Object.entries(value)) Object.assign(copy, { [key]: copyOf(item) })
    return copy
  }
  return copyOf(message)
}

/** Runs test files with node.exe. */
class WineWorker implements PoolWorker {
  readonly name = 'wine'
  readonly #events = new EventEmitter()
  readonly #env: NodeJS.ProcessEnv
  #process: WindowsProcess | undefined
  #socket: Socket | undefined
  #isStopped = false

  constructor({ env }: PoolOptions) {
    this.#env = env
  }

  on(event: string, listener: (value: unknown) => void): void {
    this.#events.on(event, listener)
  }

  off(event: string, listener: (value: unknown) => void): void {
    this.#events.off(event, listener)
  }

  send(message: WorkerRequest): void {
    if (this.#socket) send(this.#socket, replaceFolder(message, root, windowsRoot))
  }

  deserialize(message: unknown): unknown {
    return replaceFolder(message, windowsRoot, root)
  }

  async start(): Promise<void> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const process = startNode([join(import.meta.dirname, 'worker.ts'), String(port)], this.#env)
    this.#process = process
    const failure = once(process.child, 'exit').then(() => {
      throw new Error(`node.exe ended: ${process.output()}`)
    })
    const [socket] = await Promise.race([once(server, 'connection'), failure])
    server.close()
    this.#socket = socket
    onMessage(socket, (message) => this.#events.emit('message', message))
    failure.catch((error: unknown) => {
      if (this.#isStopped) return
      console.error(error)
      this.#events.emit('exit')
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#process) await kill(this.#process.child)
  }
}

export const winePool: PoolRunnerInitializer = {
  name: 'wine',
  createPoolWorker: (options) => new WineWorker(options),
}
