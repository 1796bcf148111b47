import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { checkDocument } from './documented.ts'

export interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface TestServer {
  url: string
  /** Every request so far, complete. */
  received: Received[]
}

type Respond = (response: ServerResponse, request: Received, count: number) => unknown

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

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

/** A real server on a free loopback port, closed after the test. */
export async function serve(respond: Respond): Promise<TestServer> {
  const received: Received[] = []
  const failures: Error[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const entry = { method, url, headers, body: await bodyOf(request) }
    received.push(entry)
    // Without a date, the time of the service is that of the test's clock.
    response.sendDate = false
    try {
      await respond(response, entry, received.length)
    } catch (error) {
      const failure = error instanceof Error ? error : new Error('no response', { cause: error })
      failures.push(failure)
      // The command reports it, too, and does not try again.
      anyJson(response, 400, { message: failure.message })
    }
  })
  onTestFinished(() => {
    server.closeAllConnections()
    if (failures[0]) throw failures[0]
  })
  return { url: `http://127.0.0.1:${await listen(server)}`, received }
}

function textOf(document: unknown): string {
  return typeof document === 'string' ? document : JSON.stringify(document)
}

/** Responds with any JSON document: for tests of faults, which no version of Unleash has. */
export function anyJson(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(textOf(document))
}

/**
 * Responds with a JSON document, as Unleash does.
 * @param version an older version, whose documents are in `test/service/versions`; by default 8.2.0
 * @throws for a document of a success that the version does not send
 */
export function json(
  response: ServerResponse,
  status: number,
  document: unknown,
  version?: string,
): void {
  if (status < 300) {
    const { method = '', url = '' } = response.req
    const sent = typeof document === 'string' ? JSON.parse(document) : document
    checkDocument({ method, url, status, document: sent }, version)
  }
  anyJson(response, status, document)
}

/** A usage document with one record, for tests in which its content does not matter. */
export const someUsage = {
  version: 1,
  maturity: 'stable',
  lastHourUsage: [
    {
      environment: 'production',
      appName: 'web',
      yes: 3,
      no: 1,
      variants: { blue: 2, red: 1 },
    },
  ],
  seenApplications: ['web'],
}

/** Answers a request for usage with this, and every other one with 404, as a service that has only the specification. */
export function usageOnly(response: ServerResponse, { url }: Received, usage: object): void {
  if (url.includes('/client-metrics/')) json(response, 200, usage)
  else json(response, 404, { message: 'not found' })
}
