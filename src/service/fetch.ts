import { type Agent, type IncomingMessage, request as startRequest } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import type { BrotliDecompress, Unzip } from 'node:zlib'
import { systemCode } from '../errors.ts'
import { codedError } from './network.ts'
import type { Turns } from './turns.ts'

interface BodyLimits {
  signal: AbortSignal
  /** Bytes that a body, decompressed, may have. */
  size: number
  /** Shared by all requests: one large body is read at a time. */
  turns: Turns
}

/** The part of the standard's options that ofetch uses, and what it passes through for us. */
export interface FetchInit extends BodyLimits {
  method: string
  headers: HeaderMap
  body: string | null
  /** Speaks the protocol of the address. */
  agent: Agent
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

// Larger bodies are read one at a time: a hundred at once would not fit into memory.
const SMALL_BODY = 1024 * 1024

async function readText(message: IncomingMessage, limits: BodyLimits): Promise<string> {
  const decoder = await decoderOf(message)
  const chunks: Uint8Array[] = []
  let received = 0
  let endTurn: (() => void) | undefined
  try {
    for await (const chunk of decoder ? pipeline(message, decoder, () => {}) : message) {
      received += chunk.length
      if (received > limits.size) throw codedError('BODY_TOO_LARGE')
      chunks.push(chunk)
      if (received > SMALL_BODY) endTurn ??= await limits.turns.take(limits.signal)
    }
    return new TextDecoder().decode(Buffer.concat(chunks))
  } catch (error) {
    // An empty body is empty even if it is marked as compressed.
    if (systemCode(error) === 'Z_BUF_ERROR' && decoder?.bytesWritten === 0) return ''
    message.destroy()
    throw error
  } finally {
    endTurn?.()
  }
}

/**
 * A fetch over `node:http` that follows no redirect. Our own: the global one loads undici, which costs
 * a start on Node 20 some 40 ms, and neither that nor node-fetch reads many small answers quickly.
 */
export function slimFetch(url: string, init: FetchInit): Promise<SlimResponse> {
  const { method, headers, body, signal, agent } = init
  return new Promise((fulfil, reject) => {
    const sent = startRequest(url, {
      method,
      agent,
      headers: { 'accept-encoding': 'gzip, deflate, br', ...Object.fromEntries(headers) },
    })
    sent.once('error', reject)
    // We never request an upgrade, so 101 is an error.
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
        text: () => readText(message, init),
      })
    })
    sent.end(body)
  })
}
