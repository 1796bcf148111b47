import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { finished } from 'node:stream/promises'
import { errorBody, type RefusalStatus } from './refusal.ts'

// How long a client that is still sending may take to read why it was refused.
const lingering = 2_000

interface Reply {
  status: number
  body?: object
}

/** Sends a reply as JSON, or with nothing in it; a request that has not fully arrived ends the connection. */
export async function sendReply(
  { status, body }: Reply,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = body ? JSON.stringify(body) : ''
  // Without a listener a client that has gone away would crash the process.
  response.on('error', () => {})
  response.writeHead(status, {
    'content-length': Buffer.byteLength(text),
    ...(body && { 'content-type': 'application/json' }),
    ...(!request.complete && { connection: 'close' }),
  })
  if (!request.complete) {
    // Closing now would reset the connection before the client has read the answer.
    response.write(text)
    await finished(request, { signal: AbortSignal.timeout(lingering) }).catch(() => {})
    response.end()
    return
  }
  response.end(text)
}

const failures: Record<string, { status: RefusalStatus; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large' },
}

/** Answers a connection on which no HTTP request could be read. */
export function refuseConnection(error: Error, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const code = 'code' in error ? String(error.code) : ''
  const { status, message } = failures[code] ?? { status: 400, message: 'Not an HTTP request' }
  const text = JSON.stringify(errorBody(status, message))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  )
  setTimeout(() => socket.destroy(), lingering).unref()
}
