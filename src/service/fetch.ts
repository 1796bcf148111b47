import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'

/** What ofetch asks of a fetch and hands to it, with what it passes through for us. */
export interface FetchInit {
  method?: string
  headers?: HeaderMap
  body?: string
  signal?: AbortSignal
  agent: Agent
  /** Bytes that a body, decompressed, may have. */
  size: number
}

/** Headers by their lower-case names: as much of the standard's as ofetch uses. */
export class HeaderMap extends Map<string, string> {
  constructor(init: Readonly<Record<string, string>> = {}) {
    super(Object.entries(init).map(([name, value]) => [name.toLowerCase(), value]))
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

/** A body that is larger than it may be. */
class TooLarge extends Error {
  readonly code = 'BODY_TOO_LARGE'
}

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
      throw new TooLarge('the body is too large')
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
  const { method = 'GET', headers = new HeaderMap(), body, signal, agent, size } = init
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((fulfil, reject) => {
    const sent = request(url, {
      method,
      agent,
      headers: {
        'accept-encoding': 'gzip, deflate, br',
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        ...Object.fromEntries(headers),
      },
    })
    sent.once('error', reject)
    // Nobody asked for another protocol: an answer 101 is none.
    sent.once('upgrade', (_message, socket) => {
      socket.destroy()
      reject(Object.assign(new Error('switched protocols'), { code: 'HPE_UNEXPECTED_UPGRADE' }))
    })
    // Not the signal of node:http, which waits for a connection before it tells.
    const abort = () => {
      sent.destroy()
      reject(new Error('aborted'))
    }
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    sent.once('response', (message) => {
      if (bodiless.has(message.statusCode ?? 0)) message.resume()
      // A body that fails is reported by whoever reads it. Why it does, only the request is told.
      message.on('error', () => {})
      sent.on('error', (error) => {
        if (!message.complete) message.destroy(error)
      })
      const get = (name: string) => {
        const value = message.headers[name]
        return Array.isArray(value) ? value.join(', ') : (value ?? null)
      }
      fulfil({
        status: message.statusCode ?? 0,
        headers: { get },
        body: message,
        text: () => readText(message, size),
      })
    })
    sent.end(body)
  })
}
