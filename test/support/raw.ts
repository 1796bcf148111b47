import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { listen } from './server.ts'

/** A server below HTTP. */
export interface RawServer {
  url: string
  /** The number of connections so far. */
  connections: () => number
}

async function open(server: Server, scheme: string): Promise<RawServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { url: `${scheme}://127.0.0.1:${await listen(server)}`, connections: () => sockets.size }
}

/** A TCP server that passes each connection to the test. */
export function serveRaw(onConnection: (socket: Socket) => void): Promise<RawServer> {
  return open(createServer({ allowHalfOpen: true }, onConnection), 'http')
}

/** A server that completes only the TLS handshake, with this certificate. */
export function serveTls(cert: string, key: string): Promise<RawServer> {
  return open(createTlsServer({ cert, key }), 'https')
}

/** Does something when the client, which is in the same process, has read what was sent. */
export function whenRead(act: () => void): void {
  setImmediate(() => setImmediate(act))
}

/** Resets a connection when the client has read what was sent: otherwise, it looks like a normal end. */
export function resetWhenRead(socket: Socket): void {
  whenRead(() => socket.resetAndDestroy())
}
