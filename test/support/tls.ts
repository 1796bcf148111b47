import { createServer } from 'node:https'
import { onTestFinished } from 'vitest'
import { certificate, certificateKey } from './certificate.ts'
import { json, listen, someUsage } from './server.ts'

export interface TlsService {
  port: number
  /** The key of each request so far. */
  keys: (string | undefined)[]
  /** The number of connections so far. */
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
