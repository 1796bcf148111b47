import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

const bodyLimit = 100 * 1024

/** What a route may need to know of a request. */
export interface SandboxRequest {
  method: string
  /** As sent: not decoded, without the query. */
  path: string
  query: URLSearchParams
  key: string | undefined
  contentType: string | undefined
  /** Undefined when it is larger than the sandbox takes. */
  body: Uint8Array | undefined
}

type Body = SandboxRequest['body']

/** Collects a body; gives up as soon as it is too large, and lets the rest of it pass by unread. */
function readBody(message: IncomingMessage): Promise<Body | 'aborted'> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let size = 0
    if (Number(message.headers['content-length']) > bodyLimit) resolve(undefined)
    message.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size > bodyLimit) resolve(undefined)
      else chunks.push(chunk)
    })
    message.on('end', () => resolve(Buffer.concat(chunks)))
    message.on('error', () => resolve('aborted'))
  })
}

/** The request as soon as it can be answered; undefined when the client went away before. */
export async function readRequest(message: IncomingMessage): Promise<SandboxRequest | undefined> {
  const body = await readBody(message)
  if (body === 'aborted') return undefined
  const { method = '', url = '', headers } = message
  const [path = '', ...query] = url.split('?')
  const { authorization: key, 'content-type': contentType } = headers
  return { method, path, query: new URLSearchParams(query.join('?')), key, contentType, body }
}

/** The JSON body of a request; 415, 413 or 400 when it has none that can be taken. */
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
