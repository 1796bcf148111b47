import { type Agent, type IncomingMessage, request as startRequest } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import type { BrotliDecompress, Unzip } from 'node:zlib'
import { systemCode } from '../system.ts'
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

async function decoderOf({
  headers,
}: IncomingMessage): Promise<BrotliDecompress | Unzip | undefined> {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding === undefined || encoding === 'identity') return undefined
  const { createBrotliDecompress, createUnzip } = await import('node:zlib')
  return encoding === 'br' ? createBrotliDecompress() : createUnzip()
}

async function readText(message: IncomingMessage, size: number): Promise<string> {
  const decoder = await decoderOf(message)
  const chunks: Uint8Array[] = []
  let received = 0
  try {
    for await (const chunk of decoder ? pipeline(message, decoder, () => {}) : message) {
      received += chunk.length
      if (received > size) throw codedError('BODY_TOO_LARGE')
      chunks.push(chunk)
    }
  } catch (error) {
    // Compressed or not, nothing is nothing.
    if (systemCode(error) === 'Z_BUF_ERROR' && decoder?.bytesWritten === 0) return ''
    message.destroy()
    throw error
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
