import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'

/** A server that does not speak HTTP by itself. */
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

/** A server that talks TCP only: what it does with a connection is up to the test. */
export function serveRaw(onConnection: (socket: Socket) => void): Promise<RawServer> {
  return open(createServer({ allowHalfOpen: true }, onConnection), 'http')
}

/** A server that only shakes hands, with this certificate. */
export function serveTls(cert: string, key: string): Promise<RawServer> {
  return open(createTlsServer({ cert, key }), 'https')
}
