import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

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

type Answer = (response: ServerResponse, request: Received, count: number) => unknown

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** A real server on a free loopback port, closed after the test. */
export async function serve(answer: Answer): Promise<TestServer> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const entry = { method, url, headers, body: await bodyOf(request) }
    received.push(entry)
    answer(response, entry, received.length)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received }
}

/** Answers with a JSON document. */
export function json(response: ServerResponse, status: number, document: unknown): void {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(text)
}

/** A usage document with one record, for tests of everything around it. */
export const someUsage = {
  version: 1,
  maturity: 'stable',
  lastHourUsage: [
    {
      environment: 'production',
      appName: 'web',
      timestamp: '2026-11-20T16:00:00.000Z',
      yes: 3,
      no: 1,
      variants: { blue: 2, red: 1 },
    },
  ],
  seenApplications: ['web'],
}
