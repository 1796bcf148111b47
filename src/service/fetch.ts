import { type Agent, type IncomingMessage, request as startRequest } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import type { BrotliDecompress, Unzip } from 'node:zlib'
import { systemCode } from '../errors.ts'
import { codedError } from './network.ts'

/** Lets tasks that need much memory run one at a time, in order of arrival. */
export interface Turns {
  /**
   * Waits for a turn; resolves to the function that ends it.
   * @throws the reason of the signal if it aborts first
   */
  take(signal: AbortSignal): Promise<() => void>
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

/** Turns in order of arrival. */
export function createTurns(): Turns {
  let last = Promise.resolve()
  return {
    async take(signal) {
      const before = last
      let end = () => {}
      last = new Promise((fulfil) => {
        end = fulfil
      })
      try {
        await Promise.race([before, aborted(signal)])
      } catch (reason) {
        void before.then(end)
        throw reason
      }
      return end
    },
  }
}

interface BodyLimits {
  signal: AbortSignal
  /** The most bytes that a body may have after decompression. */
  size: number
  /** Shared by all requests: one large body is read at a time. */
  turns: Turns
}

/** The part of the standard's options that ofetch uses, and the options of ours that it passes on. */
export interface FetchInit extends BodyLimits {
  method: string
  headers: HeaderMap
  body: string | null
  /** Must be for the protocol of the address. */
  agent: Agent
}

/** The part of the standard's headers that ofetch uses. Names must be in lower case. */
export class HeaderMap extends Map<string, string> {
  constructor(init: Readonly<Record<string, string>>) {
    super(Object.entries(init))
  }
}

/** The part of the standard's response that ofetch uses. The body has yet to arrive. */
export interface SlimResponse {
  status: number
  headers: { get(name: string): string | null }
  body: Readable
  text(): Promise<string>
}

// ofetch does not read these bodies, and an unread body would keep the connection busy.
const bodiless = new Set([204, 205, 304])

async function decoderOf({
  headers,
}: IncomingMessage): Promise<BrotliDecompress | Unzip | undefined> {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding === undefined || encoding === 'identity') return undefined
  const { createBrotliDecompress, createUnzip } = await import('node:zlib')
  return encoding === 'br' ? createBrotliDecompress() : createUnzip()
}

// Larger bodies are read one at a time, because a hundred at once would not fit into memory.
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
 * A fetch over `node:http` that does not follow redirects. The global fetch loads undici, which adds
 * 40 ms to a start on Node 20, and both it and node-fetch are slow to read many small responses.
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
    // node:http's own signal option would report an abort only after the connection is made.
    const abort = () => {
      sent.destroy()
      reject(signal.reason)
    }
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    sent.once('response', (message) => {
      const { statusCode: status = 0 } = message
      if (bodiless.has(status)) message.resume()
      // The reader of the body reports its failure; only the request knows the reason.
      message.on('error', () => {})
      sent.on('error', (error) => {
        if (!message.complete) message.destroy(error)
      })
      fulfil({
        status,
        headers: { get: (name) => message.headersDistinct[name]?.[0] ?? null },
        body: message,
        text: () => readText(message, init),
      })
    })
    sent.end(body)
  })
}
