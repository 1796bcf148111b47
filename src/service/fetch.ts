// Ours, because the global fetch and its classes load undici, which adds 40 ms on Node 20, and both it and node-fetch
// are slow to read many small responses.
import { type Agent, type IncomingMessage, request as startRequest } from 'node:http'
import { pipeline } from 'node:stream'
import type { Unzip } from 'node:zlib'
import { systemCode } from '../errors.ts'
import { codedError } from './network.ts'

type HeadersInit = ConstructorParameters<typeof Headers>[0]

/** Headers in memory. Names must be in lower case. */
export class HeaderMap implements Headers {
  readonly #values = new Map<string, string>()

  constructor(init: HeadersInit = {}) {
    const entries = Array.isArray(init) || init instanceof HeaderMap ? init : Object.entries(init)
    for (const [name = '', value = ''] of entries) this.set(name, String(value))
  }

  get = (name: string) => this.#values.get(name) ?? null
  has = (name: string) => this.#values.has(name)
  set = (name: string, value: string) => void this.#values.set(name, value)
  append = this.set
  delete = (name: string) => void this.#values.delete(name)
  getSetCookie = () => []
  keys = () => this.#values.keys()
  values = () => this.#values.values()
  entries = () => this.#values.entries();
  [Symbol.iterator] = this.entries
  forEach = (use: (value: string, name: string, headers: Headers) => void) => {
    for (const [name, value] of this.#values) use(value, name, this)
  }
}

const onlyText = () => Promise.reject(new Error('the body can only be read as text'))

/** A response whose body is read with `text`. */
class TextResponse implements Response {
  readonly status: number
  readonly ok: boolean
  readonly headers: Headers
  readonly text: () => Promise<string>
  /** Null, so that ofetch leaves the reading to the caller. */
  readonly body = null
  readonly bodyUsed = false
  readonly statusText = ''
  readonly type = 'default'
  readonly url = ''
  readonly redirected = false
  readonly json = onlyText
  readonly blob = onlyText
  readonly formData = onlyText
  readonly arrayBuffer = onlyText

  constructor(status: number, headers: Headers, text: () => Promise<string>) {
    this.status = status
    this.ok = status >= 200 && status < 300
    this.headers = headers
    this.text = text
  }

  clone = () => this
}

async function decoderOf({ headers }: IncomingMessage): Promise<Unzip | undefined> {
  if (/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '')) return undefined
  const { createUnzip } = await import('node:zlib')
  return createUnzip()
}

/** The most bytes that a body may have after decompression. */
const BODY_LIMIT = 32 * 1024 * 1024

async function readText(message: IncomingMessage): Promise<string> {
  const decoder = await decoderOf(message)
  const chunks: Uint8Array[] = []
  let received = 0
  try {
    for await (const chunk of decoder ? pipeline(message, decoder, () => {}) : message) {
      received += chunk.length
      if (received > BODY_LIMIT) throw codedError('BODY_TOO_LARGE')
      chunks.push(chunk)
    }
    return new TextDecoder().decode(Buffer.concat(chunks))
  } catch (error) {
    // An empty body is empty even if it is marked as compressed.
    if (systemCode(error) === 'Z_BUF_ERROR' && decoder?.bytesWritten === 0) return ''
    message.destroy()
    throw error
  }
}

/**
 * A fetch over `node:http` that does not follow redirects.
 * @param agent must be for the protocol of the addresses
 */
export function createNodeFetch(agent: Agent): typeof fetch {
  return (url, init = {}) => {
    const { method = 'GET', headers, body } = init
    const signal = init.signal ?? new AbortController().signal
    return new Promise((fulfil, reject) => {
      const sent = startRequest(String(url), {
        method,
        agent,
        headers: {
          'accept-encoding': 'gzip, deflate',
          ...Object.fromEntries(new HeaderMap(headers)),
        },
      })
      sent.once('error', reject)
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
        const headers = Object.entries(message.headers).map(([name, value]) => [name, `${value}`])
        const text = () => readText(message)
        fulfil(new TextResponse(message.statusCode ?? 0, new HeaderMap(headers), text))
      })
      sent.end(body)
    })
  }
}
