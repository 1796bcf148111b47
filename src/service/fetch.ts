import { type Agent, type IncomingMessage, request as startRequest } from 'node:http'
import type { Readable } from 'node:stream'
import { codedError } from './network.ts'

/** What ofetch asks of a fetch and hands to it, with what it passes through for us. */
export interface FetchInit {
  method: string
  headers: HeaderMap
  body: string | null
  signal: AbortSignal
  /** Speaks the protocol of the address. */
  agent: Agent
  /** Bytes that a body, decompressed, may have. */
  size: number
}

/** Headers, whose names must be in lower case: as much of the standard's as ofetch uses. */
export class HeaderMap extends Map<string, string> {
  constructor(init: Readonly<Record<string, string>>) {
    super(Object.entries(init))
  }
}

/** An answer whose head has arrived: as much of the standard's as ofetch uses. */
export interface SlimResponse {
  status: number
  headers: { get(name: string): string | null }
  body: Readable
  text(): Promise<string>
}

// ofetch reads no body of these, which would keep the connection busy.
const bodiless = new Set([204, 205, 304])

async function decompressed(message: IncomingMessage): Promise<Readable> {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase()
  // Compressed or not, nothing is nothing.
  const empty = message.headers['content-length'] === '0'
  if (empty || encoding === undefined || encoding === 'identity') return message
  const { createBrotliDecompress, createUnzip } = await import('node:zlib')
  const { pipeline } = await import('node:stream')
  const decoder = encoding === 'br' ? createBrotliDecompress() : createUnzip()
  return pipeline(message, decoder, () => {})
}

async function readText(message: IncomingMessage, size: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let received = 0
  for await (const chunk of await decompressed(message)) {
    received += chunk.length
    if (received > size) {
      message.destroy()
      throw codedError('BODY_TOO_LARGE')
    }
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/**
 * A fetch over `node:http` that follows no redirect. Our own: the global one loads undici, which costs
 * a start on Node 20 some 40 ms, and neither that nor node-fetch reads many small answers quickly.
 */
export function slimFetch(url: string, init: FetchInit): Promise<SlimResponse> {
  const { method, headers, body, signal, agent, size } = init
  return new Promise((fulfil, reject) => {
    const sent = startRequest(url, {
      method,
      agent,
      headers: { 'accept-encoding': 'gzip, deflate, br', ...Object.fromEntries(headers) },
    })
    sent.once('error', reject)
    // Nobody asked for another protocol: an answer 101 is none.
    sent.once('upgrade', (_message, socket) => {
      socket.destroy()
      reject(codedError('HPE_UNEXPECTED_UPGRADE'))
    })
    // Not the signal of node:http, which waits for a connection before it tells.
    const abort = () => {
      sent.destroy()
      reject(signal.reason)
    }
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    sent.once('response', (message) => {
      const { statusCode: status = 0 } = message
      if (bodiless.has(status)) message.resume()
      // A body that fails is reported by whoever reads it. Why it does, only the request is told.
      message.on('error', () => {})
      sent.on('error', (error) => {
        if (!message.complete) message.destroy(error)
      })
      const get = (name: string) => {
        const value = message.headers[name]
        return typeof value === 'string' ? value : null
      }
      fulfil({
        status,
        headers: { get },
        body: message,
        text: () => readText(message, size),
      })
    })
    sent.end(body)
  })
}
