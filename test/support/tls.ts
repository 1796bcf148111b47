import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { certificate, certificateKey } from './certificate.ts'
import { json, someUsage } from './server.ts'

/** Has a server listen on a free loopback port, closed after the test; returns the port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return port
}

export interface TlsService {
  port: number
  /** The key of each request so far. */
  keys: (string | undefined)[]
  /** How many connections there were so far. */
  connections(): number
}

/** A service over https, with the certificate of `certificate.ts`, which returns `someUsage`. */
export async function serveTls(): Promise<TlsService> {
  const keys: (string | undefined)[] = []
  let connections = 0
  const server = createServer({ cert: certificate, key: certificateKey }, (request, response) => {
    keys.push(request.headers.authorization)
    json(response, 200, someUsage)
  })
  server.on('connection', () => {
    connections++
  })
  onTestFinished(() => server.closeAllConnections())
  return { port: await listen(server), keys, connections: () => connections }
}
