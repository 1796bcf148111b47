import type { Socket } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { CANARY } from '../../support/flagadm.ts'
import { documentFor } from '../../support/operations.ts'
import { resetWhenRead, serveRaw, whenRead } from '../../support/raw.ts'

/** A service with a fault, and the files that a run needs. */
export interface Served {
  url: string
  /** The number of requests for the path, each on a new connection; missing if there is no service. */
  connections?: () => number
  /** Files to write for the run. */
  files?: Record<string, string>
}

/** How a run fails, with the service's address as `http://service` and a request's as `http://service/…`. */
export interface Failure {
  exitCode: number
  kind: string
  /** The line of the text form, after `error: ` and the subject. */
  line: string
  /** The fields of the JSON form that differ from the line. */
  json: { status?: number; name?: string; id?: string; message: string }
  hint?: string
  attempts: number
}

/** A problem between a request and its response. */
export interface Fault extends Failure {
  /** Completes the sentence `feature usage reports …`. */
  name: string
  /** Starts the service, whose fault affects only this path. */
  serve: (path: string) => Promise<Served>
  /** Tested with every operation: one fault for each part of the client. */
  everyOperation?: true
}

/** The failure of a run without a usable response. */
export function unavailable(message: string, hint: string, attempts = 1): Failure {
  return { exitCode: 8, kind: 'unavailable', line: message, json: { message }, hint, attempts }
}

// A reason phrase can contain anything, and is never printed.
const hostileReason = `\u001b[31mFine\u009b2J ${CANARY}`

/** The head of a response after which the connection closes. */
export function head(status: number, headers: readonly string[] = []): Buffer {
  const lines = [`HTTP/1.1 ${status} ${hostileReason}`, 'Connection: close', ...headers, '', '']
  return Buffer.from(lines.join('\r\n'), 'latin1')
}

/** A whole response. */
export function response(status: number, headers: readonly string[], body: string): Buffer {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return Buffer.concat([head(status, [...headers, length]), Buffer.from(body)])
}

/** Responds to one path as given, and to every other path with the document of its fixture, which is empty if it has none. */
function onRequest(act: (socket: Socket) => void): (path: string) => Promise<Served> {
  return async (path) => {
    let requests = 0
    const { url } = await serveRaw((socket) =>
      socket.once('data', (chunk) => {
        const [method = '', target = ''] = String(chunk).split(' ')
        if (target === path) {
          requests++
          return act(socket)
        }
        const body = JSON.stringify(documentFor(method, target) ?? {})
        return socket.end(response(200, ['Content-Type: application/json'], body))
      }),
    )
    return { url, connections: () => requests }
  }
}

/** Sends this and closes its half of the connection. */
export function sends(...parts: readonly (Buffer | string)[]) {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return onRequest((socket) => socket.end(bytes))
}

/** Sends this and resets the connection. */
export function resetsAfter(...parts: readonly (Buffer | string)[]) {
  return onRequest((socket) => {
    for (const part of parts) socket.write(part)
    resetWhenRead(socket)
  })
}

/** Sends this and nothing more; once it has been read, the timers of the client run out. */
export function stallsAfter(...parts: readonly (Buffer | string)[]) {
  const start = onRequest((socket) => {
    for (const part of parts) socket.write(part)
    whenRead(() => vi.runAllTimers())
  })
  return (path: string) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    return start(path)
  }
}

/** Sends the beginning, then endlessly the same chunk, as fast as it is read. */
export function floods(beginning: Buffer, chunk: Buffer) {
  return onRequest((socket) => {
    socket.write(beginning)
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', more)
    more()
  })
}
