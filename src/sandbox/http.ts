import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { finished } from 'node:stream/promises'
import { systemCode } from '../errors.ts'

/** The error name of each status: section "Errors" of the specification, and the real service's for 409. */
const names = {
  400: 'ValidationError',
  401: 'AuthenticationRequired',
  403: 'NoAccessError',
  404: 'NotFoundError',
  408: 'RequestTimeoutError',
  409: 'NameExistsError',
  413: 'PayloadTooLargeError',
  415: 'ContentTypeerror',
  421: 'MisdirectedRequestError',
  431: 'HeadersTooLargeError',
  500: 'InternalError',
} as const

type RefusalStatus = keyof typeof names

/** Thrown to refuse a request with this status and message. */
export class Refusal extends Error {
  readonly status: RefusalStatus
  readonly errorName: string

  /** @param name the name of the error, by default that of the status */
  constructor(status: RefusalStatus, message: string, name: string = names[status]) {
    super(message)
    this.status = status
    this.errorName = name
  }
}

/** The error body for a status, with a new identifier. */
export function errorBody(status: RefusalStatus, message: string, name: string = names[status]) {
  return { id: crypto.randomUUID(), name, message }
}

const bodyLimit = 100 * 1024

/** The parts of a request that routes use. */
export interface SandboxRequest {
  method: string
  /** As sent: not decoded, without the query. */
  path: string
  query: URLSearchParams
  key: string | undefined
  contentType: string | undefined
  /** Undefined when it is larger than the limit. */
  body: Uint8Array | undefined
}

/** Reads a body; stops as soon as it is too large and discards the remainder. */
function readBody(message: IncomingMessage): Promise<SandboxRequest['body']> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    if (Number(message.headers['content-length']) > bodyLimit) resolve(undefined)
    message.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size > bodyLimit) resolve(undefined)
      else chunks.push(chunk)
    })
    message.on('end', () => resolve(Buffer.concat(chunks)))
    message.on('error', reject)
  })
}

/**
 * Reads a request.
 * @throws when the client disconnects first
 */
export async function readRequest(message: IncomingMessage): Promise<SandboxRequest> {
  const { method = '', url = '', headers } = message
  const [path = ''] = url.split('?', 1)
  return {
    method,
    path,
    query: new URLSearchParams(url.slice(path.length)),
    key: headers.authorization,
    contentType: headers['content-type'],
    body: await readBody(message),
  }
}

/** The JSON body of a request; throws 415, 413 or 400 when it is not acceptable. */
export function jsonBody({ contentType = '', body }: SandboxRequest): unknown {
  const [mediaType = ''] = contentType.split(';')
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    const sent = contentType ? `${contentType} is` : 'A body without a content type is'
    throw new Refusal(415, `${sent} not accepted: only application/json is`)
  }
  if (!body) throw new Refusal(413, `The body is larger than ${bodyLimit} bytes`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new Refusal(400, 'The body is not valid JSON')
  }
}

// Gives a client that is still sending time to read the refusal, in milliseconds.
const lingering = 2_000

export interface Reply {
  status: number
  body?: object
  /** Milliseconds since the epoch, for the date of the reply; by default the time of this machine. */
  now?: number
}

/** Sends a reply as JSON or without a body; closes the connection if the request has not fully arrived. */
export async function sendReply(
  { status, body, now }: Reply,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = body ? JSON.stringify(body) : ''
  // Without a listener, a client that disconnects would crash the process.
  response.on('error', () => {})
  response.writeHead(status, {
    'content-length': Buffer.byteLength(text),
    ...(now !== undefined && { date: new Date(now).toUTCString() }),
    ...(body && { 'content-type': 'application/json' }),
    ...(!request.complete && { connection: 'close' }),
  })
  response.write(text)
  if (!request.complete) {
    // Closing now would reset the connection before the client has read the response.
    await finished(request, { signal: AbortSignal.timeout(lingering) }).catch(() => {})
  }
  response.end()
}

const failures: Record<string, { status: RefusalStatus; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large' },
}

/** Responds on a connection whose data is not a valid HTTP request. */
export function refuseConnection(error: Error, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const code = systemCode(error) ?? ''
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
