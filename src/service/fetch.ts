import { type Agent, type IncomingMessage, request as startRequest } from 'node:http'
import { pipeline } from 'node:stream'
import type { BrotliDecompress, Unzip } from 'node:zlib'
import { systemCode } from '../errors.ts'
import { codedError } from './network.ts'
import { HeaderMap, TextResponse } from './response.ts'

/** Lets tasks that need much memory run one at a time, in order of arrival. */
interface Turns {
  /**
   * Waits for a turn; resolves to the function that ends it.
   * @throws the reason of the signal if it aborts first
   */
  take(signal: AbortSignal): Promise<() => void>
}

/** Rejects with the reason of the signal when it aborts. */
export function aborted(signal: AbortSignal): Promise<never> {
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

interface FetchOptions {
  /** Must be for the protocol of the address. */
  agent: Agent
  /** The most bytes that a body may have after decompression. */
  size: number
}

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

async function readText(
  message: IncomingMessage,
  { size, turns, signal }: { size: number; turns: Turns; signal: AbortSignal },
): Promise<string> {
  const decoder = await decoderOf(message)
  const chunks: Uint8Array[] = []
  let received = 0
  let endTurn: (() => void) | undefined
  try {
    for await (const chunk of decoder ? pipeline(message, decoder, () => {}) : message) {
      received += chunk.length
      if (received > size) throw codedError('BODY_TOO_LARGE')
      chunks.push(chunk)
      if (received > SMALL_BODY) endTurn ??= await turns.take(signal)
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

function headersOf({ headersDistinct }: IncomingMessage): HeaderMap {
  const first = Object.entries(headersDistinct).map(([name, [value = ''] = []]) => [name, value])
  return new HeaderMap(first)
}

/**
 * A fetch over `node:http` that does not follow redirects. Ours, because the global fetch loads undici,
 * which adds 40 ms to a start on Node 20, and both it and node-fetch are slow to read many small responses.
 */
export function createNodeFetch({ agent, size }: FetchOptions): typeof fetch {
  const turns = createTurns()
  return (url, init = {}) => {
    const { method = 'GET', headers, body } = init
    const signal = init.signal ?? new AbortController().signal
    return new Promise((fulfil, reject) => {
      const sent = startRequest(String(url), {
        method,
        agent,
        headers: {
          'accept-encoding': 'gzip, deflate, br',
          ...Object.fromEntries(new HeaderMap(headers)),
        },
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
        // The reader of the body reports its failure; only the request knows the reason.
        message.on('error', () => {})
        sent.on('error', (error) => {
          if (!message.complete) message.destroy(error)
        })
        const text = () => readText(message, { size, turns, signal })
        fulfil(new TextResponse(message.statusCode ?? 0, headersOf(message), text))
      })
      sent.end(body)
    })
  }
}
