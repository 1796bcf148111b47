import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'

/** A server below HTTP. */
export interface RawServer {
  url: string
  /** How many connections there have been so far. */
  connections: () => number
}

async function open(server: Server, scheme: string): Promise<RawServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `${scheme}://127.0.0.1:${port}`, connections: () => sockets.size }
}

/** A TCP server that passes each connection to the test. */
export function serveRaw(onConnection: (socket: Socket) => void): Promise<RawServer> {
  return open(createServer({ allowHalfOpen: true }, onConnection), 'http')
}

/** A server that completes only the TLS handshake, with this certificate. */
export function serveTls(cert: string, key: string): Promise<RawServer> {
  return open(createTlsServer({ cert, key }), 'https')
}
